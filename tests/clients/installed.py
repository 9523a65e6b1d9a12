"""Clients of others, installed once for all test processes (tools/sdk/generators.py).

Where they can't be had (no Node, no registry) the tests skip; a lock file that does not fit what it locks is a failure.
"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from core.npm import Unavailable
from tools.sdk import generators

OLDEST = 20  # Node's major release
LONG = 300.0  # seconds


def node() -> Path:
    """A folder with `node_modules`. Skips without Node, npm or a registry."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed; the clients need both")
    completed = subprocess.run(
        ["node", "--version"], check=False, capture_output=True, text=True, timeout=LONG
    ).stdout
    if not completed.startswith("v") or int(completed[1:].partition(".")[0]) < OLDEST:
        pytest.skip(f"this is Node {completed.strip()}; the clients need {OLDEST} or newer")
    return made(generators.node)


def python() -> Path:
    """The `bin` of a virtual environment. Skips without a registry."""
    return made(generators.python)


def made(make: Callable[[], Path]) -> Path:
    """Returns the folder that a step with a registry makes. Skips without one."""
    try:
        return make()
    except generators.WrongLock as error:
        pytest.fail(str(error))
    except Unavailable as error:
        pytest.skip(f"the clients can't be installed: {str(error)[-300:]}")
