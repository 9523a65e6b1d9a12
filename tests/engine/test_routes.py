"""Several ways out: which one is tried next, and what an earlier one's word is worth."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from channels import BadDsn
from channels.port import Inbound
from channels.sandbox import box
from core.settings import Settings
from runtime.routes import Routes
from tests.channels import peer_smtp
from tests.channels.peer import Scenario
from tests.channels.peer_smtp import MailServer
from tests.support.gateway import Gateway
from tests.support.waits import until

TWILIO = "twilio://AC1:t@?from=%2B1"


@pytest.fixture
async def mails() -> AsyncIterator[list[MailServer]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(peer_smtp.peer()) for _ in range(2)]


class TestTwoMailServers:
    @pytest.fixture
    def settings(self, make_settings: Any, mails: list[MailServer]) -> Settings:
        first, second = mails
        made: Settings = make_settings(channel_email=f"{first.dsn}, {second.dsn}")
        return made

    async def test_the_first_one_has_it_while_it_is_well(
        self, gateway: Gateway, ada: Any, drain: Any, mails: list[MailServer]
    ) -> None:
        id = await gateway.send(ada, channel="email")
        await drain("email")
        row = await gateway.row(id)
        assert (row["state"], row["provider"], row["attempts"]) == ("sent", "smtp", 0)
        assert [len(mail.received) for mail in mails] == [1, 0]

    @pytest.mark.parametrize(
        ("scenario", "attempts"),
        [
            (Scenario.transient, 1),
            (Scenario.throttle, 0),
            (Scenario.bad_credentials, 0),
            (Scenario.hang_before, 1),
        ],
    )
    async def test_the_second_one_takes_what_the_first_does_not(
        self,
        scenario: Scenario,
        attempts: int,
        gateway: Gateway,
        ada: Any,
        drain: Any,
        mails: list[MailServer],
    ) -> None:
        mails[0].script(scenario)
        ids = [await gateway.send(ada, channel="email") for _ in range(3)]
        await drain("email")
        for id in ids:
            row = await gateway.row(id)
            assert (row["state"], row["provider"], row["attempts"]) == ("sent", "smtp-2", attempts)
            assert row["failure_code"] is None
        assert [len(mail.received) for mail in mails] == [0, 3]

    @pytest.mark.parametrize(
        ("scenario", "state"),
        [
            (Scenario.refuse, "failed"),
            (Scenario.hang_after, "unknown"),
            (Scenario.reset_after, "unknown"),
        ],
    )
    async def test_what_may_be_taken_or_is_refused_goes_no_further(
        self, scenario: Scenario, state: str, gateway: Gateway, ada: Any, drain: Any, mails: list[MailServer]
    ) -> None:
        mails[0].script(scenario)
        id = await gateway.send(ada, channel="email")
        await drain("email")
        row = await gateway.row(id)
        assert (row["state"], row["provider"]) == (state, "smtp")
        assert mails[1].received == []
        assert await gateway.refunds(id) == (state == "failed")

    async def test_misconfigured_everywhere_waits_a_minute_and_is_not_counted(
        self, gateway: Gateway, ada: Any, drain: Any, mails: list[MailServer], capsys: Any
    ) -> None:
        for mail in mails:
            mail.script(Scenario.bad_credentials)
        id = await gateway.send(ada, channel="email")
        for _ in range(6):  # more often than a message may fail
            await gateway.hasten()
            await drain("email")
            row = await gateway.row(id)
            assert (row["state"], row["attempts"], row["handed_at"]) == ("queued", 0, None)
            assert 48 <= (row["due_at"] - row["updated_at"]).total_seconds() <= 72
        logged = capsys.readouterr().err
        assert "a channel refuses our credentials or settings" in logged
        assert peer_smtp.PASSWORD not in logged
        # After a day it is given back.
        await gateway.set("created_at = now() - interval '25 hours', due_at = now()")
        await drain("email")
        row = await gateway.row(id)
        assert (row["state"], row["failure_code"]) == ("failed", "expired")
        assert await gateway.refunds(id) == 1
        assert [len(mail.received) for mail in mails] == [0, 0]

    async def test_each_failure_of_each_server_is_counted(
        self, gateway: Gateway, ada: Any, drain: Any, mails: list[MailServer]
    ) -> None:
        for mail in mails:
            mail.script(Scenario.transient)
        id = await gateway.send(ada, channel="email")
        for attempts in (2, 4, 6):
            await gateway.hasten()
            await drain("email")
            assert (await gateway.row(id))["attempts"] == attempts
        assert await gateway.state(id) == "failed"
        assert await gateway.refunds(id) == 1

    async def test_the_last_word_decides_how_long_it_waits(
        self, gateway: Gateway, ada: Any, drain: Any, mails: list[MailServer]
    ) -> None:
        mails[0].script(Scenario.transient)
        mails[1].script(Scenario.throttle)
        id = await gateway.send(ada, channel="email")
        await drain("email")
        row = await gateway.row(id)
        assert (row["state"], row["attempts"]) == ("queued", 1)
        assert 7 <= (row["due_at"] - row["updated_at"]).total_seconds() <= 8.4

    async def test_one_bad_recipient_among_good_ones(
        self, gateway: Gateway, ada: Any, drain: Any, mails: list[MailServer]
    ) -> None:
        bad = await gateway.send(ada, mails[0].bad_recipient, "email")
        good = [await gateway.send(ada, f"a{number}@example.com", "email") for number in range(20)]
        await drain("email")
        assert await gateway.state(bad) == "failed"
        assert {await gateway.state(id) for id in good} == {"sent"}
        assert len(mails[0].received) == 20


class TestDeadThenSlow:
    """A mail server that nobody answers for, and a sandbox that takes 300 messages at once."""

    @pytest.fixture
    def settings(self, make_settings: Any) -> Settings:
        dead = "smtp://127.0.0.1:1?from=a@example.com&pool=50"  # port 1 (tcpmux) is never ours
        made: Settings = make_settings(channel_email=f"{dead},sandbox://slow?deliver=0")
        return made

    async def test_what_waits_for_the_second_route_counts_as_not_handed_over(
        self, gateway: Gateway, ada: Any, drain: Any, monkeypatch: Any
    ) -> None:
        """Else a death at this moment would make `unknown` what surely nobody has taken."""
        _, slow = gateway.services.routes.of("email")
        real, answers = slow.send, asyncio.Event()

        async def send(batch: Any) -> Any:
            await answers.wait()
            return await real(batch)

        monkeypatch.setattr(slow, "send", send)
        ids = await gateway.queue(ada, 500, "email")
        monkeypatch.setattr(slow, "batch", 300)
        draining = asyncio.create_task(drain("email"))
        waiting = "messages WHERE state = 'sending' AND handed_at IS NULL AND attempts = 1"

        handed_over = "messages WHERE provider = 'sandbox' AND handed_at IS NOT NULL"

        async def slow_has_them() -> bool:
            return await gateway.count(waiting) + await gateway.count(handed_over) == 500

        await until(slow_has_them, 0.005)
        # As many as it may have in flight, and at most half as many more whose intents are recorded ahead of time.
        assert 300 <= await gateway.count(handed_over) <= 450
        answers.set()
        await draining
        assert await gateway.states() == {"sent": 500}
        mine = set(ids)
        accepted = [message for message in box("slow").outbox if message.message.id in mine]
        assert len(accepted) == 500
        assert {item.message.key for item in accepted} == {f"{id}.1" for id in ids}


class TestTwoSandboxes:
    @pytest.fixture
    def settings(self, make_settings: Any) -> Settings:
        made: Settings = make_settings(channel_sms="sandbox://first?deliver=0,sandbox://second?deliver=0")
        return made

    async def test_what_is_uncertain_is_only_asked_where_it_was_handed_over(
        self, gateway: Gateway, ada: Any, drain: Any
    ) -> None:
        id = await gateway.send(ada)
        await gateway.set("handed_at = now(), provider = 'sandbox-2'", id)
        await drain("sms")
        row = await gateway.row(id)
        assert (row["state"], row["provider"]) == ("sent", "sandbox-2")
        assert [accepted.message.id for accepted in box("second").outbox if accepted.message.id == id] == [id]
        assert [accepted for accepted in box("first").outbox if accepted.message.id == id] == []


# Names


def routes(make_settings: Any, **channels: str) -> Routes:
    return Routes(make_settings(**channels))


def test_labels_and_hooks(make_settings: Any) -> None:
    made = routes(
        make_settings,
        channel_sms=f"{TWILIO},smpp://a:b@127.0.0.1,{TWILIO}",
        channel_email="sandbox://?deliver=0",
    )
    first, smpp, second = made.of("sms")
    assert [made.label(route) for route in made.of("sms")] == ["twilio", "smpp", "twilio-2"]
    assert [made.label(route) for route in made.of("push")] == ["sandbox"]
    assert made.by_hook("twilio", "sms") is first
    assert made.by_hook("twilio", "sms-2") is second
    assert made.by_hook("smpp", "sms") is smpp
    assert len(list(made)) == 7  # the three, and the sandbox for each of the other four kinds
    assert made.idempotent() == [
        "telegram:messenger", "whatsapp:messenger", "email:sandbox", "push:sandbox", "telegram:sandbox",
        "whatsapp:sandbox",
    ]  # fmt: skip
    for driver, name in [
        ("twilio", "sms-3"), ("twilio", "sms-0"), ("twilio", "sms--1"), ("twilio", "sms-²"), ("twilio", "sms-"),
        ("twilio", "sms-" + "9" * 5000), ("twilio-2", "sms"), ("twilio", "email"), ("twilio", ""), ("", "sms"),
        ("nothing", "sms"), ("twilio", "sms-2-2"), ("TWILIO", "sms"),
    ]:  # fmt: skip
        assert made.by_hook(driver, name) is None, (driver, name)


def test_a_bad_dsn_stops_the_start(make_settings: Any) -> None:
    with pytest.raises(BadDsn, match="smtp cannot carry sms") as refused:
        routes(make_settings, channel_sms="smtp://me:secret-word@127.0.0.1?from=a@b.test")
    assert "secret-word" not in str(refused.value)


async def test_opened_and_closed(make_settings: Any) -> None:
    made = routes(make_settings)

    async def sink(channel: Any, events: Any) -> None:
        assert isinstance(events[0], Inbound)

    await made.open(sink)
    await made.close()
    await made.close()
