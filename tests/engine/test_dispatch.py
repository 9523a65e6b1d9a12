"""Tests what becomes of messages that a worker sends: outcomes, keys, retries, claims that are lost."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from channels.sandbox import Effect
from engine.sending import judge
from engine.sending.groups import UNWRITABLE
from tests.channels import peer_fcm, peer_webpush
from tests.channels.peer import Scenario, patient
from tests.support.gateway import MAGIC, Gateway, hand_overs

pytestmark = pytest.mark.settings(
    channel_sms="sandbox://?timeout=0.05&deliver=0",
    channel_email="sandbox://?timeout=0.05&deliver=0",
    channel_push="sandbox://?timeout=0.05&deliver=0",
)


# Outcomes


@pytest.mark.settings(channel_email="sandbox://?timeout=600")
@pytest.mark.parametrize("effect", [Effect.silent, Effect.timeout])
async def test_a_recipient_that_does_not_answer_holds_up_no_other_of_its_claim(
    gateway: Gateway, ada: Any, drain: Any, effect: Effect
) -> None:
    addresses = [f"anna{number}@example.com" for number in range(20)]
    addresses.insert(10, MAGIC["email"][effect])
    ids = [await gateway.send(ada, to, "email") for to in addresses]
    waiting = ids.pop(10)
    sending = asyncio.create_task(drain("email"))
    await gateway.until(dict.fromkeys(ids, "delivered"))
    assert await gateway.state(waiting) == "sending"
    sending.cancel()
    await asyncio.gather(sending, return_exceptions=True)


@pytest.mark.parametrize("channel", MAGIC)
async def test_every_magic_recipient_ends_as_documented(
    channel: str, gateway: Gateway, ada: Any, drain: Any, monkeypatch: Any
) -> None:
    # What is put off is not due again before the test says so; the delays are tested below.
    monkeypatch.setattr(judge, "_delay", lambda *_: 300.0)
    ids = {effect: await gateway.send(ada, to, channel) for effect, to in MAGIC[channel].items()}
    assert await drain(channel) == len(ids)
    at_once = {effect: await gateway.row(id) for effect, id in ids.items()}
    assert {
        effect: row["state"] for effect, row in at_once.items() if row["state"] in {"queued", "unknown"}
    } == {
        Effect.flaky: "queued",
        Effect.throttled: "queued",
        Effect.silent: "unknown",
    }
    assert {effect: row["attempts"] for effect, row in at_once.items() if row["attempts"]} == {
        Effect.flaky: 1
    }
    # The receipts are there, and no other transaction changes many rows while `hasten` does.
    await gateway.until({ids[Effect.delivered]: "delivered", ids[Effect.bounced]: "failed"})
    await gateway.hasten()
    assert await drain(channel) == 2
    states = dict.fromkeys(Effect, "sent") | {
        Effect.delivered: "delivered",
        Effect.flaky: "delivered",
        Effect.failed: "failed",
        Effect.bounced: "failed",
        Effect.silent: "unknown",
    }
    await gateway.until({ids[effect]: state for effect, state in states.items()})

    assert hand_overs(ids[Effect.timeout]) == [(f"{ids[Effect.timeout]}.0", 2)]  # asked again, dropped there
    assert hand_overs(ids[Effect.throttled]) == [(f"{ids[Effect.throttled]}.0", 1)]
    assert hand_overs(ids[Effect.flaky]) == [(f"{ids[Effect.flaky]}.1", 1)]  # after a known failure
    assert hand_overs(ids[Effect.silent]) == []
    assert await gateway.moves(ids[Effect.flaky]) == ["sending", "queued", "sending", "sent", "delivered"]
    silent = await gateway.row(ids[Effect.silent])
    assert (silent["failure_code"], silent["status"], silent["provider"]) == ("timeout", "queued", "sandbox")
    failed = await gateway.row(ids[Effect.failed])
    assert failed["failure_code"] == "invalid_recipient"
    assert failed["sent_at"] is None
    delivered = await gateway.row(ids[Effect.delivered])
    assert delivered["handed_at"] <= delivered["sent_at"] <= delivered["delivered_at"]
    balance = await gateway.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    price = delivered["price"]
    assert balance == Decimal(100) - price * 7  # nine, two of them refunded; what is unknown stays charged
    assert await gateway.count("claims") == 0


@pytest.mark.exclusive  # the job and the message are looked at before the second of their delay is over
async def test_what_is_delayed_comes_within_its_time(gateway: Gateway, ada: Any, drain: Any) -> None:
    flaky = await gateway.send(ada, MAGIC["sms"][Effect.flaky])
    throttled = await gateway.send(ada, MAGIC["sms"][Effect.throttled])
    await drain("sms")
    rows = await gateway.db.fetch("SELECT id, extract(epoch FROM due_at - updated_at) AS delay FROM messages")
    delays = {row["id"]: float(row["delay"]) for row in rows}
    assert 4 <= delays[flaky] <= 6
    assert 1 <= delays[throttled] <= 1.2
    # The job that sends the first of them; the upkeep sees to the other.
    (job,) = await gateway.db.fetch(
        "SELECT extract(epoch FROM execute_after - now()) AS after FROM pgqueuer"
        " WHERE entrypoint = 'messages.drain.sms' AND execute_after > now()"
    )
    assert 0 < job["after"] <= 1.2
    assert await drain("sms") == 0  # not before


async def test_a_message_of_yesterday_is_not_handed_over(gateway: Gateway, ada: Any, drain: Any) -> None:
    late = await gateway.send(ada)
    flaky = await gateway.send(ada, MAGIC["sms"][Effect.flaky])
    just = await gateway.send(ada)
    await gateway.set("created_at = now() - interval '1 day 1 second'", late)
    await gateway.set("created_at = now() - interval '23 hours 59 minutes'", just, flaky)
    await drain("sms")
    assert hand_overs(late) == []
    row = await gateway.row(late)
    assert (row["state"], row["failure_code"], row["handed_at"]) == ("failed", "expired", None)
    assert row["failure_reason"] == "It could not be handed over within 24 hours."
    assert await gateway.state(just) == "sent"
    assert await gateway.refunds(late) == 1
    # What was tried in vain says why.
    await gateway.set("created_at = now() - interval '25 hours', due_at = now()", flaky)
    await drain("sms")
    row = await gateway.row(flaky)
    assert (row["state"], row["failure_code"]) == ("failed", "expired")
    assert "24 hours. The last attempt: The sandbox fails once for this recipient" in row["failure_reason"]


async def test_a_channel_that_breaks_costs_only_what_it_held(
    gateway: Gateway, ada: Any, drain: Any, monkeypatch: Any, capsys: Any
) -> None:
    (route,) = gateway.services.routes.of("sms")
    real, bad = route.send, await gateway.send(ada, "+14155550199")

    async def breaks(batch: Any) -> Any:
        if any(message.id == bad for message in batch):
            raise KeyError("a bug")
        return await real(batch)

    async def short(batch: Any) -> Any:
        return (await real(batch))[1:]

    monkeypatch.setattr(route, "batch", 2)
    monkeypatch.setattr(route, "idempotent", False)
    monkeypatch.setattr(route, "send", breaks)
    good = [await gateway.send(ada) for _ in range(4)]
    await drain("sms")
    assert {await gateway.state(id) for id in good} == {"sent"}
    row = await gateway.row(bad)
    assert (row["state"], row["failure_code"]) == ("unknown", "channel_broke")
    assert "a channel broke" in capsys.readouterr().err
    monkeypatch.setattr(route, "send", short)
    fewer = await gateway.send(ada)
    await drain("sms")
    assert await gateway.state(fewer) == "unknown"


# A push service that knows our key


class TestKeys:
    @pytest.fixture
    async def firebase(self) -> AsyncIterator[peer_fcm.Firebase]:
        async with peer_fcm.peer() as peer:
            yield peer

    @pytest.fixture
    def settings(self, make_settings: Any, firebase: peer_fcm.Firebase) -> Any:
        return make_settings(channel_push=firebase.dsn)

    @staticmethod
    def keys(firebase: peer_fcm.Firebase) -> list[str]:
        return [
            seen.json["message"]["android"]["notification"]["tag"]
            for seen in firebase.stub.seen
            if seen.target != "/token"
        ]

    async def test_five_known_failures_and_it_has_failed(
        self, gateway: Gateway, ada: Any, drain: Any, firebase: peer_fcm.Firebase
    ) -> None:
        await gateway.db.fetch("UPDATE tariffs SET prices = jsonb_set(prices, '{USD,push}', '0.5')")
        id = await gateway.send(ada, "token", "push", "hi", title="Hello")
        firebase.script(Scenario.transient)
        for attempt in range(1, 5):
            await gateway.hasten()
            assert await drain("push") == 1
            row = await gateway.row(id)
            assert (row["state"], row["attempts"], row["handed_at"]) == ("queued", attempt, None)
            assert row["failure_code"] == "unavailable"
            assert await gateway.refunds(id) == 0
        await gateway.hasten()
        await drain("push")
        row = await gateway.row(id)
        assert (row["state"], row["attempts"], row["failure_code"]) == ("failed", 5, "unavailable")
        assert await gateway.refunds(id) == 1
        assert len(set(self.keys(firebase))) == 5  # a new key after each
        await gateway.hasten()
        assert await drain("push") == 0

    async def test_throttled_and_misconfigured_are_not_counted_and_wait(
        self, gateway: Gateway, ada: Any, drain: Any, firebase: peer_fcm.Firebase
    ) -> None:
        id = await gateway.send(ada, "token", "push")
        delay = "messages WHERE extract(epoch FROM due_at - updated_at) BETWEEN $1 AND $2"
        for scenario, low, high in ((Scenario.throttle, 7.0, 8.4), (Scenario.bad_credentials, 48.0, 72.0)):
            firebase.script(scenario)
            for _ in range(6):
                await gateway.hasten()
                assert await drain("push") == 1
                row = await gateway.row(id)
                assert (row["state"], row["attempts"], row["handed_at"]) == ("queued", 0, None)
                assert await gateway.count(delay, low, high) == 1
        firebase.script(Scenario.accept)
        await gateway.hasten()
        await drain("push")
        assert await gateway.state(id) == "sent"
        assert [received.key for received in firebase.received] == self.keys(firebase)[-1:]

    async def test_no_answer_is_unknown_and_never_asked_again(
        self, gateway: Gateway, ada: Any, drain: Any, firebase: peer_fcm.Firebase
    ) -> None:
        ids = []
        for scenario in (Scenario.hang_after, Scenario.reset_after):
            firebase.script(scenario)
            ids.append(await gateway.send(ada, "token", "push"))
            await drain("push")
        firebase.script(Scenario.accept)
        await gateway.hasten()
        assert await drain("push") == 0
        assert [await gateway.state(id) for id in ids] == ["unknown", "unknown"]
        assert len(firebase.received) == 2


class TestPoison:
    """A provider that answers with what the database cannot hold."""

    @pytest.fixture
    async def firebase(self) -> AsyncIterator[peer_fcm.Firebase]:
        async with peer_fcm.peer() as peer:
            real = peer.stub.answer

            def poisons(seen: Any) -> Any:
                reply: Any = real(seen)
                if seen.target != "/token" and seen.json["message"]["token"] == "poison":
                    return replace(reply, body=reply.body.replace(b"messages/", b"messages/\\u0000"))
                return reply

            peer.stub.answer = poisons
            yield peer

    @pytest.fixture
    def settings(self, make_settings: Any, firebase: peer_fcm.Firebase) -> Any:
        return make_settings(channel_push=patient(firebase.dsn))

    async def test_it_costs_nobody_else_his_outcome(
        self, gateway: Gateway, ada: Any, drain: Any, firebase: peer_fcm.Firebase, capsys: Any
    ) -> None:
        bad = await gateway.send(ada, "poison", "push")
        good = [await gateway.send(ada, f"token-{number}", "push") for number in range(60)]
        assert await drain("push") == 61
        assert {await gateway.state(id) for id in good} == {"sent"}
        row = await gateway.row(bad)
        assert (row["state"], row["failure_code"]) == ("unknown", UNWRITABLE)
        assert await gateway.count("claims") == 0
        assert "an outcome can't be written" in capsys.readouterr().err
        assert len(firebase.received) == 61


class TestWebPush:
    @pytest.fixture
    async def service(self) -> AsyncIterator[peer_webpush.PushService]:
        async with peer_webpush.peer() as peer:
            yield peer

    @pytest.fixture
    def settings(self, make_settings: Any, service: peer_webpush.PushService) -> Any:
        return make_settings(channel_push=patient(service.dsn), outbound_allow=["127.0.0.0/8"])

    async def test_a_subscription_is_sent_to_and_ends_when_it_is_gone(
        self, gateway: Gateway, ada: Any, drain: Any, service: peer_webpush.PushService
    ) -> None:
        good = await gateway.send(ada, service.recipient, "push", "Hello", title="News")
        gone = await gateway.send(ada, service.bad_recipient, "push")
        await drain("push")
        assert [await gateway.state(id) for id in (good, gone)] == ["sent", "failed"]
        (received,) = service.received
        assert (received.key, received.body) == (f"{good}.0", "Hello")
        service.script(Scenario.transient)
        again = await gateway.send(ada, service.recipient, "push")
        await drain("push")
        service.script(Scenario.accept)
        await gateway.hasten()
        await drain("push")
        assert service.received[-1].key == f"{again}.1"
