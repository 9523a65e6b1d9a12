"""The receipt of a message whose answer was lost names it by recipient and reference, and nothing else does."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from channels import connect
from channels.port import MessageReference, Receipt, Result
from core.ids import uuid7
from engine.reports.report_writer import receive_receipts, retry_recent
from tests.channels.peer_smpp import peer
from tests.support.fake_channels import use
from tests.support.gateway import Gateway, smpp_receipt
from tests.support.waits import until

TO = "+14155550100"
DELIVERED, FAILED = Result.delivered, Result.refused


async def unknown(gateway: Gateway, person: Any, to: str = TO, **changes: str) -> UUID:
    """A message that the route had, and whose answer was lost."""
    id = await gateway.send(person, to)
    columns = {"state": "'unknown'", "handed_at": "now()", "provider": "'smpp'", "failure_code": "'timeout'"}
    await gateway.set(", ".join(f"{name} = {value}" for name, value in {**columns, **changes}.items()), id)
    return id


def receipt(id: UUID, to: str = TO, number: str = "n1", result: Result = DELIVERED) -> Receipt:
    return Receipt(number, result, reference=MessageReference(to, id.hex[-4:]))


async def receive(gateway: Gateway, *receipts: Receipt, provider: str = "smpp") -> int:
    async with gateway.db.reading() as db:
        return (await receive_receipts(db, provider, receipts, "sms")).changed


@pytest.mark.parametrize(
    ("result", "state"), [(DELIVERED, "delivered"), (FAILED, "failed"), (Result.sent, "sent")]
)
async def test_a_receipt_says_what_became_of_an_unknown_message(
    gateway: Gateway, ada: Any, result: Result, state: str
) -> None:
    id = await unknown(gateway, ada)
    assert await receive(gateway, receipt(id, result=result)) == 1
    row = await gateway.row(id)
    assert (row["state"], row["provider_message_id"]) == (state, "n1")
    assert await gateway.refunds(id) == (1 if result is FAILED else 0)
    assert await gateway.count("early_reports") == 0


async def test_the_next_receipt_is_found_by_its_number(gateway: Gateway, ada: Any) -> None:
    id = await unknown(gateway, ada)
    await receive(gateway, receipt(id, result=Result.sent))
    assert await gateway.state(id) == "sent"
    await receive(gateway, Receipt("n1", DELIVERED))
    assert await gateway.state(id) == "delivered"


@pytest.mark.parametrize(
    "changes",
    [
        {"provider": "'smpp-2'"},
        {"state": "'sent'"},
        {"state": "'queued'"},
        {"provider_message_id": "'other'"},
        {"handed_at": "now() - interval '73 hours'"},
    ],
)
async def test_no_other_message_is_meant(gateway: Gateway, ada: Any, changes: dict[str, str]) -> None:
    id = await unknown(gateway, ada, **changes)
    before = await gateway.state(id)
    assert await receive(gateway, receipt(id)) == 0
    assert await gateway.state(id) == before
    assert await gateway.count("early_reports") == 1


async def test_neither_another_recipient_nor_another_reference_is_meant(gateway: Gateway, ada: Any) -> None:
    id = await unknown(gateway, ada)
    assert await receive(gateway, receipt(id, "+14155550101")) == 0
    other = UUID(int=id.int ^ 1)
    assert await receive(gateway, receipt(other)) == 0
    assert await gateway.state(id) == "unknown"


async def test_two_messages_of_one_name_stay_unknown(gateway: Gateway, ada: Any) -> None:
    first = await unknown(gateway, ada)
    await gateway.db.fetch(
        'INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body, provider, handed_at)'
        " VALUES ($1, $2, $3, 'outbound', 'sms', 'unknown', $4, 'x', 'smpp', now())",
        UUID(int=uuid7().int >> 16 << 16 | first.int & 0xFFFF), ada.id, ada.account_id, TO,
    )  # fmt: skip
    assert await receive(gateway, receipt(first)) == 0
    assert await gateway.states() == {"unknown": 2}


async def test_two_numbers_for_one_message_are_no_answer(gateway: Gateway, ada: Any) -> None:
    id = await unknown(gateway, ada)
    assert await receive(gateway, receipt(id, number="n1"), receipt(id, number="n2", result=FAILED)) == 0
    assert await gateway.state(id) == "unknown"


async def test_a_number_that_is_known_goes_first(gateway: Gateway, ada: Any) -> None:
    id = await unknown(gateway, ada)
    other = await unknown(gateway, ada, state="'sent'", provider_message_id="'n1'")
    assert await receive(gateway, receipt(id)) == 1
    assert [await gateway.state(each) for each in (id, other)] == ["unknown", "delivered"]


async def test_a_receipt_before_the_answer_is_lost_is_kept(gateway: Gateway, ada: Any) -> None:
    id = await unknown(gateway, ada, state="'sending'", claim_id=f"'{uuid7()}'")
    assert await receive(gateway, receipt(id)) == 0
    (event,) = await gateway.db.fetch("SELECT event::text AS event FROM early_reports")
    assert TO[1:] not in event["event"]  # no recipient is kept with reports
    await gateway.set("state = 'unknown', claim_id = NULL", id)
    await gateway.db.fetch("UPDATE early_reports SET received_at = now() - interval '61 seconds'")
    await gateway.set("handed_at = now() - interval '62 seconds'", id)
    await retry_recent(gateway.services)
    assert await gateway.state(id) == "delivered"
    assert await gateway.count("early_reports") == 0


async def test_a_message_of_a_connection_that_broke_is_delivered_by_its_receipt(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    """From the wire to the row: the SMSC takes it, resets the connection, and reports on the next one."""

    async def store(channel: Any, events: Any) -> None:
        await receive(gateway, *events)

    async with peer() as smsc:
        route = connect("sms", smsc.options("from=Acme&reference=1"))
        use(gateway.services, route, kind="sms", label="smpp")
        await route.open(store)
        try:
            id = await gateway.send(ada, TO)
            smsc.statuses.append(None)
            draining = asyncio.create_task(drain("sms"))
            await until(lambda: bool(smsc.submitted))
            smsc.bound().reset()
            await draining
            assert await gateway.state(id) == "unknown"
            await until(lambda: bool(smsc.live()))
            reference = smsc.submitted[0].user_message_reference
            assert reference == id.int & 0xFFFF
            answer = await smsc.bound().deliver(
                smpp_receipt("m_0001"), esm_class=4, user_message_reference=reference
            )
            assert answer == 0
            assert await gateway.state(id) == "delivered"
            assert len(smsc.submitted) == 1
            # The SMSC can report before the connection breaks.
            id = await gateway.send(ada, TO)
            smsc.statuses.append(None)
            draining = asyncio.create_task(drain("sms"))
            await until(lambda: len(smsc.submitted) == 2)
            session, reference = smsc.bound(), smsc.submitted[1].user_message_reference
            assert (
                await session.deliver(smpp_receipt("m_2"), esm_class=4, user_message_reference=reference) == 0
            )
            assert await gateway.count("early_reports") == 1
            session.reset()
            await draining
            assert await gateway.state(id) == "delivered"
        finally:
            await route.close()
