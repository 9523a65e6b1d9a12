"""Tests the audit that a build machine runs beside the suite, and what `make setup` prints."""

import os
import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest

from core.installation import ROOT


def audited(folder: Path, script: str) -> str:
    """Returns what the audit prints with `script` in place of pip-audit; it never fails a build."""
    fake = folder / "pip-audit"
    fake.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exit 0\n{script}\n')
    fake.chmod(0o755)
    done = subprocess.run(
        [ROOT / ".ci/audit"], capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PIP_AUDIT": str(fake), "AUDIT_SECONDS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("exit 0", "requirements.lock: no known vulnerabilities"),
        ("echo 'Found 1 known vulnerability in 1 package'; exit 1", "Found 1 known vulnerability"),
        (
            "echo 'ConnectionError: no route to host' >&2; exit 1",
            "can't be reached, so nothing was looked up: ConnectionError",
        ),
        ("exec sleep 9", "no answer within 1 s"),
    ],
    ids=["clean", "found", "no network", "a network that hangs"],
)
def test_an_audit_says_what_it_found_and_fails_nothing(tmp_path: Path, script: str, expected: str):
    assert expected in audited(tmp_path, script)


def test_without_the_tool_it_says_so():
    done = subprocess.run(
        [ROOT / ".ci/audit"], capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PIP_AUDIT": "/nowhere/pip-audit"},
    )  # fmt: skip
    assert (done.returncode, "is not installed" in done.stdout) == (0, True)
    assert "\n.ci/audit\n" in (ROOT / ".ci/run").read_text()


def test_setup_shows_how_far_it_is():
    shown: list[str] = []
    install: dict[str, Any] = runpy.run_path(str(ROOT / ".ci/install.py"))
    lines = [f"Collecting package{number}==1.0 (from -r requirements.lock)" for number in range(1, 75)]
    install["progress"]([*lines, "Installing collected packages: a, b"], 74, shown.append)
    assert shown[0] == "  1 of 74: package1==1.0"
    assert shown[-2:] == ["  74 of 74: package74==1.0", "  unpacking 74 packages …"]
    assert install["packages"](ROOT / "requirements.lock") > 30


def test_setup_says_what_went_wrong(tmp_path: Path):
    lock = tmp_path / "broken.lock"
    lock.write_text("no such requirement ???\n")
    done = subprocess.run(
        [ROOT / ".venv/bin/python", ROOT / ".ci/install.py", lock],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "Invalid requirement" in done.stdout + done.stderr
