"""The files for containers: that they parse, name what is there, and start nothing with more rights than it needs."""

import re
from typing import Any

import yaml
from typer.main import get_command

from core.installation import ROOT
from postern.cli import app

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "postern" / "compose.yaml").read_text(encoding="utf-8"))
IMAGE = (ROOT / "Containerfile").read_text(encoding="utf-8")
COMMANDS: Any = get_command(app)


def test_each_service_can_write_only_where_it_must():
    for name, service in COMPOSE["services"].items():
        assert service["read_only"], name
        assert "env_file" in service, f"{name} has its secrets from a file"
        assert "environment" not in service, name
        assert "healthcheck" in service, name


def test_only_the_api_can_be_reached_and_only_from_this_machine():
    ports = {name: service["ports"] for name, service in COMPOSE["services"].items() if "ports" in service}
    assert ports == {"api": ["127.0.0.1:3000:3000"]}


def test_the_commands_are_ours():
    for name in ("api", "worker"):
        command, *options = COMPOSE["services"][name]["command"]
        known_options = {
            option for parameter in COMMANDS.commands[command].params for option in parameter.opts
        }
        assert set(options) <= known_options
        assert COMPOSE["services"][name]["cap_drop"] == ["ALL"]


def test_the_image_runs_as_an_ordinary_user_and_says_whether_it_is_well():
    final = IMAGE.rpartition("FROM ")[2]
    assert re.findall(r"^USER (\d+):(\d+)$", final, re.MULTILINE) == [("10001", "10001")]
    assert "HEALTHCHECK" in final
    copied = [
        word
        for line in re.findall(r"^COPY (?!--from)(.*) \S+$", IMAGE, re.MULTILINE)
        for word in line.split()
    ]
    assert all((ROOT / word).exists() for word in copied)


def test_no_secret_gets_into_the_image():
    left_out = (ROOT / ".dockerignore").read_text(encoding="utf-8").split("\n")
    assert {".env", "*.env", "data", ".git", "database.toml"} <= set(left_out)
