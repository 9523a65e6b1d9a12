"""The console's own tests, which need no browser: its logic by vitest, and the size of what a first visit loads."""

import shutil
import subprocess
from pathlib import Path

import pytest

from core.console_build import SOURCE

pytestmark = pytest.mark.servers

_INSTALLED = SOURCE / "node_modules" / ".installed"


@pytest.fixture
def npm() -> str:
    """The program npm, if what tests the console is installed."""
    program = shutil.which("npm")
    if program is None or not _INSTALLED.exists():
        pytest.skip(
            "what tests the console's source is not installed: make console-tools, with npm and a network"
        )
    return program


def _run(npm: str, *words: str, cwd: Path = SOURCE) -> str:
    done = subprocess.run([npm, *words], cwd=cwd, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_logic(npm: str):
    assert "passed" in _run(npm, "test", "--silent")


def test_a_first_visit_loads_less_than_250_kilobytes(npm: str, tmp_path: Path):
    copy = tmp_path / "console"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("node_modules", "dist"))
    (copy / "node_modules").symlink_to(SOURCE / "node_modules")
    _run(npm, "run", "build", cwd=copy)
    assert "first load" in _run(npm, "run", "--silent", "sizes", cwd=copy).lower()
