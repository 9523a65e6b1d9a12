"""`postern` as an operator types it, on servers of the operator: each test has a database."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.process.serve import START, environment
from tests.support import prefork, servers

Command = Callable[..., "CompletedProcess[str]"]
KEYS = {"POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32}


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="postern-cli-"))
    yield made
    shutil.rmtree(made)


@pytest.fixture
def postern(folder: Path, database: str) -> Command:
    """Runs a command with the settings of an installation; changes by name, None takes one away."""

    def command(*words: str, **changes: str | None) -> "CompletedProcess[str]":
        variables = {"DB_STRING": database, "REDIS_URL": os.environ[servers.REDIS], **KEYS, **changes}
        set_variables = {name: value for name, value in variables.items() if value is not None}
        return prefork.run(
            ["postern", *words], cwd=folder, env=environment(folder, **set_variables), timeout=START
        )

    return command


@pytest.fixture
def line(postern: Command) -> Callable[..., str]:
    """The one line that a command fails with."""

    def refused(*words: str, **changes: str | None) -> str:
        done = postern(*words, **changes)
        assert done.returncode == 1, done.stdout + done.stderr
        (line,) = done.stderr.strip().splitlines()
        assert line.startswith("postern: ")
        assert done.stdout == ""
        return line

    return refused
