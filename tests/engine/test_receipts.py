"""Delivery reports: in any order, early, twice, for the wrong message, many at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from channels.port import Receipt, Result
from core.ids import uuid7
from core.settings import Settings
from engine.direct.outcomes import DirectState, record
from engine.reports import report_writer
from engine.reports.report import Applied
from engine.reports.report_writer import receive_receipts as receive
from engine.worker import receive_events
from shapes.messages import DeliveryState
from tests.channels import peer_smpp
from tests.channels.peer import Scenario, patient
from tests.channels.peer_smpp import Session, Smsc
from tests.support.early import retry_early
from tests.support.gateway import Gateway, smpp_receipt
from tests.support.waits import WAITING, until

SENT, DELIVERED, FAILED = Result.sent, Result.delivered, Result.refused


async def at(gateway: Gateway, person: Any, state: str, provider: str = "twilio", id: str = "SM1") -> UUID:
    """A message that the provider knows as `id`."""
    made = await gateway.send(person)
    await gateway.set(
        f"state = 'sending', handed_at = now(), provider = '{provider}', provider_message_id = '{id}'", made
    )
    if state != "sending":
        await gateway.set(f"state = '{state}'", made)
    return made


async def report(gateway: Gateway, *results: tuple[str, Result] | Result, provider: str = "twilio") -> int:
    said = [result if isinstance(result, tuple) else ("SM1", result) for result in results]
    async with gateway.db.reading() as db:
        return (await receive(db, provider, [Receipt(*result) for result in said])).changed


async def early(gateway: Gateway) -> int:
    return await gateway.count("early_reports")


# Order


ORDERS = [
    ("sent", [DELIVERED], "delivered"),
    ("sent", [FAILED], "failed"),
    ("sent", [SENT], "sent"),
    ("unknown", [SENT], "sent"),
    ("unknown", [DELIVERED], "delivered"),
    ("unknown", [FAILED], "failed"),
    ("sending", [SENT], "sent"),
    ("sending", [DELIVERED], "delivered"),
    ("sending", [FAILED], "failed"),
    ("sent", [DELIVERED, SENT], "delivered"),
    ("sent", [DELIVERED, FAILED], "delivered"),
    ("sent", [FAILED, DELIVERED], "delivered"),
    ("unknown", [DELIVERED, SENT, FAILED, DELIVERED], "delivered"),
    ("sent", [FAILED, FAILED, SENT], "failed"),
]


async def test_no_status_moves_back(gateway: Gateway, ada: Any) -> None:
    for number, (state, results, ends) in enumerate(ORDERS):
        id = await at(gateway, ada, state, id=f"SM{number}")
        for result in results:
            await report(gateway, (f"SM{number}", result))
        row = await gateway.row(id)
        assert row["state"] == ends, (state, results)
        assert (row["delivered_at"] is not None) == (ends == "delivered")
        assert row["delivered_at"] is None or row["sent_at"] <= row["delivered_at"]
    assert await early(gateway) == 0


async def test_of_several_at_once_the_one_that_says_most_counts(gateway: Gateway, ada: Any) -> None:
    id = await at(gateway, ada, "sent")
    assert await report(gateway, DELIVERED, SENT, FAILED, DELIVERED) == 1
    assert await gateway.state(id) == "delivered"
    assert await report(gateway, DELIVERED, SENT) == 0


async def test_a_failure_says_why_and_a_success_forgets_it(gateway: Gateway, ada: Any) -> None:
    id = await at(gateway, ada, "sent")
    async with gateway.db.reading() as db:
        await receive(db, "twilio", [Receipt("SM1", FAILED, "blocked", "Twilio 30004: blocked")])
    row = await gateway.row(id)
    assert (row["failure_code"], row["failure_reason"]) == ("blocked", "Twilio 30004: blocked")
    other = await at(gateway, ada, "unknown", id="SM2")
    await gateway.set("failure_code = 'timeout', failure_reason = 'x'", other)
    await report(gateway, ("SM2", DELIVERED))
    assert (await gateway.row(other))["failure_code"] is None


async def test_what_a_holder_writes_after_the_receipt_changes_nothing(gateway: Gateway, ada: Any) -> None:
    """The receipt came while the message was still in our hands: it was unknown, its holder lives."""
    id = await at(gateway, ada, "unknown")
    claim = uuid7()
    await gateway.db.fetch("UPDATE messages SET claim_id = $1", claim)
    await report(gateway, DELIVERED)
    async with gateway.db.reading() as db:
        assert await record(db, claim, [DirectState(id, DeliveryState.sent, 0, "twilio", "SM1")]) == []
        assert await record(db, claim, [DirectState(id, DeliveryState.failed, 1, "twilio")]) == []
    assert await gateway.state(id) == "delivered"


# Many at once


async def test_twenty_failures_at_once_are_one_refund(gateway: Gateway, ada: Any) -> None:
    id = await at(gateway, ada, "sent")
    counted = await asyncio.gather(*(report(gateway, FAILED) for _ in range(20)))
    assert sorted(counted) == [0] * 19 + [1]
    assert await gateway.refunds(id) == 1


async def test_a_failure_and_a_delivery_at_once_agree_on_one_end(gateway: Gateway, ada: Any) -> None:
    ids = [await at(gateway, ada, "sent", id=f"SM{number}") for number in range(10)]
    each = [
        report(gateway, (f"SM{number}", result))
        for number in range(10)
        for result in (FAILED, DELIVERED, SENT)
    ]
    assert 10 <= sum(await asyncio.gather(*each)) <= 20
    assert {await gateway.state(id) for id in ids} == {"delivered"}


async def test_batches_in_opposite_orders_all_get_through(
    gateway: Gateway, people: Any, services: Any
) -> None:
    """Each of them locks many messages and accounts; who loses a deadlock tries again."""
    payers = [await people.make(credit="1") for _ in range(8)]
    ids = {
        f"SM{number}": await at(gateway, payers[number % 8], "sent", "sandbox", f"SM{number}")
        for number in range(40)
    }
    (channel,) = services.routes.of("sms")
    there = [Receipt(id, FAILED) for id in ids]
    counted = await asyncio.gather(
        *(receive_events(services, channel, there if number % 2 else there[::-1]) for number in range(16))
    )
    assert sum(counted) == 40
    assert await gateway.states() == {"failed": 40}


async def test_an_event_that_loses_a_deadlock_is_tried_again(services: Any, monkeypatch: Any) -> None:
    (channel,) = services.routes.of("sms")
    tries = 0

    async def loses(db: Any, provider: str, receipts: Any, carries: str) -> Applied:
        nonlocal tries
        tries += 1
        if tries < 3 or provider == "hopeless":
            raise asyncpg.DeadlockDetectedError("deadlock detected")
        return Applied(changed=7)

    monkeypatch.setattr(report_writer, "receive_receipts", loses)
    assert await receive_events(services, channel, [Receipt("SM1", SENT)]) == 7
    assert tries == 3
    monkeypatch.setattr(services.routes, "label", lambda _: "hopeless")
    with pytest.raises(asyncpg.DeadlockDetectedError):
        await receive_events(services, channel, [Receipt("SM1", SENT)])
    assert await receive_events(services, channel, []) == 0


# Early ones


async def sending(gateway: Gateway, person: Any) -> tuple[UUID, UUID]:
    """A message in a provider's hands, and its claim."""
    id, claim = await gateway.send(person), uuid7()
    await gateway.set(f"state = 'sending', handed_at = now(), provider = 'twilio', claim_id = '{claim}'", id)
    return id, claim


