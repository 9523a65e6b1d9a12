"""PostgreSQL hangs while connections to it are open: they answer nothing more, and nobody closes them."""

import asyncio
import time
from urllib.parse import urlsplit

import asyncpg
import pytest
from sqlalchemy import text

from tests.support.tcp import Network, serving
from tests.support.waits import PATIENCE

pytestmark = pytest.mark.rotating

SMS = {"to": "+14155550100", "channel": "sms", "body": "x"}


@pytest.fixture
async def network(database):
    there = urlsplit(database)
    made = Network(there.hostname, there.port)
    async with serving(made.serve) as made.port:
        yield made


@pytest.fixture
def settings(make_settings, database, network, tmp_path):
    """The times are those of an operator who sets none."""
    (tmp_path / "database.toml").write_text('[database]\ntls = "disable"\n')
    there = urlsplit(database)
    netloc = f"{there.netloc.rpartition('@')[0]}@127.0.0.1:{network.port}"
    return make_settings(db_string=there._replace(netloc=netloc).geturl())


async def _timed(ada, method, path, body=None):
    begun = time.monotonic()
    answer = await ada.rest(method, path, json=body)
    return path, answer.status_code, answer.json().get("code"), round(time.monotonic() - begun, 1)


@pytest.mark.alone
async def test_reads_and_writes_are_refused_long_before_a_statement_may_end(ada, services, network):
    operations = (
        ("GET", "/accounts"),
        ("GET", f"/accounts/{ada.account_id}/balance"),
        ("POST", "/accounts", {"name": "x"}),
        ("POST", "/messages", SMS),
    )
    warm = await asyncio.gather(*(_timed(ada, *operation) for operation in operations))
    assert {status // 100 for _, status, _, _ in warm} == {2}
    network.silence(new=True)
    try:
        answers = await asyncio.gather(*(_timed(ada, *operation) for operation in operations))
    finally:
        network.restore()
    assert {(status, code) for _, status, code, _ in answers} == {(503, "database_unavailable")}
    longest = max(seconds for _, _, _, seconds in answers)
    assert longest < services.db.options.statement_timeout * 2 / 3, answers
    assert (await ada.rest("GET", "/accounts")).status_code == 200


@pytest.mark.alone
async def test_a_slow_statement_of_a_server_that_answers_goes_on(ada, services):
    patient = services.db.options.connect_timeout * 1.5
    assert await services.db.fetchval("SELECT 1 FROM pg_sleep($1)", patient) == 1
    async with services.db.session() as session:
        assert await session.scalar(text(f"SELECT 1 FROM pg_sleep({patient})")) == 1


async def test_a_connection_that_only_listens_is_closed_too(services, network):
    """Nothing waits on it, so it would stay open, while another host of DB_STRING may have become the primary."""
    pool = await services.db.pool(1)
    listening, closed = await pool.acquire(), asyncio.Event()
    await listening.execute("LISTEN jobs")
    listening.add_termination_listener(lambda _: closed.set())
    await services.db.fetchval("SELECT 1")
    network.silence(new=True)
    try:
        with pytest.raises((OSError, asyncpg.PostgresError)):
            await services.db.fetchval("SELECT 1")
        await asyncio.wait_for(closed.wait(), PATIENCE)
    finally:
        network.restore()
        pool.terminate()
    assert await services.db.fetchval("SELECT 1") == 1
