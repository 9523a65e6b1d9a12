"""The command `postern upgrade`: says what an upgrade will do to the database, or does it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer

from core.settings import Settings
from postern.command import fail, read_settings, run_command

_SIZES: Final = """
SELECT c.relname AS name, GREATEST(c.reltuples, 0)::bigint AS rows, pg_total_relation_size(c.oid) AS bytes
FROM pg_class AS c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
"""
_DATABASE: Final = "SELECT pg_database_size(current_database())"
_PROCESSES: Final = """
SELECT application_name AS name, count(DISTINCT COALESCE(client_addr::text, '')) AS machines FROM pg_stat_activity
WHERE datname = current_database() AND application_name IN ('postern', 'postern-worker', 'postern-sinks')
GROUP BY application_name ORDER BY application_name
"""
_KINDS: Final = {"postern": "API", "postern-worker": "worker", "postern-sinks": "sinks"}


@dataclass(frozen=True, slots=True)
class Outlook:
    """The state of the database before an upgrade, and the steps of the upgrade."""

    revision: str | None
    newest: str
    migrations: Sequence[tuple[str, str, Sequence[Any]]]  # name, sentence, the tables that it names
    functions: int
    processes: Sequence[Any]
    bytes: int


def upgrade(
    check: Annotated[
        bool, typer.Option("--check", help="says what will happen, and what to back up; changes nothing")
    ] = False,
) -> None:
    """Brings the database's schema up to this version, as `postern migrate` does, after it has said what that means."""
    from postern import process, servers

    settings = read_settings()

    async def run() -> bool:
        async with servers.attached(settings) as complete:
            outlook = await look(complete)
            _print(outlook, complete)
            if check or not (outlook.migrations or outlook.functions):
                return False
            if any(row["name"] != "postern" for row in outlook.processes):
                fail("Stop the workers first: they don't know the new schema. Then run this again.")
            return await process.prepare(complete)

    if run_command(run(), settings):
        typer.echo("\nThe schema was migrated, and is up to date.")


async def look(settings: Settings) -> Outlook:
    """Returns what an upgrade will do, and changes nothing. Raises BadSettings for a schema that it can't upgrade."""
    from core.database_options import BadSettings
    from db import migrate
    from db.session import Database

    db = Database.of(settings, "postern-upgrade")
    try:
        schema = await migrate.look(db.engine)
        if schema.unknown:
            raise BadSettings(f"{schema.unknown} {schema.cure}")
        tables = {row["name"]: row for row in await db.fetch(_SIZES)}
        pending = await asyncio.to_thread(migrate.since, schema.revision)
        return Outlook(
            schema.revision,
            schema.newest,
            [
                (
                    name,
                    sentence,
                    [tables[word] for word in sorted(words & tables.keys()) if tables[word]["rows"]],
                )
                for name, sentence, words in pending
            ],
            len(schema.functions),
            await db.fetch(_PROCESSES),
            await db.fetchval(_DATABASE),
        )
    finally:
        await db.close()


def _print(outlook: Outlook, settings: Settings) -> None:
    from core.version import __version__

    typer.echo(f"version    {__version__}")
    if outlook.revision is None:
        typer.echo("schema     none: the database is empty, and gets all tables")
        return
    typer.echo(f"schema     {outlook.revision}, and this version needs {outlook.newest}")
    for name, sentence, tables in outlook.migrations:
        typer.echo(f"           {name}: {sentence}")
        for table in tables:
            typer.echo(
                f"             names {table['name']} ({_count(table['rows'], 'row')}, {_size(table['bytes'])})"
            )
    if outlook.functions:
        typer.echo(
            f"           {_count(outlook.functions, 'function')} of the database to replace, in a moment"
        )
    if not outlook.migrations and not outlook.functions:
        typer.echo("           Nothing is to be done.")
        return
    for row in outlook.processes:
        what = _KINDS[row["name"]]
        advice = "may go on" if what == "API" else "must be stopped first"
        typer.echo(f"running    {what} processes on {_count(row['machines'], 'machine')}: they {advice}")
    typer.echo(f"back up    the database ({_size(outlook.bytes)}): postern backup FILE")
    files = "the bucket of POSTERN_FILES_URL" if settings.files_url else f"{settings.data_dir}/files"
    typer.echo(f"           {files}, and the keys; migrations go forward only")


def _size(bytes: int) -> str:
    size, names = bytes, ["B", "kB", "MB", "GB"]
    while size >= 10_000 and len(names) > 1:
        size //= 1000
        del names[0]
    return f"{size:,} {names[0]}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