async def test_a_receipt_that_comes_before_we_know_the_message(gateway: Gateway, ada: Any) -> None:
    id, claim = await sending(gateway, ada)
    assert await report(gateway, SENT) == 0
    assert await report(gateway, DELIVERED) == 0
    assert await report(gateway, DELIVERED) == 0  # told twice, and kept once
    assert await early(gateway) == 2
    async with gateway.db.reading() as db:
        await record(db, claim, [DirectState(id, DeliveryState.sent, 0, "twilio", "SM1")])
        assert await retry_early(db, "twilio", ["SM1"]) == 1
        assert await retry_early(db, "twilio", ["SM1"]) == 0
    row = await gateway.row(id)
    assert row["state"] == "delivered"
    assert row["sent_at"] <= row["delivered_at"]
    assert await early(gateway) == 0


@pytest.mark.parametrize("result", [DELIVERED, FAILED])
async def test_our_commit_comes_while_the_receipt_is_being_kept(
    result: Result, gateway: Gateway, ada: Any
) -> None:
    """Looked for in vain, kept; our record and its settling come in between; the receipt's own settling finds it."""
    id, claim = await sending(gateway, ada)
    async with gateway.db.reading() as ours, gateway.db.reading() as theirs:
        transaction = theirs.transaction()
        await transaction.start()
        assert await receive_until_kept(theirs, result)
        await record(ours, claim, [DirectState(id, DeliveryState.sent, 0, "twilio", "SM1")])
        assert await retry_early(ours, "twilio", ["SM1"]) == 0  # it is not committed yet
        assert await gateway.state(id) == "sent"
        await transaction.commit()
        assert await retry_early(theirs, "twilio", ["SM1"]) == 1  # as `receive` does
    assert await gateway.state(id) == ("delivered" if result is DELIVERED else "failed")
    assert await early(gateway) == 0


