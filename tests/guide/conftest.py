"""The guide, built once for all of its tests."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.installation import ROOT
from tests.support.browser import browser

__all__ = ["browser"]


def build(folder: Path) -> Path:
    """Builds the guide there. A link that leads nowhere, or a page that the navigation lacks, fails."""
    done = subprocess.run(
        [sys.executable, "-m", "tools.guide", str(folder)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.fixture(scope="package")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("guide") / "built")


@pytest.fixture
def served(built: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr("rest.guide.GUIDE", built)
    yield built
