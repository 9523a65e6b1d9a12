"""Redis stops, hangs and comes back in the middle of it all: nobody is locked out, nobody gets in."""

import asyncio
import os
import signal
import time

import pytest

from postern.embedded import EmbeddedRedis
from tests.auth.doors import BOTH
from tests.support.people import PASSWORD

WRONG = "wrong horse battery"


@pytest.fixture
def redis(tmp_path):
    with EmbeddedRedis(tmp_path / "own") as server:
        yield server


@pytest.fixture
def settings(make_settings, redis):
    return make_settings(redis_url=redis.url, limit_login="4/300")


async def test_everything_goes_on_without_it_and_what_ended_meanwhile_stays_so(
    auth, ada, bob, people, services, redis
):
    doomed, doomed_refresh = await auth.tokens(ada.email)
    kept, _ = await auth.tokens(ada.email)
    assert [await auth.me(token) for token in (doomed, kept, bob.token)] == [None] * 3  # cached, for a minute
    redis.stop()

    for door in BOTH:
        assert await auth.me(kept, door) is None
    access, refresh = await auth.tokens(bob.email)
    assert (await auth.refresh(refresh)).code is None
    assert (
        await bob.rest("POST", "/messages", json={"to": "+14155550100", "channel": "sms", "body": "x"})
    ).status_code == 202
    # The database is asked, so the end of a login is seen at once.
    assert (await auth.call("rest", "logout", token=doomed)).code is None
    assert [await auth.me(doomed, door) for door in BOTH] == ["session_ended"] * 2
    assert (await auth.call("graphql", "logoutEverywhere", token=bob.token)).code is None
    assert [await auth.me(token) for token in (bob.token, access)] == ["session_ended"] * 2
    # Limits hold, counted by this process.
    eve = await people.make("eve@example.com")
    codes = [(await auth.login(eve.email, WRONG, BOTH[turn % 2])).code for turn in range(5)]
    assert "rate_limited" in codes
    ready = (await auth.client.get("/health/v2")).json()
    assert (ready["status"], list(ready["error"])) == ("error", ["redis-storage"])

    redis.start()
    await asyncio.sleep(0.6)  # the store's pause
    # Its file still says that these logins live. They don't.
    assert (
        await services.store.client.get(f"viewer:session:{services.tokens.read(doomed).session_id}") == b"1"
    )
    assert [await auth.me(token) for token in (doomed, bob.token, access)] == ["session_ended"] * 3
    assert (await auth.refresh(doomed_refresh)).code == "session_ended"
    assert await auth.me(kept) is None
    assert (await auth.client.get("/health/v2")).json()["error"] == {}
    assert not services.store._told
    assert await services.store.client.exists("limit:login-all:all") == 1
    assert (await auth.login("new@example.com", PASSWORD)).code in ("bad_credentials", "rate_limited")


async def test_a_server_that_hangs_slows_a_request_down_once_and_not_for_long(auth, ada, redis):
    assert await auth.me(ada.token) is None
    os.kill(redis.pid, signal.SIGSTOP)
    try:
        took = []
        for _ in range(4):
            begun = time.monotonic()
            assert await auth.me(ada.token) is None
            took.append(time.monotonic() - begun)
    finally:
        os.kill(redis.pid, signal.SIGCONT)
    assert took[0] < 3.5
    assert max(took[1:]) < 0.4
    await asyncio.sleep(0.6)
    assert await auth.me(ada.token) is None
