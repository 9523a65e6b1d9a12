"""Two servers, of which one is a standby: the primary is found, and found again when it has become the other."""

import asyncio
import os
import signal
import time
from urllib.parse import urlsplit

import asyncpg
import pytest

from core.database_options import DatabaseOptions
from db.session import Database
from tests.doctor.looking import look
from tests.support.people import PASSWORD
from tests.support.waits import PATIENCE, freeze

pytestmark = pytest.mark.rotating

SMS = {"to": "+14155550100", "channel": "sms", "body": "x"}


def both(first: str, second: str, query: str = "") -> str:
    """The URL of two servers, the first of them tried first."""
    one, two = urlsplit(first), urlsplit(second)
    return f"postgresql://{one.netloc},{two.netloc.rpartition('@')[2]}{one.path}{query}"


@pytest.fixture
async def database(pair) -> str:
    primary, standby = pair
    return both(standby.url, primary.url)


@pytest.fixture
def settings(make_settings, tmp_path):
    (tmp_path / "database.toml").write_text("[database]\nconnect_timeout = 2\npool_timeout = 10\n")
    return make_settings()


async def test_the_standby_takes_over(ada, services, pair):
    primary, standby = pair
    assert (await ada.rest("POST", "/messages", json=SMS)).status_code == 202
    assert (await ada.rest("GET", "/auth/me")).status_code == 200
    jobs = await services.db.pool(2)
    ports = {
        await services.db.fetchval("SELECT inet_server_port()"),
        await jobs.fetchval("SELECT inet_server_port()"),
    }
    assert ports == {urlsplit(primary.url).port}, "the standby, which stands first, is left out"
    await jobs.close()

    primary.kill()
    refused = await ada.rest("POST", "/accounts", json={"name": "x"})
    assert (refused.status_code, refused.json()["code"]) == (503, "database_unavailable")
    standby.promote()

    async def again() -> int:
        # What was written on the primary after the copy is not on this standby, so the person is a new one.
        body = {"email": "eve@example.com", "password": PASSWORD}
        return (await ada.client.post("/auth/register", json=body)).status_code

    async with asyncio.timeout(PATIENCE):
        while (status := await again()) == 503:
            await asyncio.sleep(0.1)
    assert status in (200, 201), "no restart was needed"
    assert await services.db.fetchval("SELECT inet_server_port()") == urlsplit(standby.url).port
    assert (await ada.client.get("/health/v2")).json()["status"] in ("ok", "degraded")


async def test_a_host_that_hangs_leaves_the_others_their_time(pair):
    primary, standby = pair
    db = Database(both(standby.url, primary.url), DatabaseOptions(connect_timeout=2))
    freeze(standby.pid)
    try:
        begun = time.monotonic()
        assert await db.fetchval("SELECT inet_server_port()") == urlsplit(primary.url).port
        assert time.monotonic() - begun > 1.9
        begun = time.monotonic()
        for _ in range(3):
            await db.probe()
        assert time.monotonic() - begun < 2, "the one that did is tried first from then on"
    finally:
        os.kill(standby.pid, signal.SIGCONT)
        await db.close()


async def test_only_standbys(pair):
    _, standby = pair
    for attributes in ("read-write", "primary"):
        db = Database(f"{standby.url}?target_session_attrs={attributes}", DatabaseOptions(connect_timeout=30))
        host = urlsplit(standby.url).netloc.rpartition("@")[2]
        with pytest.raises(asyncpg.TargetServerAttributeNotMatched) as refused:
            await db.fetchval("SELECT 1")
        assert str(refused.value) == f"no host takes writes: {host} is a standby"
        await db.close()
    db = Database(standby.url, DatabaseOptions(connect_timeout=30))
    assert await db.fetchval("SELECT pg_is_in_recovery()"), "one host is taken as it is"
    await db.close()


async def test_the_error_says_what_each_host_is(pair):
    primary, standby = pair
    db = Database(both(primary.url, standby.url), DatabaseOptions(connect_timeout=30))
    primary.kill()
    with pytest.raises(asyncpg.TargetServerAttributeNotMatched) as refused:
        await db.fetchval("SELECT 1")
    gone, other = (urlsplit(server.url).netloc.rpartition("@")[2] for server in (primary, standby))
    reason = f"{gone} can't be reached (Connection refused), {other} is a standby"
    assert str(refused.value) == f"no host takes writes: {reason}"
    await db.close()


async def test_a_password_that_is_wrong_is_wrong_at_once(pair):
    """As in libpq, a server that refuses the password is no reason to try another server."""
    primary, standby = pair
    wrong = (
        urlsplit(primary.url)
        ._replace(netloc=f"postern:wrong@127.0.0.1:{urlsplit(primary.url).port}")
        .geturl()
    )
    db = Database(both(wrong, standby.url), DatabaseOptions(connect_timeout=30))
    with pytest.raises(asyncpg.InvalidPasswordError):
        await db.fetchval("SELECT 1")
    await db.close()


async def test_the_doctor_looks_at_each(pair, make_settings, tmp_path):
    primary, standby = pair
    standby_host, primary_host = (
        urlsplit(server.url).netloc.rpartition("@")[2] for server in (standby, primary)
    )
    (tmp_path / "database.toml").write_text("[database]\nconnect_timeout = 3\n")
    seen = await look(make_settings(port=0, db_string=both(standby.url, primary.url)))
    first, *others = seen.of("PostgreSQL")
    assert first.startswith("✓")
    assert f"{standby_host},{primary_host}/" in first
    assert [line.split("PostgreSQL")[1].strip() for line in others[:2]] == [
        f"{standby_host} is a standby",
        f"{primary_host} is the primary",
    ]
    standby.kill()
    seen = await look(make_settings(port=0, db_string=both(standby.url, primary.url)))
    assert seen.of("PostgreSQL")[1].startswith(f"! PostgreSQL  {standby_host}: Connection refused")
    refused = make_settings(port=0, db_string=both(standby.url, primary.url, "?target_session_attrs=standby"))
    assert (await look(refused)).one("PostgreSQL").startswith("✗ PostgreSQL  target_session_attrs")
