"""Calls over Redis: from one that holds nothing to the one that holds the account, here both in one process."""

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest
import redis

from core.errors import (
    BadRequest,
    Conflict,
    NotFound,
    RateLimited,
    Unavailable,
    Unprocessable,
    UpstreamTimeout,
)
from core.ids import uuid7
from engine.messengers import call_client, rpc_transport
from engine.messengers import host as module
from messengers.port import (
    CodeInvalid,
    MessengerError,
    PasswordInvalid,
    Refused,
    Throttled,
    Uncertain,
    Unreachable,
    Unsupported,
    WrongStep,
)
from runtime.services import Services, open_services
from shapes.messenger_accounts import AccountState
from tests.messenger_hosts.scripted import Connection, Scripted, use, works
from tests.messenger_hosts.test_live import telling
from tests.support.hosts import account, becomes
from tests.support.waits import PATIENCE, until


@pytest.fixture
async def api(settings) -> AsyncIterator[Services]:
    """Another process's services, as far as calls can tell."""
    opened = open_services(settings)
    yield opened
    await opened.close()


async def test_a_call_reaches_the_holder_and_its_answer_the_asker(services, api, ada, host):
    use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    answers = await asyncio.gather(*(call_client.ask(api, id, "me") for _ in range(50)))
    assert {answer["phone"] for answer in answers} == {"+14155550100"}
    item = uuid7()
    sent = await call_client.ask(api, id, "send", {"item": str(item), "to": "@bob", "text": "hi"})
    assert (sent["provider_id"], sent["status"]) == (str(item), "server")
    assert sent["at"].endswith("Z")
    left = await services.store.client.keys("messengers:*")
    assert all(name.startswith(b"messengers:answer:") for name in left)
    assert all([0 < await services.store.client.pttl(name) <= 60_000 for name in left])


