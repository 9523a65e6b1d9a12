"""The functions of the database are those of db/functions/: a changed file is applied once, together with others."""

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import asyncpg
import pytest

from core.database_options import BadSettings
from core.installation import ROOT
from db import functions, migrate
from postern import process
from tests.migrations.made import Steps, empty, fetchval, steps

__all__ = ["empty", "steps"]

ONE = "CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql AS $$ SELECT {} $$;"
TWO = "CREATE OR REPLACE FUNCTION two() RETURNS int LANGUAGE sql RETURN one() + 1;"
APPLIED = "SELECT string_agg(name, ' ' ORDER BY applied_at) FROM schema_functions"

FUNCTIONS = """
SELECT p.oid::regprocedure::text AS name, pg_get_functiondef(p.oid) AS definition, p.xmin::text AS written_by
FROM pg_proc AS p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f' AND p.proname NOT LIKE '%pgqueuer%'
"""
TRIGGERS = """
SELECT tgrelid::regclass || '.' || tgname AS name, pg_get_triggerdef(oid) AS definition,
  format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS dropping
FROM pg_trigger WHERE NOT tgisinternal AND tgparentid = 0
"""


def defined(text: str) -> list[str]:
    return re.findall(r"^CREATE OR REPLACE FUNCTION (\w+)\(", text, re.MULTILINE)


async def differences(connection: asyncpg.Connection) -> set[str]:
    """Returns the functions and triggers that the database has otherwise than the files define them, or alone.

    All files are applied again, without the triggers that are there, in a transaction that is rolled back.
    """
    transaction = connection.transaction()
    await transaction.start()
    try:
        before = {row["name"]: row["definition"] for row in await connection.fetch(FUNCTIONS)}
        triggers = await connection.fetch(TRIGGERS)
        for row in triggers:
            await connection.execute(row["dropping"])
        for text in functions.texts().values():
            await connection.execute(text)
        rows = await connection.fetch(FUNCTIONS)
        own = await connection.fetchval("SELECT pg_current_xact_id()::text")
        after = {row["name"]: row["definition"] for row in rows}
        in_files = {row["name"] for row in rows if row["written_by"] == own}
        was = {row["name"]: row["definition"] for row in triggers}
        now = {row["name"]: row["definition"] for row in await connection.fetch(TRIGGERS)}
    finally:
        await transaction.rollback()
    changed = {name for name in {**before, **after} if before.get(name) != after.get(name)}
    return (
        changed
        | (after.keys() - in_files)
        | {name for name in {**was, **now} if was.get(name) != now.get(name)}
    )


@pytest.fixture
async def connection(database: str) -> Any:
    connection = await asyncpg.connect(database)
    yield connection
    await connection.close()


async def test_the_database_has_what_the_files_define(connection: asyncpg.Connection) -> None:
    assert len(await connection.fetch(FUNCTIONS)) > 90
    assert len(await connection.fetch(TRIGGERS)) > 90
    assert await differences(connection) == set()


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("ALTER FUNCTION postern_runs() SET jit = off", "postern_runs()"),
        (
            "CREATE OR REPLACE FUNCTION postern_uuid7() RETURNS uuid RETURN gen_random_uuid()",
            "postern_uuid7()",
        ),
        ("CREATE FUNCTION mine() RETURNS int RETURN 1", "mine()"),
        ("DROP FUNCTION postern_utc(timestamptz)", "postern_utc(timestamp with time zone)"),
        ("DROP TRIGGER touch ON message_records", "message_records.touch"),
        ("DROP TRIGGER audit ON users", "users.audit"),
        (
            "CREATE TRIGGER mine BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION postern_touch()",
            "users.mine",
        ),
        ("ALTER TRIGGER keep ON accounts RENAME TO kept", "accounts.kept"),
    ],
)
async def test_what_the_database_has_otherwise_is_found(
    connection: asyncpg.Connection, statement: str, name: str
) -> None:
    await connection.execute(statement)
    assert name in await differences(connection)


def test_a_file_defines_the_function_of_its_name_and_says_what_it_is_for() -> None:
    owners: dict[str, str] = {}
    for name, text in functions.texts().items():
        if name.endswith(" triggers"):
            assert defined(text) == []
            continue
        assert name in defined(text), name
        assert re.match(r"-- [A-Z]", text), name
        assert not re.search("^CREATE OR REPLACE TRIGGER", text, re.MULTILINE), name
        for function in {*defined(text)}:
            assert owners.setdefault(function, name) == name, "its text stands in one file"
        assert "DROP " not in text, name
        assert len(re.findall(r"\bCREATE (?!OR REPLACE|CONSTRAINT TRIGGER)", text)) == 0, name


def scripts() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "db").rglob("*.sql")):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def test_scripts_are_as_short_as_other_files() -> None:
    for path, text in scripts():
        assert text.count("\n") <= 400, path
        assert max(map(len, text.split("\n"))) <= 120, path


