"""Tests requests while PostgreSQL is busy: another try where that is safe, a clean answer where it isn't."""

import asyncio

import asyncpg
import pytest
import sqlalchemy as sa

from core.errors import Conflict, Unavailable, ValidationFailed
from runtime.database_errors import retryable, sqlstate, translate
from runtime.operation import OPERATIONS
from runtime.retry import despite_conflicts, passing
from tests.support.waits import WAITING, until

pytestmark = pytest.mark.rotating


@pytest.fixture
async def rival(database):
    """Another transaction, by hand."""
    connection = await asyncpg.connect(database)
    yield connection
    await connection.close()


async def _waits(services):
    """Waits until a session waits for a lock."""
    await until(lambda: services.db.fetchval(WAITING))


@pytest.mark.exclusive  # the rival must wait before our second is over: who looks later is the victim
async def test_a_lost_deadlock_is_tried_again_and_counts_once(auth, ada, admin, services, rival):
    """The request holds the user and wants the user's logins; the rival holds a login and wants the user. The request
    has waited longer, so it is the first to look for a deadlock (after deadlock_timeout, a second), and its victim.
    """
    async with rival.transaction():
        await rival.execute("SELECT 1 FROM sessions WHERE user_id = $1 FOR UPDATE", ada.id)
        patch = asyncio.create_task(admin.rest("PATCH", f"/users/{ada.id}", json={"status": "suspended"}))
        await _waits(services)
        await rival.execute("UPDATE users SET locale = 'en' WHERE id = $1", ada.id)
    answer = await patch
    assert (answer.status_code, answer.json()["status"]) == (200, "suspended")
    assert await services.db.fetchval("SELECT token_version FROM users WHERE id = $1", ada.id) == 2
    assert await auth.me(ada.token) == "session_ended"


async def test_a_lock_that_is_never_given_up_is_a_503_in_time(make_settings, ada, services, rival):
    await services.db.fetch(
        f"ALTER DATABASE {await services.db.fetchval('SELECT current_database()')} SET lock_timeout = '100ms'"
    )
    services.db._arguments["server_settings"].pop("lock_timeout")
    await services.db.engine.dispose()
    async with rival.transaction():
        await rival.execute("SELECT 1 FROM users WHERE id = $1 FOR UPDATE", ada.id)
        answer = await ada.rest("PATCH", f"/users/{ada.id}", json={"displayName": "x"})
        assert (answer.status_code, answer.json()["code"]) == (503, "database_busy")
        update = 'mutation($id: ID!) { updateUser(id: $id, input: {displayName: "x"}) { uuid } }'
        assert await ada.code(update, {"id": str(ada.id)}) == "database_busy"
    assert (await ada.rest("PATCH", f"/users/{ada.id}", json={"displayName": "x"})).status_code == 200


async def test_a_pool_that_is_used_up_is_a_503_in_time(ada, services):
    services.db.engine.pool._timeout = 0.2
    held = [services.db.session() for _ in range(services.db.options.pool_size)]
    for session in held:
        await session.connection()
    answer = await ada.rest("PATCH", f"/users/{ada.id}", json={"displayName": "x"})
    assert (answer.status_code, answer.json()["code"]) == (503, "database_busy")
    for session in held:
        await session.close()
    assert (await ada.rest("PATCH", f"/users/{ada.id}", json={"displayName": "x"})).status_code == 200


async def _by_asyncpg(db):
    async with db.reading() as connection, connection.transaction():
        return dict(await connection.fetchrow("SELECT * FROM changed"))


async def _by_sqlalchemy(db):
    async with db.session() as session:
        return dict((await session.execute(sa.text("SELECT * FROM changed"))).mappings().one())


@pytest.mark.parametrize("read", [_by_asyncpg, _by_sqlalchemy])
async def test_a_transaction_beside_a_migration_is_tried_again(services, rival, read):
    """The migration changes a table of which the connection has a prepared statement."""
    await rival.execute("CREATE TABLE changed AS SELECT 1 AS one")
    assert await read(services.db) == {"one": 1}
    await rival.execute("ALTER TABLE changed ADD COLUMN two integer")
    errors = []

    async def work():
        try:
            return await read(services.db)
        except Exception as error:
            errors.append(error)
            raise

    assert await despite_conflicts(work) == {"one": 1, "two": None}
    (error,) = errors
    assert passing(error)
    assert translate(error).code == "database_busy"


STATES = [
    ("40001", Conflict, "concurrent_change"),
    ("40P01", Conflict, "concurrent_change"),
    ("55P03", Unavailable, "database_busy"),
    ("57014", Unavailable, "database_busy"),
    ("57P01", Unavailable, "database_unavailable"),
    ("57P03", Unavailable, "database_unavailable"),
    ("53300", Unavailable, "database_unavailable"),
    ("08006", Unavailable, "database_unavailable"),
    ("22021", ValidationFailed, "validation_failed"),
    ("22P05", ValidationFailed, "validation_failed"),
    ("22003", ValidationFailed, "validation_failed"),
    ("23505", None, None),
    ("42P01", None, None),
]


@pytest.mark.parametrize(("state", "kind", "code"), STATES)
def test_what_an_sqlstate_becomes(state, kind, code):
    bare = asyncpg.PostgresError("the whole story")
    bare.sqlstate = state
    wrapped = sa.exc.DBAPIError("SELECT 'secret'", {}, bare)
    for error in (bare, wrapped):
        assert sqlstate(error) == state
        assert retryable(error) == (state[:2] == "40")
        translated = translate(error)
        if kind is None:
            assert translated is None
        else:
            assert (type(translated), translated.code) == (kind, code)
            assert "story" not in translated.message
            assert "secret" not in translated.message


def test_what_is_no_database_error_stays_what_it_is():
    assert translate(ValueError("a bug")) is None
    assert translate(KeyError("a bug")) is None
    for error in (ConnectionRefusedError(), TimeoutError(), asyncpg.InterfaceError("closed")):
        assert translate(error).code == "database_unavailable"
    assert translate(sa.exc.TimeoutError("pool")).code == "database_busy"


def test_every_operation_says_what_it_needs():
    for name, entry in OPERATIONS.items():
        assert name == entry.name
        assert entry.mode in ("read", "write", "sql", "outside", "joined"), name
        assert not entry.idempotent or entry.mode in ("write", "sql", "joined"), name
