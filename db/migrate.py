"""Migrates a database to the newest schema. There are no downgrades.

Alembic is imported only when it is needed, as its import takes longer than the rest of the check at a start.
"""

import ast
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from core.database_options import BadSettings

if TYPE_CHECKING:
    from alembic.config import Config

_HERE = Path(__file__).resolve().parent / "migrations"


def config(connection: Connection | None = None) -> "Config":
    """Returns Alembic's configuration for our migrations."""
    from alembic.config import Config

    made = Config()
    made.set_main_option("script_location", str(_HERE))
    made.set_main_option("file_template", "%%(year)d_%%(month).2d_%%(day).2d_%%(slug)s")
    made.attributes["connection"] = connection
    return made


async def upgrade(engine: AsyncEngine) -> None:
    """Migrates to the newest schema. Several processes may call it at once: one migrates, the others wait."""
    from alembic import command

    async with engine.connect() as connection:
        await connection.run_sync(lambda sync: command.upgrade(config(sync), "head"))


async def pending(engine: AsyncEngine) -> bool:
    """Returns whether the schema is not the newest. Raises BadSettings if it is newer than this release."""
    async with engine.connect() as connection:
        there = await connection.scalar(text("SELECT to_regclass('alembic_version') IS NOT NULL"))
        current = await connection.scalar(text("SELECT version_num FROM alembic_version")) if there else None
    revisions_here = revisions()
    if current is not None and current not in revisions_here:
        raise BadSettings(
            f"The database has schema {current}, which this release doesn't know: it is newer. "
            "Run the newer release, or restore a backup made with this one."
        )
    return bool(current != newest(revisions_here))


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


def newest(predecessors: dict[str, str | None]) -> str:
    """Returns the revision that no other one follows."""
    (head,) = set(predecessors) - set(predecessors.values())
    return str(head)
