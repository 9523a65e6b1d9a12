"""Apprise beyond the conformance suite."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import cast
from uuid import uuid4

import pytest

import channels.apprise
from channels import BadDsn, connect
from channels.apprise import AppriseChannel
from channels.port import Event, HookRequest, Outcome, Outgoing, Result
from tests.channels.peer import Scenario, patient
from tests.channels.peer_apprise import PATH_SECRET, Hook, peer
from tests.channels.peer_smtp import peer as mail_peer
from tests.support.waits import PATIENCE


def message(to: str = "anna@example.com", body: str = "Hello", **more: str) -> Outgoing:
    id = uuid4()
    return Outgoing(id=id, key=f"key-{id}", to=to, body=body, **more)


async def nowhere(channel: object, events: Sequence[Event]) -> None:
    raise AssertionError("Apprise tells nothing unasked")


@asynccontextmanager
async def opened(dsn: str) -> AsyncIterator[AppriseChannel]:
    channel = cast("AppriseChannel", connect("email", dsn))
    await channel.open(nowhere)
    try:
        yield channel
    finally:
        await channel.close()


@asynccontextmanager
async def both(more: str = "") -> AsyncIterator[tuple[Hook, AppriseChannel]]:
    async with peer() as hook, opened(patient(hook.dsn) + more) as channel:
        yield hook, channel


async def send(channel: AppriseChannel, outgoing: Outgoing | None = None) -> Outcome:
    [outcome] = await asyncio.wait_for(channel.send([outgoing or message()]), PATIENCE)
    return outcome


@pytest.mark.parametrize("to", ["anna@example.com", "+14155550100", "a/../b?x=1&y#z%2F", "{to}"])
async def test_the_recipient_cannot_change_the_url(to: str) -> None:
    async with peer() as hook:
        channel = cast("AppriseChannel", connect("push", patient(hook.dsn)))
        await channel.open(nowhere)
        assert (await send(channel, message(to, subject="Grüße"))).result is Result.sent
        await channel.close()
        [received] = hook.received
        assert (received.to, received.extra["title"]) == (to, "Grüße")


async def test_what_the_log_said_is_the_reason() -> None:
    async with both() as (hook, channel):
        hook.script(Scenario.transient)
        outcome = await send(channel)
        assert outcome.result is Result.transient
        assert "error=503" in (outcome.reason or "")


async def test_optional_services_fail_as_others_do() -> None:
    async with both("&optional=yes") as (hook, channel):
        hook.script(Scenario.transient)
        assert (await send(channel)).result is Result.transient


async def test_secrets_in_the_log_are_masked() -> None:
    channel = AppriseChannel(
        f"json://user:t0p-s%20cret@host/{PATH_SECRET}?+Authorization=Bearer%20abc", "push"
    )
    shown = channel._masked(f"no: http://host/{PATH_SECRET} with t0p-s cret, t0p-s%20cret or Bearer abc")
    assert shown == "no: http://***/*** with ***, *** or ***"


async def test_nothing_of_apprise_reaches_our_log() -> None:
    records: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = records.append  # type: ignore[method-assign]
    root = logging.getLogger()
    root.addHandler(handler)
    level = root.level
    root.setLevel(logging.DEBUG)
    try:
        async with both() as (_hook, channel):
            await send(channel)
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    assert not [record for record in records if record.name.startswith(("apprise", "urllib3"))]


async def test_html_goes_to_services_that_show_it() -> None:
    async with mail_peer() as server:
        server.script(Scenario.accept)
        port = server.dsn.rpartition(":")[2].partition("?")[0]
        url = (
            f"apprise:mailto://postern:s3cret%2Fpass%20word@127.0.0.1:{port}"
            "?mode=insecure&from=me@example.com&to={to}"
        )
        async with opened(f"{url}&format=html") as channel:
            assert (await send(channel, message(html="<b>Hello</b>", subject="Hi"))).result is Result.sent
        async with opened(f"{url}&format=text") as channel:
            assert (await send(channel, message(html="<b>Hello</b>", subject="Hi"))).result is Result.sent
        first, second = (content.decode() for content in server.raw)
        assert "<b>Hello</b>" in first
        assert "<b>" not in second


async def test_a_call_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """One is cut off while it runs, eight threads busy; what still waited for a thread was not handed over."""
    monkeypatch.setattr(channels.apprise, "DEADLINE", 0.5)
    ended = threading.Event()
    async with both() as (_hook, channel):
        monkeypatch.setattr(channel, "_notify", lambda message: ended.wait(PATIENCE))
        try:
            running = await channel.send([message() for _ in range(8)])
            assert {outcome.result for outcome in running} == {Result.unknown}
            waiting = await channel.send([message()])
            assert [outcome.result for outcome in waiting] == [Result.transient]
        finally:
            ended.set()


async def test_messages_that_cannot_be_sent() -> None:
    async with both() as (_hook, channel):
        assert (await send(channel, message(body=""))).code == "invalid_content"
        assert (await send(channel, message("nobody"))).code == "invalid_recipient"
    channel = cast("AppriseChannel", connect("push", "apprise:json://{to}:1/"))
    await channel.open(nowhere)
    assert (await send(channel, message(""))).code == "invalid_recipient"
    await channel.close()


@pytest.mark.parametrize("url", ["", "//", "nosuch://secret-host", "json://", "not a url"])
def test_bad_urls(url: str) -> None:
    with pytest.raises(BadDsn, match="apprise") as raised:
        connect("email", f"apprise:{url}")
    assert "secret" not in str(raised.value)


async def test_only_an_open_channel_sends() -> None:
    channel = connect("push", "apprise:json://localhost/{to}")
    assert repr(channel) == "<AppriseChannel json>"
    with pytest.raises(RuntimeError, match="open"):
        await channel.send([message()])
    assert channel.hook(HookRequest("GET", "https://example.com", {}, b"")) == []