async def receive_until_kept(db: asyncpg.Connection, result: Result) -> bool:
    """`receive` inside a transaction that stays open: its last step settles nothing yet."""
    counted = (await receive(db, "twilio", [Receipt("SM1", result, "expired", "late")])).changed
    return counted == 0 and bool(await db.fetchval("SELECT count(*) FROM early_reports"))


@pytest.mark.parametrize("result", [DELIVERED, FAILED])
async def test_the_receipt_comes_while_our_record_is_being_written(
    result: Result, gateway: Gateway, ada: Any
) -> None:
    id, claim = await sending(gateway, ada)
    async with gateway.db.reading() as ours:
        transaction = ours.transaction()
        await transaction.start()
        await record(ours, claim, [DirectState(id, DeliveryState.sent, 0, "twilio", "SM1")])
        assert await report(gateway, result) == 0  # kept: our commit can't be seen yet
        await transaction.commit()
        assert await retry_early(ours, "twilio", ["SM1"]) == 1  # as the dispatcher does after each record
    assert await gateway.state(id) == ("delivered" if result is DELIVERED else "failed")


async def test_racing_records_and_receipts_leave_nothing_behind(gateway: Gateway, ada: Any) -> None:
    made = [await sending(gateway, ada) for _ in range(30)]

    async def ours(number: int, id: UUID, claim: UUID) -> None:
        async with gateway.db.reading() as db:
            await record(db, claim, [DirectState(id, DeliveryState.sent, 0, "twilio", f"SM{number}")])
            await retry_early(db, "twilio", [f"SM{number}"])

    both = [
        coroutine
        for number, (id, claim) in enumerate(made)
        for coroutine in (ours(number, id, claim), report(gateway, (f"SM{number}", DELIVERED)))
    ]
    await asyncio.gather(*both)
    assert await gateway.states() == {"delivered": 30}
    assert await early(gateway) == 0


# Whose id?


async def test_ids_of_two_providers_do_not_cross(gateway: Gateway, ada: Any) -> None:
    ours = await at(gateway, ada, "sent", "twilio", "1")
    other = await at(gateway, ada, "sent", "smpp", "1")
    second = await at(gateway, ada, "sent", "smpp-2", "1")
    await report(gateway, ("1", FAILED), provider="smpp")
    assert [await gateway.state(id) for id in (ours, other, second)] == ["sent", "failed", "sent"]
    await report(gateway, ("1", DELIVERED), provider="webpush")
    assert await early(gateway) == 1
    async with gateway.db.reading() as db:
        assert await retry_early(db, "twilio", ["1"]) == 0
    assert [await gateway.state(id) for id in (ours, second)] == ["sent", "sent"]


async def test_an_id_that_a_provider_gives_twice_is_the_newest_messages(gateway: Gateway, ada: Any) -> None:
    """An SMSC that counts from 1 again after a restart. Only one message may be refunded for one report."""
    old = await at(gateway, ada, "sent", "smpp", "1")
    await gateway.set("handed_at = now() - interval '3 days'", old)
    new = await at(gateway, ada, "sent", "smpp", "1")
    assert await report(gateway, ("1", FAILED), provider="smpp") == 1
    assert [await gateway.state(id) for id in (old, new)] == ["sent", "failed"]
    # A report about the newest that says nothing new is not given to an older one.
    assert await report(gateway, ("1", FAILED), provider="smpp") == 0
    assert await gateway.state(old) == "sent"


async def test_a_report_is_never_about_a_message_that_came_in(gateway: Gateway, ada: Any) -> None:
    id = await at(gateway, ada, "sent", "smpp", "1")
    await gateway.db.fetch(
        'INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", sender, body, provider,'
        " provider_message_id, handed_at) VALUES ($1, $2, $3, 'inbound', 'sms', 'delivered', 'Acme', '+1', 'x',"
        " 'smpp', '1', now() + interval '1 hour')",
        uuid7(), ada.id, ada.account_id,
    )  # fmt: skip
    assert await report(gateway, ("1", DELIVERED), provider="smpp") == 1
    assert await gateway.state(id) == "delivered"


# An SMSC


@pytest.fixture
async def smscs() -> AsyncIterator[list[Smsc]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(peer_smpp.peer()) for _ in range(2)]