@pytest.mark.parametrize(
    ("raised", "kind", "code"),
    [
        (WrongStep("No code is wanted."), Conflict, "wrong_state"),
        (CodeInvalid("Wrong.", attempts_left=2), BadRequest, "code_invalid"),
        (PasswordInvalid("Wrong."), BadRequest, "password_invalid"),
        (Refused("No such recipient.", code="not_on_messenger"), Unprocessable, "not_on_messenger"),
        (Unsupported("Not here."), Unprocessable, "unsupported"),
        (Unreachable("Gone."), Unavailable, "messenger_unavailable"),
        (Uncertain("Who knows."), UpstreamTimeout, "uncertain"),
        (MessengerError("Odd.", code="odd"), Unavailable, "odd"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
async def test_what_a_driver_raises_is_what_the_asker_meets(services, api, ada, host, raised, kind, code):
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")

    async def refuse(_: object) -> None:
        raise raised

    driver.made[0].code = refuse  # type: ignore[method-assign, assignment]
    for asker in (api, services):
        with pytest.raises(kind) as met:
            await call_client.ask(asker, id, "code", {"code": "12345"})
        assert met.value.code == code
        assert met.value.message.startswith(raised.reason)
        if getattr(raised, "attempts_left", None) is not None:
            assert met.value.details == {"attemptsLeft": 2}
        if kind is Conflict:
            assert met.value.details["state"] == "working"


def test_a_throttled_call_says_until_when():
    from datetime import UTC, datetime, timedelta

    soon = datetime.now(UTC) + timedelta(seconds=90)
    error = rpc_transport.unpack_error(rpc_transport.pack_error(Throttled("Too fast.", until=soon)))
    assert isinstance(error, Throttled)
    met = call_client.app_error(error)
    assert isinstance(met, RateLimited)
    assert met.code == "flood_wait"
    assert abs(datetime.fromisoformat(met.details["until"]) - soon) < timedelta(seconds=1)
    assert 88 <= int(met.headers["Retry-After"]) <= 91


async def test_nobody_holds_it(services, api, ada):
    stopped = await account(services, ada.id, "stopped", wanted=False)
    wanted = await account(services, ada.id, "wanted")
    for id, state in ((stopped, "stopped"), (wanted, "starting")):
        with pytest.raises(Conflict) as refused:
            await call_client.ask(api, id, "me")
        assert refused.value.code == "wrong_state"
        assert refused.value.details["state"] == state
        assert refused.value.details["next"] in refused.value.message
    with pytest.raises(NotFound):
        await call_client.ask(api, uuid7(), "me")


async def test_codes_and_passwords_never_stand_open_in_redis(services, api, ada, host):
    driver = use(host, Scripted(telling(AccountState.waitCode)))
    id = await account(services, ada.id)
    await becomes(services, id, "waitCode")
    seen: list[str] = []
    ours, last = services.store.client.connection_pool.connection_kwargs["db"], uuid7().hex
    async with services.store.client.monitor() as monitor:

        async def watch() -> None:
            async for command in monitor.listen():
                if command["db"] == ours:  # it shows what other processes do in theirs, too
                    seen.append(str(command["command"]))  # noqa: PERF401  it has no end

        watching = asyncio.create_task(watch())
        await call_client.ask(api, id, "code", {"code": "314159"})
        await call_client.ask(api, id, "password", {"password": "correct-horse"})
        await services.store.client.echo(last)
        await until(lambda: any(last in line for line in seen))
        watching.cancel()
    assert driver.made[0].did == [("code", "314159"), ("password", "correct-horse")]
    assert any("messengers:call" in line for line in seen)
    assert not any("314159" in line or "horse" in line or "arguments" in line for line in seen)


async def test_a_forged_call_and_a_replayed_one_do_nothing(services, api, ada, host):
    driver = use(host, Scripted(telling(AccountState.waitCode)))
    id = await account(services, ada.id)
    await becomes(services, id, "waitCode")
    client, holder = services.store.client, host.leases.holder
    values: dict[str, bytes] = {}
    take = host._cipher.decrypt

    def opened(sealed: bytes, place: str):
        values[place] = sealed
        return take(sealed, place)

    host._cipher.decrypt = opened  # type: ignore[method-assign]
    await call_client.ask(api, id, "code", {"code": "1"})
    ((place, sealed),) = values.items()
    call = place.split(":")[1]
    for name, payload in (
        (call, sealed),  # once more
        ("f" * 32, sealed),  # under another id
        ("e" * 32, b"\0" * 100),
        (
            "d" * 32,
            rpc_transport.CallCipher(b"k" * 64).encrypt(
                {"account": str(id), "call": "code"}, f"call:{'d' * 32}:{holder}"
            ),
        ),
    ):
        await client.set(rpc_transport.call_key(name), payload, px=60_000)
        assert await client.publish(rpc_transport.call_channel(holder), name) == 1
    await client.publish(rpc_transport.call_channel(holder), b"\xff\xfe nothing")
    await call_client.ask(api, id, "code", {"code": "2"})  # after all of these, and the host is well
    assert driver.made[0].did == [("code", "1"), ("code", "2")]


async def test_a_call_that_takes_too_long_is_uncertain_and_the_account_goes_on(services, api, ada, host):
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    driver.gate.clear()
    arguments = {"item": str(uuid7()), "to": "@bob", "text": "wait"}
    for asker in (api, services):
        with pytest.raises(UpstreamTimeout) as late:
            await call_client.ask(asker, id, "send", arguments, seconds=2)  # by then it has been taken
        assert late.value.code == "uncertain"
    driver.gate.set()
    assert (await call_client.ask(api, id, "send", {**arguments, "to": "@eve"}))["thread"] == "thread of @eve"


async def test_a_wake_up_brings_what_the_polling_would_find_later(services, api, ada, host, monkeypatch):
    monkeypatch.setattr(module, "ROUND_SECONDS", 3600)
    use(host, Scripted())
    await asyncio.wait_for(host._subscriber.confirmed(), PATIENCE)
    host.woken(uuid7())  # the look that waits for two seconds still
    await asyncio.sleep(0.1)
    id = await account(api, ada.id)  # wakes as another process does
    await becomes(services, id, "working")


async def test_while_redis_is_away_calls_are_unavailable_and_accounts_stay(settings, services, ada, tmp_path):
    """Polling finds what nobody could be told of; when Redis is back, calls go through again."""
    from engine.messengers.host import hosting
    from postern.embedded import EmbeddedRedis

    redis = EmbeddedRedis(tmp_path / "redis")
    await asyncio.to_thread(redis.start)
    own = settings.model_copy(update={"redis_url": type(settings.redis_url)(redis.url)})
    here, there = open_services(own), open_services(own)
    try:
        async with hosting(here) as host:
            driver = use(host, Scripted())
            id = await account(here, ada.id)
            await becomes(here, id, "working")
            assert await call_client.ask(there, id, "me")
            await asyncio.to_thread(redis.stop)
            with pytest.raises(Unavailable) as away:
                await call_client.ask(there, id, "me")
            assert away.value.code == "messenger_unavailable"
            assert await call_client.ask(here, id, "me")  # in the process itself nobody needs Redis
            other = await account(here, ada.id, "other")
            await becomes(here, other, "working")
            assert driver.made[0].open
            assert len(driver.of(id)) == 1
            await asyncio.to_thread(redis.start)

            async def again() -> bool:
                try:
                    return bool(await call_client.ask(there, id, "me"))
                except Unavailable:
                    return False

            await until(again, 0.1)
            assert len(driver.of(id)) == 1
    finally:
        await there.close()
        await here.close()
        await asyncio.to_thread(redis.stop)


@pytest.mark.parametrize(
    "raised", [TimeoutError(), asyncpg.TooManyConnectionsError("x"), OSError("x")], ids=repr
)
async def test_while_the_database_is_away_nothing_was_done(services, api, ada, host, monkeypatch, raised):
    use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")

    async def away(*_: object) -> None:
        raise raised

    monkeypatch.setattr(api.db, "fetchrow", away)
    with pytest.raises(Unavailable) as refused:
        await call_client.ask(api, id, "send", {"item": str(uuid7()), "to": "@bob", "text": "hi"})
    assert refused.value.code == "messenger_unavailable"
    assert "nothing was done" in refused.value.message


async def test_an_answer_that_is_lost_on_its_way_is_there_still(services, api, ada, host):
    use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    assert await call_client.ask(api, id, "me")
    client = call_client._client(api)._client
    run, lost = client.execute_command, []

    async def lose(*command: Any, **more: Any) -> Any:
        answer = await run(*command, **more)
        if answer is not None and str(command[1]).startswith("messengers:answer:") and not lost:
            lost.append(command[0])
            raise redis.ConnectionError("the answer did not come")
        return answer

    client.execute_command = lose  # type: ignore[method-assign]
    sent = await call_client.ask(
        api, id, "send", {"item": str(uuid7()), "to": "@bob", "text": "hi"}, seconds=10
    )
    assert lost
    assert sent["thread"] == "thread of @bob"


def picture(bytes: int) -> dict[str, Any]:
    return {"kind": "image", "data": "A" * bytes, "mime": "image/png", "name": None}


async def test_large_calls_are_taken_one_by_one_in_their_order_and_opened_beside_the_loop(
    services, api, ada, host, monkeypatch
):
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    threads: dict[str, int] = {}
    opened, taken, take = host._cipher.decrypt, [], host._fetch_calls

    def opening(sealed: bytes, place: str) -> Any:
        request = opened(sealed, place)
        threads[request["arguments"]["text"]] = threading.get_ident()
        return request

    async def taking(ids: list[str]) -> None:
        taken.append(len(ids))
        await take(ids)

    monkeypatch.setattr(host._cipher, "decrypt", opening)
    monkeypatch.setattr(host, "_fetch_calls", taking)
    monkeypatch.setattr(rpc_transport, "LARGE", 10_000)  # the asker's and the holder's
    monkeypatch.setattr(module, "LARGE", 10_000)
    arguments = {"item": str(uuid7()), "to": "@bob"}
    calls = [
        asyncio.create_task(
            call_client.ask(
                api,
                id,
                "send",
                {**arguments, "text": text, "media": [picture(40_000)] if text in "bd" else []},
            )
        )
        for text in "abcd"
    ]
    await asyncio.gather(*calls)
    here = threading.get_ident()
    assert {text: thread == here for text, thread in threads.items()} == {
        "a": True,
        "b": False,
        "c": True,
        "d": False,
    }
    assert taken.count(1) >= 2
    assert sum(taken) == 4
    assert [what[2] for what in driver.made[0].did if what[0] == "end"] == list(threads)
    await until(lambda: host._bytes == 0)  # a call ends a moment after its answer has come


async def test_what_calls_may_bring_in_all_is_bounded_and_the_next_is_not_done(
    services, api, ada, host, monkeypatch
):
    monkeypatch.setattr(module, "LARGE", 10_000)
    monkeypatch.setattr(module, "_MAX_BYTES", 200_000)
    monkeypatch.setattr(module, "_RESERVED_BYTES", 50_000)
    driver = use(host, Scripted())
    id = await account(services, ada.id)
    await becomes(services, id, "working")
    driver.gate.clear()
    arguments = {"item": str(uuid7()), "to": "@bob", "text": "wait", "media": [picture(100_000)]}
    first = asyncio.create_task(call_client.ask(api, id, "send", arguments))
    await until(lambda: host._bytes > 100_000)
    with pytest.raises(Unavailable) as refused:
        await call_client.ask(api, id, "send", {**arguments, "to": "@eve"})
    assert refused.value.code == "messenger_unavailable"
    assert "nothing was done" in refused.value.message
    assert await call_client.ask(api, id, "me")  # a small one finds room
    driver.gate.set()
    await first
    await until(lambda: host._bytes == 0)
    assert await call_client.ask(api, id, "send", {**arguments, "to": "@eve"})
    assert [what[1] for what in driver.made[0].did if what[0] == "end"] == ["@bob", "@eve"]


__all__ = ["Connection", "works"]
