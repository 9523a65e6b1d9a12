"""Tests the audit that a build machine runs beside the suite, and what `make setup` prints."""

import os
import re
import runpy
import shutil
import subprocess
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from core.installation import ROOT

pytestmark = pytest.mark.servers


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


def _packages(folder: Path, installs: str, *present: str) -> tuple[str, str]:
    """Returns what the script prints on a machine with these programs, and how it called apt-get."""
    programs = {
        "id": "echo 0",
        "apt-get": f'echo "$* $([ -x "$POLICY" ] && echo quietly)" >>{folder}/calls; {installs}',
        **dict.fromkeys(present, ":"),
    }
    for name, script in programs.items():
        (folder / name).write_text(f"#!/bin/bash\n{script}\n")
        (folder / name).chmod(0o755)
    for name in ("bash", "timeout", "chmod", "rm"):
        (folder / name).symlink_to(str(shutil.which(name)))
    done = subprocess.run(
        [ROOT / ".ci/packages"], capture_output=True, text=True, timeout=60, check=False,
        env={"PATH": str(folder), "POLICY": str(folder / "policy")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not (folder / "policy").exists()
    calls = folder / "calls"
    return done.stdout, calls.read_text() if calls.exists() else ""


def test_what_is_missing_is_installed_and_starts_no_service(tmp_path: Path):
    said, calls = _packages(tmp_path, ":", "google-chrome", "pgbouncer")
    assert said == ""
    assert calls.splitlines() == [
        "update -qq quietly",
        "install -y -qq --no-install-recommends redis-server quietly",
    ]
    assert "\n.ci/packages\n" in (ROOT / ".ci/run").read_text()


def test_what_cannot_be_installed_fails_no_build(tmp_path: Path):
    said, calls = _packages(tmp_path, '[[ "$*" != *redis* ]]', "pgbouncer")
    assert (
        said == "packages: the installation of redis-server failed, so the tests that need it are skipped\n"
    )
    assert len(calls.splitlines()) == 3
    (tmp_path / "none").mkdir()
    assert _packages(tmp_path / "none", ":", "chromium", "redis-server", "pgbouncer") == ("", "")


def test_setup_shows_how_far_it_is():
    shown: list[str] = []
    install: dict[str, Any] = runpy.run_path(str(ROOT / ".ci/install.py"))
    lines = [f"Collecting package{number}==1.0 (from -r requirements.lock)" for number in range(1, 75)]
    install["progress"]([*lines, "Installing collected packages: a, b"], 74, shown.append)
    assert shown[0] == "  1 of 74: package1==1.0"
    assert shown[-2:] == ["  74 of 74: package74==1.0", "  unpacking 74 packages …"]
    assert install["packages"](ROOT / "requirements.lock") > 30


LOCK = """\
a==1.0 \\
    --hash=sha256:aa \\
    --hash=sha256:ab
b==2.0 ; sys_platform == 'linux' \\
    --hash=sha256:bb
c==3.0 \\
    --hash=sha256:cc
"""


def test_a_lock_leaves_out_what_the_main_one_pins_just_so():
    script: dict[str, Any] = runpy.run_path(str(ROOT / ".ci/lock_difference.py"))
    c = script["entries"](LOCK)[2]
    assert script["difference"](LOCK, "".join(script["entries"](LOCK)[:2])) == c
    assert script["difference"](LOCK, LOCK) == ""
    for other in ("c==3.1", "c==3.0 ; python_version < '4'"):  # another version or marker, and another hash
        assert script["difference"](LOCK, LOCK.replace("c==3.0", other)) == c
    assert script["difference"](LOCK, LOCK.replace("cc\n", "cd\n")) == c


def test_no_package_is_in_two_locks():
    """pip would install one over the other."""
    names = {
        name: set(re.findall(r"^([\w.-]+)==", (ROOT / name).read_text(), re.MULTILINE))
        for name in ("requirements.lock", "requirements-dev.lock", "requirements-whatsapp.lock")
    }
    main, *others = names.values()
    assert all(others)
    assert [sorted(main & other) for other in others] == [[], []]


def test_setup_says_what_went_wrong(tmp_path: Path):
    lock = tmp_path / "broken.lock"
    lock.write_text("no such requirement ???\n")
    done = subprocess.run(
        [ROOT / ".venv/bin/python", ROOT / ".ci/install.py", lock],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "Invalid requirement" in done.stdout + done.stderr


def _wheel(folder: Path, name: str, version: str, *lines: str) -> str:
    """Writes an empty package; returns its line of a lock."""
    wheel, info = folder / f"{name}-{version}-py3-none-any.whl", f"{name}-{version}.dist-info"
    metadata = "\n".join((f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}", *lines, ""))
    kind = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(wheel, "w") as archive:
        for file, text in (("METADATA", metadata), ("WHEEL", kind), ("RECORD", "")):
            archive.writestr(f"{info}/{file}", text)
    return f"{name}=={version} --hash=sha256:{sha256(wheel.read_bytes()).hexdigest()}\n"


def test_a_newer_release_of_a_pinned_package_stops_no_setup(tmp_path: Path):
    """pip 23 looked for the newest `measure` where `plugin` asks for its extra, and had no hash of that release."""
    pinned = _wheel(tmp_path, "measure", "1.0", "Provides-Extra: toml")
    _wheel(tmp_path, "measure", "2.0", "Provides-Extra: toml")
    lock = tmp_path / "pinned.lock"
    lock.write_text(pinned + _wheel(tmp_path, "plugin", "1.0", "Requires-Dist: measure[toml]>=1.0"))
    done = subprocess.run(
        [ROOT / ".venv/bin/python", ROOT / ".ci/install.py", lock],
        capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path), "PIP_TARGET": str(tmp_path / "here")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "here/measure-1.0.dist-info").is_dir()