async def test_a_changed_file_is_applied_once(empty: str, make_settings: Any, steps: Steps) -> None:
    settings = make_settings(db_string=empty)
    steps("pass")
    steps.function("two", TWO)
    steps.function("one", ONE.format(1))
    assert await process.prepare(settings)
    assert not await process.prepare(settings)
    assert await fetchval(empty, "SELECT two()") == 2
    assert await fetchval(empty, APPLIED) == "one two", "a file comes after what it names"
    await process.prepare(settings)
    assert await fetchval(empty, APPLIED) == "one two"
    steps.function("one", ONE.format(5))
    await process.prepare(settings)
    assert await fetchval(empty, "SELECT two()") == 6
    assert await fetchval(empty, APPLIED) == "one two one"


async def test_an_error_in_one_file_leaves_all_as_it_was(
    empty: str, make_settings: Any, steps: Steps
) -> None:
    settings = make_settings(db_string=empty)
    steps("pass")
    steps.function("one", ONE.format(1))
    await process.prepare(settings)
    steps('op.execute("CREATE TABLE made (id int)")')
    steps.function("one", ONE.format(5))
    broken = steps.function("two", TWO.replace("one()", "gone()"))
    with pytest.raises(Exception, match="gone"):
        await process.prepare(settings)
    assert await fetchval(empty, "SELECT one()") == 1
    assert await fetchval(empty, APPLIED) == "one"
    assert await fetchval(empty, "SELECT to_regclass('made') IS NOT NULL"), (
        "a migration is a transaction of its own"
    )
    broken.unlink()
    await process.prepare(settings)
    assert await fetchval(empty, "SELECT one()") == 5


async def test_triggers_are_a_transaction_of_their_own(empty: str, make_settings: Any, steps: Steps) -> None:
    settings = make_settings(db_string=empty)
    steps('op.execute("CREATE TABLE made (id int)")')
    trigger = (
        "CREATE OR REPLACE TRIGGER {} BEFORE UPDATE ON {} FOR EACH ROW"
        " EXECUTE FUNCTION suppress_redundant_updates_trigger();"
    )
    steps.function("one", ONE.format(1) + "\n\n-- Triggers\n" + trigger.format("kept", "made"))
    broken = steps.function("two", TWO + "\n\n-- Triggers\n" + trigger.format("lost", "gone"))
    with pytest.raises(Exception, match="gone"):
        await process.prepare(settings)
    assert await fetchval(empty, APPLIED) == "one two one triggers"
    broken.write_text(TWO + "\n\n-- Triggers\n" + trigger.format("found", "made"))
    await process.prepare(settings)
    assert await fetchval(empty, APPLIED) == "one two one triggers two triggers"
    assert (
        await fetchval(empty, "SELECT string_agg(tgname, ' ' ORDER BY oid) FROM pg_trigger") == "kept found"
    )


async def test_two_processes_at_once_apply_a_file_once(empty: str, make_settings: Any, steps: Steps) -> None:
    steps("pass")
    steps.function("one", ONE.format(1) + "\nCREATE SEQUENCE IF NOT EXISTS times; SELECT nextval('times');")
    await asyncio.gather(*(process.prepare(make_settings(db_string=empty)) for _ in range(4)))
    assert await fetchval(empty, "SELECT last_value FROM times") == 1
    assert await fetchval(empty, APPLIED) == "one"


async def test_a_release_before_does_not_bring_its_text_back(
    empty: str, make_settings: Any, steps: Steps
) -> None:
    settings = make_settings(db_string=empty)
    steps("pass")
    steps.function("one", ONE.format(1))
    await process.prepare(settings)
    steps.function("one", ONE.format(5))
    await process.prepare(settings)
    steps.function("one", ONE.format(1))
    with pytest.raises(BadSettings, match="newer functions than this release: one"):
        await process.prepare(settings)
    assert await fetchval(empty, "SELECT one()") == 5
    await fetchval(empty, "DELETE FROM schema_functions WHERE name = 'one'")  # as the message says
    await process.prepare(settings)
    assert await fetchval(empty, "SELECT one()") == 1


async def test_changed_functions_are_pending(services: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = services.db.engine
    assert not await migrate.pending(engine)
    texts = functions.texts()
    monkeypatch.setattr(functions, "texts", lambda: {**texts, "postern_runs": "-- Another one."})
    assert (await migrate.look(engine)).functions == ["postern_runs"]
    assert await migrate.pending(engine)
    monkeypatch.undo()
    await services.db.fetch("DROP TABLE schema_functions")
    assert (await migrate.look(engine)).functions == [*texts]


def test_functions_that_name_each_other_have_no_order(steps: Steps) -> None:
    steps.function("one", ONE.format("two()"))
    steps.function("two", TWO)
    with pytest.raises(ValueError, match="cycle"):
        functions.texts()
