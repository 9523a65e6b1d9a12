"""A Redis that accepts connections and answers nothing must cost no database connection meanwhile."""

import asyncio
import os
import signal
import time

import asyncpg
import pytest

from tests.support.waits import freeze, until

pytestmark = pytest.mark.rotating

EMAIL = {"to": "a@example.com", "channel": "email", "body": "x"}

# Open, and nothing to do for longer than anything takes between two statements, but for Redis: a second and more.
_IDLE = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND state LIKE 'idle in transaction%'
  AND now() - state_change > interval '0.7 seconds'
"""


@pytest.fixture
def settings(make_settings, redis):
    return make_settings(redis_url=redis.url, limit_messages="11/300")


@pytest.fixture
def hang(redis):
    """A call makes it hang, until the test is over."""
    yield lambda: freeze(redis.pid)
    os.kill(redis.pid, signal.SIGCONT)


async def _cached(ada, services):
    """Waits until the user is in the local cache, so that Redis is not asked for it, and Redis is not noted as down."""

    async def well() -> bool:
        assert (await ada.rest("GET", "/auth/me")).status_code == 200
        return bool(services.viewers.local_cache._entries) and not services.store._reported_down

    await until(well)


@pytest.mark.alone
async def test_a_send_that_waits_for_redis_holds_no_transaction(ada, services, database, hang):
    await _cached(ada, services)
    own = await asyncpg.connect(database)
    hang()
    begun = time.monotonic()
    sending = asyncio.gather(*(ada.rest("POST", "/messages", json=EMAIL) for _ in range(10)))
    most = 0
    while not sending.done():
        most = max(most, await own.fetchval(_IDLE))
        assert time.monotonic() - begun < 10  # two seconds each if they wait at the same time
        await asyncio.sleep(0.02)
    await own.close()
    assert {answer.status_code for answer in await sending} == {202}
    # A server that hangs is found to be away by waiting for it.
    assert services.store._reported_down, "nobody has waited for Redis, so nothing is proved"
    assert most == 0


@pytest.mark.parametrize("door", ["rest", "graphql"])
async def test_a_replay_needs_no_redis_and_is_not_counted(door, ada, services, hang, monkeypatch):
    query = 'mutation { sendMessage(input: {to: "a@example.com", channel: email, body: "x"}) { uuid } }'

    async def send():
        if door == "rest":
            answer = await ada.rest("POST", "/messages", json=EMAIL, headers={"Idempotency-Key": "k"})
            assert answer.status_code == 202, answer.text
            return answer.json()["id"]
        body = await ada.graphql(query, None, **{"Idempotency-Key": "k"})
        assert "errors" not in body, body
        return body["data"]["sendMessage"]["uuid"]

    first = await send()
    assert {await send() for _ in range(15)} == {first}  # more than the limit allows
    await _cached(ada, services)
    hang()
    calls = []

    async def attempt(call, otherwise):
        calls.append(call)
        return otherwise

    with monkeypatch.context() as patch:
        patch.setattr(services.store, "attempt", attempt)
        assert await send() == first
    assert calls == []


@pytest.mark.exclusive
async def test_one_look_at_a_server_that_hangs_is_enough_for_some_seconds(ada, services, hang):
    """A look costs a second; without the breaker every second request took two."""
    await _cached(ada, services)
    hang()
    slow = 0
    for _ in range(8):
        begun = time.monotonic()
        assert (await ada.rest("POST", "/messages", json=EMAIL)).status_code == 202
        slow += time.monotonic() - begun > 0.7
        await asyncio.sleep(0.1)
    assert slow <= 1