class TestSmsc:
    @pytest.fixture
    def settings(self, make_settings: Any, smscs: list[Smsc]) -> Settings:
        made: Settings = make_settings(channel_sms=",".join(patient(server.dsn) for server in smscs))
        return made

    async def test_a_receipt_delivers(
        self, gateway: Gateway, ada: Any, drain: Any, smscs: list[Smsc]
    ) -> None:
        good, bad = await gateway.send(ada), await gateway.send(ada)
        await drain("sms")
        assert await gateway.states() == {"sent": 2}
        session = smscs[0].bound()
        answers = [
            await session.deliver(
                smpp_receipt((await gateway.row(good))["provider_message_id"]), esm_class=4
            ),
            await session.deliver(
                smpp_receipt((await gateway.row(bad))["provider_message_id"], "UNDELIV"), esm_class=4
            ),
        ]
        assert answers == [0, 0]
        # The SMSC had its answer, so it is written down.
        assert [await gateway.state(id) for id in (good, bad)] == ["delivered", "failed"]
        assert (await gateway.row(bad))["failure_code"] == "undeliverable"

    async def test_a_receipt_delivers_after_one_that_failed(
        self, gateway: Gateway, ada: Any, drain: Any, smscs: Any
    ):
        id = await gateway.send(ada)
        await drain("sms")
        number = (await gateway.row(id))["provider_message_id"]
        for stat in ("UNDELIV", "DELIVRD", "UNDELIV"):
            assert await smscs[0].bound().deliver(smpp_receipt(number, stat), esm_class=4) == 0
        assert (await gateway.state(id), await gateway.refunds(id)) == ("delivered", 1)

    async def test_an_id_is_shown_as_it_came_and_reports_find_it_in_another_form(
        self, gateway: Gateway, ada: Any, drain: Any, smscs: list[Smsc]
    ) -> None:
        smscs[0].form = "M-{}F"
        id = await gateway.send(ada)
        await drain("sms")
        assert (await ada.rest("GET", f"/messages/{id}")).json()["providerMessageId"] == "M-1F"
        assert await smscs[0].bound().deliver(smpp_receipt("m-1f"), esm_class=4) == 0
        assert await gateway.state(id) == "delivered"

    @pytest.mark.parametrize("form", ["m_{:04}", "M-{}F"])
    async def test_a_receipt_that_overtakes_the_answer(
        self, form: str, gateway: Gateway, ada: Any, drain: Any, smscs: list[Smsc]
    ) -> None:
        delivering: list[asyncio.Task[int]] = []

        def first_the_receipt(session: Session, id: str) -> None:
            delivering.append(asyncio.create_task(session.deliver(smpp_receipt(id.lower()), esm_class=4)))

        smscs[0].form = form
        smscs[0].before_answer = first_the_receipt
        ids = [await gateway.send(ada) for _ in range(20)]
        await drain("sms")
        assert await asyncio.gather(*delivering) == [0] * 20
        await gateway.until(dict.fromkeys(ids, "delivered"))
        assert await early(gateway) == 0

    async def test_two_smscs_that_number_alike(
        self, gateway: Gateway, ada: Any, drain: Any, smscs: list[Smsc]
    ) -> None:
        first = await gateway.send(ada)
        await drain("sms")
        smscs[0].script(Scenario.throttle)
        second = await gateway.send(ada)
        await drain("sms")
        rows = [await gateway.row(id) for id in (first, second)]
        assert [row["provider_message_id"] for row in rows] == ["m_0001", "m_0001"]
        assert [row["provider"] for row in rows] == ["smpp", "smpp-2"]
        assert await smscs[1].bound().deliver(smpp_receipt("m_0001"), esm_class=4) == 0
        assert [await gateway.state(id) for id in (first, second)] == ["sent", "delivered"]

    async def test_a_receipt_that_we_could_not_write_down_is_asked_for_again(
        self, gateway: Gateway, ada: Any, drain: Any, smscs: list[Smsc]
    ) -> None:
        id = await gateway.send(ada)
        await drain("sms")
        async with gateway.db.reading() as db, db.transaction():
            await db.fetch("SELECT FROM messages FOR UPDATE")
            telling = asyncio.create_task(smscs[0].bound().deliver(smpp_receipt("m_0001"), esm_class=4))
            await until(lambda: gateway.db.fetchval(WAITING))
            await gateway.db.fetch(
                "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            assert await telling != 0
        assert await smscs[0].bound().deliver(smpp_receipt("m_0001"), esm_class=4) == 0
        assert await gateway.state(id) == "delivered"
