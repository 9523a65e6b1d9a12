"""Redis stops, hangs and comes back in the middle of it all: nobody is locked out, nobody gets in."""

import asyncio
import os
import signal
import time

import pytest

from tests.auth.doors import BOTH
from tests.support.people import PASSWORD
from tests.support.waits import PATIENCE, freeze

pytestmark = pytest.mark.rotating

WRONG = "wrong horse battery"


@pytest.fixture
def settings(make_settings, redis):
    return make_settings(redis_url=redis.url, limit_login="4/300")


@pytest.mark.alone  # a probe may take a second, or the database is down, too
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
    assert not services.store._reported_down
    # Limits are counted there again. (Of the address: what it has used is forgotten last.)
    (bucket,) = await services.store.client.keys("limit:login:ip:*")
    before = await services.store.client.get(bucket)
    assert (await auth.login("new@example.com", PASSWORD)).code == "bad_credentials"
    assert await services.store.client.get(bucket) != before


@pytest.mark.alone
async def test_a_server_that_hangs_slows_a_request_down_once_and_not_for_long(
    auth, ada, services, redis, monkeypatch
):
    assert await auth.me(ada.token) is None
    services.viewers.local_cache.invalidate_all()  # what is kept in this process is not asked of Redis
    monkeypatch.setattr("core.store._PAUSE", PATIENCE)
    calls, attempt = 0, services.store.attempt

    async def counted(call, otherwise):
        async def asks(client):
            nonlocal calls
            calls += 1
            return await call(client)

        return await attempt(asks, otherwise)

    async def written_by_nobody(refusals):
        """The recorder of refused requests asks Redis, too, beside the requests that are counted here."""

    monkeypatch.setattr("core.http.refusals.Refusals.flush", written_by_nobody)
    monkeypatch.setattr(services.store, "attempt", counted)
    freeze(redis.pid)
    try:
        begun = time.monotonic()
        assert await auth.me(ada.token) is None
        assert time.monotonic() - begun < 5  # it hangs for ever; we give up after two tries of a second
        for _ in range(3):
            assert await auth.me(ada.token) is None
        assert calls == 1, "who comes later waits no more"
    finally:
        os.kill(redis.pid, signal.SIGCONT)
    services.store._broken_until = 0.0
    assert await auth.me(ada.token) is None
    assert calls > 1
