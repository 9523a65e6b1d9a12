"""A Redis that is full refuses every write: it is called by its name, and all that can do without it goes on."""

import asyncio

import pytest
import redis.asyncio as client
from structlog.testing import capture_logs

from postern.app import make_app
from tests.doctor.looking import look
from tests.support.waits import until


@pytest.fixture
def settings(make_settings, redis):
    return make_settings(redis_url=redis.url)


@pytest.fixture(params=["memory", "disk"])
async def full(request, redis, ada):
    """Ada has stored a value, then Redis became full: by `maxmemory`, or since it could not write a snapshot."""
    assert (await ada.rest("PUT", "/storage/kept", json={"value": 1})).status_code == 200
    async with client.Redis.from_url(redis.url) as admin:
        if request.param == "memory":
            await admin.config_set("maxmemory", "1")
        else:
            await admin.config_set("save", "1 1")
            await admin.config_set("dbfilename", "x" * 300)  # no file system takes such a name
            await admin.config_set("stop-writes-on-bgsave-error", "yes")
            await admin.bgsave()

            async def failed() -> bool:
                return bool((await admin.info("persistence"))["rdb_last_bgsave_status"] == "err")

            await until(failed)
        yield redis
        await admin.config_set("maxmemory", "0")
        await admin.config_set("stop-writes-on-bgsave-error", "no")


async def test_storage_says_that_it_is_full(full, ada):
    answer = await ada.rest("PUT", "/storage/new", json={"value": 1})
    assert (answer.status_code, answer.json()["code"]) == (503, "redis_full")
    assert "operator" in answer.json()["message"]


async def test_logins_and_messages_go_on_and_one_line_says_why_limits_are_not_shared(full, ada, auth):
    with capture_logs() as logs:
        await auth.tokens(ada.email)
        for _ in range(3):
            answer = await ada.rest(
                "POST", "/messages", json={"to": "+14155550100", "channel": "sms", "body": "x"}
            )
            assert answer.status_code == 202
    assert [line["event"] for line in logs if "redis" in line["event"]] == [
        "redis is full; it keeps no caches and no shared limits"
    ]


async def test_a_logout_in_another_process_counts_at_once(full, settings, services, ada, auth):
    """Redis keeps that the session lives, and refuses to be told otherwise; it still passes messages on."""
    doomed, _ = await auth.tokens(ada.email)
    async with client.Redis.from_url(full.url) as admin:
        names = ("maxmemory", "stop-writes-on-bgsave-error")
        limits = {name: (await admin.config_get(name))[name] for name in names}
        await admin.config_set("maxmemory", "0")
        await admin.config_set("stop-writes-on-bgsave-error", "no")
        assert await auth.me(doomed) is None  # now Redis has the fact
        for name, value in limits.items():
            await admin.config_set(name, value)
    other = make_app(settings)
    async with other.api.router.lifespan_context(other.api):
        here = services.viewers.local_cache
        listening = asyncio.create_task(here.listen())
        await until(lambda: here._subscribed)
        session = other.services.tokens.read(doomed).session_id
        await other.services.db.fetch("UPDATE sessions SET revoked_at = now() WHERE id = $1", session)
        await other.services.viewers.invalidate(sessions=[session])
        await until(lambda: here.is_changed([f"viewer:session:{session}"]))
        assert await auth.me(doomed) == "session_ended"
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


async def test_the_doctor_names_it(full, settings):
    seen = await look(settings)
    assert "is full" in seen.one("Redis") and "maxmemory" in seen.one("Redis")
