"""No query of ours is compiled by LLVM, also on a server that has `jit = on`, as Debian's packages have it."""

from urllib.parse import urlsplit

import asyncpg
import pytest
from sqlalchemy import text

from core.database_options import DatabaseOptions
from core.ids import uuid7
from core.settings import Settings
from db.session import Database
from postern import operator
from postern.process import prepare
from runtime.services import services
from tests.support import servers
from tests.support.debian_postgres import debian_postgres

pytestmark = pytest.mark.servers

_SWITCHED = """
SELECT p.oid::regprocedure::text AS name, 'jit=off' = ANY(p.proconfig) AS never_compiled FROM pg_proc AS p
WHERE p.pronamespace = 'public'::regnamespace
  AND EXISTS (SELECT FROM unnest(p.proconfig) AS c (setting) WHERE c.setting LIKE 'enable\\_%')
"""
_COMPILED = "SELECT COALESCE(sum(jit_functions), 0)::int FROM pg_stat_statements"
_CHARGE = """
SELECT decision FROM postern_admit_messages($3, ARRAY[$1::uuid, $1], ARRAY[0.01, 0.02], ARRAY[false, false],
  ARRAY[$2::uuid, $2], ARRAY['send', 'send'], ARRAY[NULL::text, NULL], ARRAY[NULL::bigint, NULL],
  ARRAY[NULL::bytea, NULL], ARRAY[NULL::uuid, NULL], ARRAY[NULL::numeric, NULL], ARRAY['USD', 'USD'])
"""


async def test_functions_that_switch_planner_options_are_never_compiled(database: str) -> None:
    """A plan that needs what is switched off costs 10^10 more, and a server compiles what costs more than 10^5."""
    connection = await asyncpg.connect(database)
    try:
        rows = await connection.fetch(_SWITCHED)
    finally:
        await connection.close()
    assert "postern_lock_balance(uuid,boolean)" in {row["name"] for row in rows}
    assert [row["name"] for row in rows if not row["never_compiled"]] == []
    assert not [row["name"] for row in rows if row["name"].startswith("postern_admit_messages")]


@pytest.mark.parametrize(
    ("name", "of_debian", "ours"), [("jit", "on", "off"), ("random_page_cost", "4", "1.1")]
)
async def test_connections_have_settings_of_their_own(
    database: str, name: str, of_debian: str, ours: str
) -> None:
    connection = await asyncpg.connect(database)
    await connection.execute(f'ALTER DATABASE "{urlsplit(database).path[1:]}" SET {name} = {of_debian}')
    await connection.close()
    db, show = Database(database, DatabaseOptions(read_pool_size=1)), f"SHOW {name}"
    try:
        async with db.session() as session:
            assert await session.scalar(text(show)) == ours
        assert await db.fetchval(show) == ours
        assert await db.thread.run(lambda connection: connection.fetchval(show), 30) == ours
        pool = await db.pool(1)
        assert await pool.fetchval(show) == ours
        await pool.close()
    finally:
        await db.close()


async def test_a_charge_is_not_compiled_by_a_server_of_debian() -> None:
    with debian_postgres(
        {"shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.track": "all"}
    ) as url:
        settings = Settings(
            _env_file=None,
            db_string=url,
            redis_url=servers.redis_url(),
            secret_key="s" * 32,
            jwt_key="j" * 32,
        )
        await prepare(settings)
        async with services(settings) as opened:
            user = await operator.create_user(
                opened, "ada@example.com", admin=False, password="a password of hers"
            )
            await operator.credit(opened, "ada@example.com", "100", account_id=None, note="test")
        connection = await asyncpg.connect(url)
        try:
            await connection.execute("CREATE EXTENSION pg_stat_statements")
            assert await connection.fetchval("SHOW jit") == "on"
            account = await connection.fetchval("SELECT id FROM accounts WHERE owner_id = $1", user.id)
            for waits in (True, False):
                rows = await connection.fetch(_CHARGE, account, user.id, waits)
                assert [row["decision"] for row in rows] == ["admitted", "admitted"]
            assert await connection.fetchval("SELECT postern_move_balance($1, -0.03)", account)
            assert await connection.fetchval(_COMPILED) == 0
            await connection.execute("SET jit_above_cost = 0")
            await connection.fetch("SELECT count(*) FROM accounts WHERE id <> $1", uuid7())
            assert await connection.fetchval(_COMPILED) > 0  # else this test shows nothing
        finally:
            await connection.close()
