"""The price of a message is what it costs: nothing once it has failed and was refunded."""

from typing import Any
from uuid import UUID

import pytest

from channels.port import Receipt, Result
from engine.worker import receive_events
from tests.event_feed.test_event_feed import opened, read
from tests.support.gateway import MAGIC
from tests.support.people import Person

QUERY = "query($id: ID!) { message(id: $id) { price deliveryState ledgerEntries { kind amount } } }"


async def shown(person: Person, id: str) -> set[float]:
    """Returns the prices that both doors show."""
    one = (await person.rest("GET", f"/messages/{id}")).json()["price"]
    listed = {item["id"]: item["price"] for item in (await person.rest("GET", "/messages")).json()["items"]}[
        id
    ]
    message = (await person.data(QUERY, {"id": id}))["message"]
    nodes = (await person.data("{messages(first:10){nodes{uuid price}}}"))["messages"]["nodes"]
    return {one, listed, message["price"], *(node["price"] for node in nodes if node["uuid"] == id)}


async def test_a_refunded_message_costs_nothing(ada: Person, services: Any, drain: Any):
    new = {"to": MAGIC["sms"]["failed"], "channel": "sms", "body": "x"}
    start = await opened(ada)
    made = (await ada.rest("POST", "/messages", json=new)).json()
    assert made["price"] > 0
    assert await shown(ada, made["id"]) == {made["price"]}
    await drain("sms")
    assert await shown(ada, made["id"]) == {0}
    entries = (await ada.data(QUERY, {"id": made["id"]}))["message"]["ledgerEntries"]
    assert [entry["kind"] for entry in entries] == ["charge", "refund"]
    assert sum(entry["amount"] for entry in entries) == 0
    events = (await read(ada, start))["events"]
    prices = {each["type"]: each["data"]["price"] for each in events if each["type"].startswith("message.")}
    assert (prices["message.queued"], prices["message.refused"]) == (made["price"], 0)


async def test_one_that_was_delivered_after_all_has_its_price_again(ada: Person, services: Any, drain: Any):
    made = (
        await ada.rest("POST", "/messages", json={"to": "+14155550100", "channel": "sms", "body": "x"})
    ).json()
    await drain("sms")
    for result, price in ((Result.refused, 0), (Result.delivered, made["price"])):
        await receive_events(services, services.routes.of("sms")[0], [Receipt(str(UUID(made["id"])), result)])
        assert await shown(ada, made["id"]) == {price}


@pytest.mark.parametrize("channel", ["sms", "email"])
async def test_what_only_the_owner_s_hook_calls_failed_is_paid(channel: str, ada: Person, drain: Any):
    to = {"sms": "+14155550100", "email": "a@example.com"}[channel]
    made = (await ada.rest("POST", "/messages", json={"to": to, "channel": channel, "body": "x"})).json()
    await drain(channel)
    await ada.rest("POST", f"/delivery-hook/{ada.id}", json=[{"messageId": made["id"], "status": "failed"}])
    assert await shown(ada, made["id"]) == {made["price"]}
