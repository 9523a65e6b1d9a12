"""A retry that was canceled is what the attempt before it has become: delivered and paid, or canceled and refunded."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import permutations
from typing import Any
from uuid import UUID

import pytest

from tests.engine.test_report_sets import World, balance_of
from tests.support.gateway import Gateway, gateway
from tests.support.people import Person
from tests.support.records import Records, records

__all__ = ["gateway", "records"]


async def retried(gateway: Gateway, ada: Person) -> UUID:
    """Makes a message whose first attempt has failed, and which waits for the next one."""
    id = await gateway.send(ada)
    await gateway.set("state = 'sending', handed_at = now(), provider = 'twilio'", id)
    await gateway.set("state = 'queued', handed_at = NULL, attempts = 1, failure_code = 'timeout'", id)
    return id


@pytest.mark.parametrize("order", [*permutations(("cancel", "sent", "failed", "delivered"))], ids="-".join)
async def test_a_canceled_retry_is_what_the_attempt_before_has_become(
    order: Sequence[str], gateway: Gateway, ada: Person, services: Any
) -> None:
    """The owner cancels the retry, and gets the price back, but for a message that has arrived: in every order."""
    world = World("messages", gateway, None, ada)  # type: ignore[arg-type]  # it makes no messages of projects
    start = await balance_of(services, ada)
    id = await retried(gateway, ada)
    price = (await world.row(id))["price"]
    for event in order:
        if event == "cancel":
            answer = await ada.rest("DELETE", f"/messages/{id}")
            delivered = order.index("delivered") < order.index("cancel")
            assert answer.status_code == (409 if delivered else 200), answer.text
            assert await balance_of(services, ada) == start - price * delivered
        else:
            await world.report(id, event)
    row = await world.row(id)
    assert (row["status"], row["failure_code"], row["failure_reason"]) == ("delivered", None, None)
    assert row["handed_at"] is not None
    assert await balance_of(services, ada) == start - price
    for again in ("delivered", "failed", "read", "sent"):
        await world.report(id, again)
    assert await balance_of(services, ada) == start - price
    charged = [amount for kind, amount in await world.entries() if kind == "charge"]
    assert charged == [-price] * (1 if delivered else 2)
    shown = (await ada.rest("GET", f"/messages/{id}")).json()
    assert (shown["deliveryState"], Decimal(str(shown["price"]))) == ("delivered", price)


@pytest.mark.parametrize("reports", [("sent",), ("failed",), ("failed", "sent")], ids="-".join)
async def test_a_canceled_retry_stays_so_if_the_attempt_before_has_not_arrived(
    reports: Sequence[str], gateway: Gateway, ada: Person, services: Any
) -> None:
    world = World("messages", gateway, None, ada)  # type: ignore[arg-type]  # it makes no messages of projects
    start = await balance_of(services, ada)
    id = await retried(gateway, ada)
    assert (await ada.rest("DELETE", f"/messages/{id}")).status_code == 200
    for report in reports:
        await world.report(id, report)
    await world.report(id, "delivered", hook=True)  # the owner's hook says nothing of what was canceled
    assert (await world.row(id))["status"] == "canceled"
    assert await balance_of(services, ada) == start


@pytest.mark.parametrize("late", ["never handed over", "after 72 hours"])
async def test_no_report_revives_what_was_canceled_and_can_t_have_arrived(
    late: str, gateway: Gateway, ada: Person, services: Any
) -> None:
    world = World("messages", gateway, None, ada)  # type: ignore[arg-type]  # it makes no messages of projects
    start = await balance_of(services, ada)
    id = await (gateway.send(ada) if late == "never handed over" else retried(gateway, ada))
    assert (await ada.rest("DELETE", f"/messages/{id}")).status_code == 200
    if late == "after 72 hours":
        await gateway.set("updated_at = now() - interval '73 hours'", id)
    await world.report(id, "delivered")
    assert (await world.row(id))["status"] == "canceled"
    assert await balance_of(services, ada) == start


async def test_a_canceled_retry_that_has_arrived_is_owed_if_the_balance_is_spent(
    gateway: Gateway, ada: Person, admin: Person, records: Records
) -> None:
    world = World("messages", gateway, records, ada)
    id = await retried(gateway, ada)
    price = (await world.row(id))["price"]
    assert (await ada.rest("DELETE", f"/messages/{id}")).status_code == 200
    await world.records.make(ada, price=str(await world.balance()))
    await world.report(id, "delivered")
    await world.report(id, "delivered")
    assert (await world.row(id))["status"] == "delivered"
    assert (await world.balance(), await world.owed()) == (Decimal(0), price)
    credit = await admin.rest("POST", f"/accounts/{ada.account_id}/credit", json={"amount": str(price)})
    assert credit.status_code in (200, 201), credit.text
    assert (await world.balance(), await world.owed()) == (Decimal(0), Decimal(0))
