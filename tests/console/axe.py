"""axe-core, which checks the accessibility of a page: pinned in vendor.json, installed by
`python -m tests.console.axe`.
"""

import sys
from pathlib import Path

import pytest

from core.assets import complete, install
from core.npm import Unavailable

FOLDER = Path(__file__).parent
VENDOR = FOLDER / "vendor"


def script() -> str:
    """Returns axe-core, or skips the test if it is not installed."""
    if not complete(FOLDER, VENDOR):
        pytest.skip("axe-core is not installed: make test-console, with a network")
    return (VENDOR / "axe.js").read_text()


if __name__ == "__main__":
    try:
        install(print, folders=[FOLDER], vendor=VENDOR, what="axe-core, which tests the console")
    except Unavailable as error:
        print(f"axe-core is not installed: {error}. Tests that need it are skipped.", file=sys.stderr)
