"""The alert rules name metrics and pages that exist, and promtool finds that they fire for the right faults alone."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
ALERTS = ROOT / "docs/alerts"
RULES = yaml.safe_load((ALERTS / "postern.yml").read_text())["groups"][0]["rules"]
SOURCES = ("resolvers/metrics/families.py", "resolvers/metrics/__init__.py", "core/metrics.py")


def test_the_metrics_of_the_rules_are_there():
    made = "".join((ROOT / source).read_text() for source in SOURCES)
    for rule in RULES:
        names = re.findall(r"postern_\w+", rule["expr"])
        assert names, rule["alert"]
        for name in names:
            assert f'"{name.removesuffix("_total")}"' in made, (rule["alert"], name)


def test_the_pages_of_the_rules_are_there():
    for rule in RULES:
        action = rule["annotations"]["action"]
        for page, heading in re.findall(r"(docs/[a-z-]+\.md)(?:, ([^.,]+))?", action):
            text = (ROOT / page).read_text()
            assert not heading or re.search(rf"^#+ {re.escape(heading)}$", text, re.MULTILINE), (
                page,
                heading,
            )


def test_every_alert_says_what_to_do():
    for rule in RULES:
        assert rule["labels"]["severity"] in ("critical", "warning")
        assert {"summary", "action"} == rule["annotations"].keys()


@pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool is not installed (Debian's prometheus)"
)
@pytest.mark.parametrize(
    "command", [["check", "rules", "postern.yml"], ["test", "rules", "postern.test.yml"]]
)
def test_promtool(command: list[str]):
    done = subprocess.run(
        ["promtool", *command], check=False, cwd=ALERTS, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
