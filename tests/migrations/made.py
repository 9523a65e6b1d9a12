"""Migrations and functions of a test, in place of the real ones."""

import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from db import functions, migrate
from tests.support import servers

STEP = """
import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = {before!r}


def upgrade() -> None:
{work}
"""


class Steps:
    """Writes migrations, which follow one another, and files of functions."""

    def __init__(self, folder: Path) -> None:
        self.versions, self.functions = folder / "migrations" / "versions", folder / "functions"
        self._made: list[str] = []

    def __call__(self, *work: str) -> Path:
        """Writes the next migration. Returns its file."""
        revision, before = f"r{len(self._made)}", self._made[-1] if self._made else None
        body = "\n".join(f"    {line}" for line in work)
        file = self.versions / f"{revision}.py"
        file.write_text(STEP.format(revision=revision, before=before, work=body))
        self._made.append(revision)
        return file

    def function(self, name: str, text: str) -> Path:
        """Writes a file of functions. Returns it."""
        file = self.functions / f"{name}.sql"
        file.write_text(text)
        return file


@pytest.fixture
async def empty() -> AsyncIterator[str]:
    """The URL of a database with nothing in it."""
    name, url = f"empty_{uuid4().hex}", os.environ[servers.POSTGRES]
    connection = await asyncpg.connect(url)
    await connection.execute(f'CREATE DATABASE "{name}"')
    await connection.close()
    yield servers.named(url, name)
    await servers.drop(name)


@pytest.fixture
def steps(tmp_path: Path, monkeypatch: Any) -> Steps:
    """No migrations and no functions at first; the test writes them."""
    made = Steps(tmp_path)
    made.versions.mkdir(parents=True)
    made.functions.mkdir()
    shutil.copy(migrate._HERE / "env.py", made.versions.parent / "env.py")
    monkeypatch.setattr(migrate, "_HERE", made.versions.parent)
    monkeypatch.setattr(functions, "FOLDER", made.functions)
    return made


async def fetchval(url: str, query: str) -> Any:
    """Returns the first value of a query, on a connection of its own."""
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()
