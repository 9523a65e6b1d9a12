"""Migrates a database to the newest schema: the migrations, then the functions. There are no downgrades.

Alembic is imported only when it is needed, as its import takes longer than the rest of the check at a start.
"""

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from core.database_options import BadSettings
from db import functions

if TYPE_CHECKING:
    from alembic.config import Config

BASELINE = "0091"
"""The first revision. Those before it counted up to it, with four digits."""
COMMIT_BEFORE = "f1474a68b9fee22009d446be03255eeaac1ae5dd"
"""The last commit that has the migrations before it."""

_HERE = Path(__file__).resolve().parent / "migrations"
_LOCK = 7_261_551  # any constant: two processes that start together migrate one after the other


class Schema(NamedTuple):
    """The schema that a database has, against the one that this release needs."""

    revision: str | None  # None: the database is empty
    newest: str
    functions: list[str]  # the changed ones
    unknown: str | None = None  # why this release can't use the database
    cure: str | None = None

    @property
    def is_pending(self) -> bool:
        return self.revision != self.newest or bool(self.functions)


def config(connection: Connection | None = None) -> "Config":
    """Returns Alembic's configuration for our migrations."""
    from alembic.config import Config

    made = Config()
    made.set_main_option("script_location", str(_HERE))
    made.set_main_option("file_template", "%%(rev)s")
    made.attributes["connection"] = connection
    return made


async def upgrade(engine: AsyncEngine) -> None:
    """Migrates to the newest schema. Several processes may call it at once: one migrates, the others wait."""
    async with engine.connect() as connection:
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    """Runs the migrations and applies the functions under one advisory lock, with a bounded wait for tables."""
    from alembic import command

    connection.execute(text("SET statement_timeout = 0"))
    # The wait for the other process has no bound: it migrates for both.
    connection.execute(text("SET lock_timeout = 0"))
    connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": _LOCK})
    connection.execute(text("SET lock_timeout = '10s'"))
    connection.commit()
    try:
        command.upgrade(config(connection), "head")
        connection.rollback()
        functions.apply(connection)
    finally:
        connection.rollback()
        connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": _LOCK})
        connection.commit()


async def pending(engine: AsyncEngine) -> bool:
    """Returns whether the schema is not the newest. Raises BadSettings if it is newer than this release, or older than
    its first migration.
    """
    schema = await look(engine)
    if schema.unknown:
        raise BadSettings(f"{schema.unknown} {schema.cure}")
    return schema.is_pending


async def look(engine: AsyncEngine) -> Schema:
    """Returns which schema the database has."""
    async with engine.connect() as connection:
        there = await connection.scalar(text("SELECT to_regclass('alembic_version') IS NOT NULL"))
        revision = await connection.scalar(text("SELECT version_num FROM alembic_version")) if there else None
        applied = (
            [(row.name, row.sha256) for row in await connection.execute(text(functions.APPLIED))]
            if await connection.scalar(text(functions.THERE))
            else []
        )
    revisions_here, compared = revisions(), functions.compare(applied)
    schema = Schema(revision, newest(revisions_here), compared.changed)
    if revision is not None and revision not in revisions_here:
        unknown = f"The database has schema {revision}, which this release doesn't know: it is "
        if re.fullmatch(r"\d{4}", revision) and revision < BASELINE:
            cure = f"Check out commit {COMMIT_BEFORE}, run its `postern migrate`, and then this release."
            return schema._replace(unknown=f"{unknown}from before the first release.", cure=cure)
        cure = "Run the newer release, or restore a backup made with this one."
        return schema._replace(unknown=f"{unknown}newer.", cure=cure)
    if compared.replaced:
        names = ", ".join(compared.replaced)
        return schema._replace(
            unknown=f"The database has newer functions than this release: {names}.",
            cure="Run the newer release. To apply this release's text again, for example because you have taken back a"
            " change of it, delete the rows of that name in schema_functions.",
        )
    return schema


def revisions() -> dict[str, str | None]:
    """Returns every revision of this release with the one before it, parsed from the files without running them."""
    predecessors = {}
    for path in (_HERE / "versions").glob("*.py"):
        assigned = {
            node.targets[0].id: ast.literal_eval(node.value)
            for node in ast.parse(path.read_text(encoding="utf-8")).body
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id in ("revision", "down_revision")
        }
        predecessors[assigned["revision"]] = assigned["down_revision"]
    return predecessors


def since(revision: str | None) -> list[tuple[str, str, set[str]]]:
    """Returns the migrations after a revision, in their order: name, first sentence, and the words of their text."""
    predecessors, following = revisions(), list[str]()
    current: str | None = newest(predecessors)
    while current is not None and current != revision:
        following.append(current)
        current = predecessors[current]
    migrations = []
    for name in reversed(following):
        file = "0001_baseline" if name == BASELINE else name
        content = (_HERE / "versions" / f"{file}.py").read_text(encoding="utf-8")
        sentence = (ast.get_docstring(ast.parse(content)) or "").partition("\n\n")[0].replace("\n", " ")
        migrations.append((name, sentence, set(re.findall(r"\w+", content))))
    return migrations


def newest(predecessors: dict[str, str | None]) -> str:
    """Returns the revision that no other one follows."""
    (head,) = set(predecessors) - set(predecessors.values())
    return str(head)
