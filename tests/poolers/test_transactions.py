"""The API processes reach PostgreSQL through a pooler that gives each transaction another session."""

import asyncio
import time

import pytest
from sqlalchemy import text

from core.database_options import BadSettings
from db.pooler import shares_sessions
from db.session import Database
from tests.doctor.looking import look
from tests.support.pgbouncer import Pooler
from tests.support.waits import PATIENCE

SMS = {"to": "+14155550100", "channel": "sms", "body": "x"}


async def test_requests_at_once_share_two_connections(ada, services):
    assert await shares_sessions(services.db), "this is a pooler in transaction mode"
    answers = await asyncio.gather(*(ada.rest("POST", "/messages", json=SMS) for _ in range(20)))
    assert [answer.status_code for answer in answers] == [202] * 20
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 20
    sessions = await services.db.fetchval(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'postern'"
    )
    assert sessions <= 2


async def test_what_needs_a_session_goes_past_the_pooler(services):
    pool = await services.db.pool(1)
    async with pool.acquire() as connection:
        first = await connection.fetchval("SELECT pg_backend_pid()")
        await connection.execute("SET work_mem = '7MB'")
        await services.db.fetchval("SELECT 1")
        assert await connection.fetchval("SELECT current_setting('work_mem')") == "7MB"
        assert await connection.fetchval("SELECT pg_backend_pid()") == first
        assert await connection.fetchval("SELECT current_setting('jit')") == "off"
    await pool.close()


async def test_a_statement_that_waits_for_a_connection_of_the_pooler_goes_on(services):
    """The server answers, so no connection is aborted, however long the two of the pooler are in use."""
    patient = services.db.options.connect_timeout * 1.5
    busy = [services.db.fetchval("SELECT 1 FROM pg_sleep($1)", patient) for _ in range(4)]
    assert await asyncio.gather(*busy) == [1] * 4
    async with services.db.session() as session:
        assert await session.scalar(text("SELECT 2")) == 2


async def test_a_pooler_that_died_is_named_and_found_again(ada, services, settings, pooler: Pooler):
    assert (await ada.rest("POST", "/messages", json=SMS)).status_code == 202
    pooler.kill()
    refused = await ada.rest("POST", "/messages", json=SMS)
    assert (refused.status_code, refused.json()["code"]) == (503, "database_unavailable")
    assert (await ada.client.get("/health/v2")).status_code == 503
    seen = await look(settings)
    assert seen.one("PostgreSQL").startswith("✓")
    line = seen.one("pooler")
    assert line.startswith("✗")
    assert f"127.0.0.1:{pooler.port}" in line
    pooler.start()
    async with asyncio.timeout(PATIENCE):
        while (await ada.rest("POST", "/messages", json=SMS)).status_code != 202:
            await asyncio.sleep(0.1)


@pytest.mark.alone
async def test_a_server_that_hangs_behind_the_pooler_is_given_up_in_seconds(ada, services, network):
    """The pooler itself answers, so the watch asks the server past it."""
    operations = (
        ("GET", "/accounts", None),
        ("POST", "/accounts", {"name": "x"}),
        ("POST", "/messages", SMS),
    )
    for method, path, body in operations:
        assert (await ada.rest(method, path, json=body)).status_code // 100 == 2
    network.silence(new=True)
    try:
        begun = time.monotonic()
        answers = await asyncio.gather(
            *(ada.rest(method, path, json=body) for method, path, body in operations)
        )
        seconds = time.monotonic() - begun
    finally:
        network.restore()
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {
        (503, "database_unavailable")
    }
    assert seconds < services.db.options.statement_timeout * 2 / 3


@pytest.mark.parametrize("name", ["DB_STRING", "DB_DIRECT_STRING"])
def test_an_error_names_the_setting_that_is_wrong(make_settings, name):
    right, wrong = "postgresql://me@h/x", "postgresql://me@h/x?sslmode=maybe"
    urls = {"DB_STRING": right, "DB_DIRECT_STRING": right, name: wrong}
    settings = make_settings(db_string=urls["DB_STRING"], db_direct_string=urls["DB_DIRECT_STRING"])
    with pytest.raises(BadSettings, match=f"^sslmode of {name} must"):
        Database.of(settings, "postern", pooler=True)
