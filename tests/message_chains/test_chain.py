"""A chain through both doors, with the sandbox as its provider."""

import asyncio
from decimal import Decimal
from typing import Any

import pytest

from channels.port import Receipt, Result
from channels.sandbox import Effect
from engine.worker import receive_events
from runtime.services import Services
from tests.event_feed.test_event_feed import opened, read
from tests.message_chains.made import EMAIL, MAIL, PHONE, SMS, Chains, chain
from tests.support.gateway import MAGIC
from tests.support.people import People, Person

pytestmark = pytest.mark.servers

FAILING = {**SMS, "to": MAGIC["sms"][Effect.failed]}
CENT = Decimal("0.01")


@pytest.fixture
def chains(services: Services, ada: Person) -> Chains:
    return Chains(services, ada)


async def test_the_head_is_the_message_and_its_first_step_alone_is_charged(chains: Chains, drain: Any):
    ada = chains.person
    id = await chains.send(SMS, MAIL)
    listed = (await ada.rest("GET", "/messages")).json()
    assert [item["id"] for item in listed["items"]] == [id]
    assert listed["meta"]["total"] == 1
    shown = await chains.read(id)
    assert (shown["channel"], shown["to"], shown["status"], shown["price"]) == ("sms", PHONE, "queued", 0.01)
    assert [(s["step"], s["channel"], s["deliveryState"], s["price"]) for s in shown["steps"]] == [
        (1, "sms", "queued", 0.01), (2, "email", None, 0),
    ]  # fmt: skip
    assert shown["waitingFor"] is None
    step = shown["steps"][0]["messageId"]
    assert (await ada.rest("GET", f"/messages/{step}")).status_code == 404
    assert await chains.money() == 100 - CENT
    assert await drain("sms") == 1
    await chains.step()
    seen = await ada.data(
        "query($id: ID!) { message(id: $id) { uuid status provider price attempts steps { step deliveryState } } }",
        {"id": id},
    )
    assert seen["message"] == {
        "uuid": id, "status": "sent", "provider": "sandbox", "price": 0.01, "attempts": 0,
        "steps": [{"step": 1, "deliveryState": "sent"}, {"step": 2, "deliveryState": None}],
    }  # fmt: skip


async def test_a_refused_step_is_refunded_and_the_next_one_begins(chains: Chains, drain: Any):
    id = await chains.send(FAILING, MAIL)
    await drain("sms")
    await chains.step()
    shown = await chains.read(id)
    assert (shown["channel"], shown["to"], shown["status"]) == ("email", EMAIL, "queued")
    await drain("email")
    await chains.step()
    shown = await chains.read(id)
    assert (shown["status"], await chains.states(id)) == ("sent", ["failed", "sent"])
    assert shown["price"] == shown["steps"][1]["price"] > 0
    assert shown["steps"][0]["failureCode"] == "invalid_recipient"
    ledger = await chains.person.data(
        "query($id: ID!) { message(id: $id) { ledgerEntries { kind } } }", {"id": id}
    )
    kinds = [entry["kind"] for entry in ledger["message"]["ledgerEntries"]]
    assert sorted(kinds) == ["charge", "charge", "refund"]
    assert await chains.money() == 100 - Decimal(str(shown["price"]))


async def test_a_silent_step_gives_way_after_its_time_and_both_may_arrive(chains: Chains, drain: Any):
    id = await chains.send(SMS, MAIL)
    await drain("sms")
    await chains.step()
    assert await chains.states(id) == ["sent", None]
    await chains.pass_time(61)
    await chains.step()
    await drain("email")
    await chains.report(id, 1)
    await chains.report(id, 1)
    await chains.step()
    shown = await chains.read(id)
    assert (shown["channel"], shown["status"]) == ("sms", "delivered")
    await chains.report(id, 2)
    await chains.step()
    shown = await chains.read(id)
    assert [step["deliveryState"] for step in shown["steps"]] == ["delivered", "delivered"]
    assert (shown["channel"], shown["price"]) == ("sms", sum(step["price"] for step in shown["steps"]))
    assert await chains.money() == 100 - Decimal(str(shown["price"]))


async def test_a_late_delivery_cancels_what_is_still_queued_and_pays_it_back(chains: Chains, drain: Any):
    id = await chains.send(SMS, MAIL)
    await drain("sms")
    await chains.pass_time(61)
    await chains.step()
    assert await chains.states(id) == ["sent", "queued"]
    await chains.report(id, 1)
    await chains.step()
    shown = await chains.read(id)
    assert [step["deliveryState"] for step in shown["steps"]] == ["delivered", "canceled"]
    assert (shown["status"], shown["price"], shown["failureCode"]) == ("delivered", 0.01, None)
    assert await chains.money() == 100 - CENT
    assert await drain("email") == 0


async def test_a_step_that_no_provider_takes_in_time_is_not_sent_later(chains: Chains, drain: Any):
    id = await chains.send(SMS, MAIL)
    await chains.pass_time(61)
    await chains.step()
    assert await drain("sms") == 0
    await chains.step()
    assert await chains.states(id) == ["failed", "queued"]
    assert (await chains.read(id))["steps"][0]["failureCode"] == "expired"


async def test_a_step_that_is_not_sent_in_time_pays_for_the_next_one(people: People, services: Services):
    poor = Chains(services, await people.make(credit="0.01"))
    id = await poor.send(SMS, {"channel": "sms", "to": "+14155550177"})
    await poor.pass_time(61)
    await poor.step()
    shown = await poor.read(id)
    assert [step["deliveryState"] for step in shown["steps"]] == ["failed", "queued"]
    assert (shown["status"], shown["price"], shown["failureCode"]) == ("queued", 0.01, None)
    assert await poor.money() == 0


async def test_the_next_step_waits_for_one_that_a_worker_has_and_does_not_send(
    people: People, services: Services
):
    poor = Chains(services, await people.make(credit="0.01"))
    id = await poor.send(SMS, {"channel": "sms", "to": "+14155550177"})
    await poor.pass_time(61)
    async with services.db.transaction() as db:
        await db.fetch("SELECT FROM messages WHERE step = 1 FOR UPDATE")
        await poor.step()
    assert await poor.states(id) == ["queued", None]
    await poor.pass_time(2)
    await poor.step()
    assert await poor.states(id) == ["failed", "queued"]


async def test_the_chain_has_failed_when_all_steps_have(chains: Chains, drain: Any):
    id = await chains.send(FAILING, {**MAIL, "to": MAGIC["email"][Effect.failed]})
    for channel in ("sms", "email"):
        await drain(channel)
        await chains.step()
    shown = await chains.read(id)
    assert (shown["status"], shown["channel"], shown["price"]) == ("failed", "email", 0)
    assert await chains.money() == 100


async def test_a_step_whose_recipient_is_blocked_counts_as_failed(chains: Chains, drain: Any):
    last = {"channel": "sms", "to": "+14155550177"}
    id = await chains.send(FAILING, {**MAIL, "within": 60}, last)
    assert (await chains.person.rest("POST", f"/block/{EMAIL}")).status_code < 300
    await drain("sms")
    await chains.step()
    shown = await chains.read(id)
    assert [(s["deliveryState"], s["failureCode"]) for s in shown["steps"]] == [
        ("failed", "invalid_recipient"), ("failed", "recipient_blocked"), ("queued", None),
    ]  # fmt: skip
    assert shown["to"] == "+14155550177"


async def test_without_money_for_a_step_the_chain_fails_and_earlier_steps_stay_charged(
    people: People, services: Services, drain: Any
):
    poor = Chains(services, await people.make(credit="0.01"))
    id = await poor.send(SMS, {"channel": "sms", "to": "+14155550177"})
    await drain("sms")
    await poor.pass_time(61)
    await poor.step()
    shown = await poor.read(id)
    assert (shown["status"], shown["failureCode"], shown["price"]) == ("failed", "insufficient_balance", 0.01)
    assert "step 2" in shown["failureReason"]
    assert await poor.money() == 0
    await poor.report(id, 1)
    await poor.step()
    shown = await poor.read(id)
    assert (shown["status"], shown["failureCode"]) == ("delivered", None)


async def test_the_first_step_is_refused_as_a_message_is(people: People, services: Services):
    poor = await people.make(credit="0.001")
    answer = await poor.rest("POST", "/messages", json=chain(SMS, MAIL))
    assert (answer.status_code, answer.json()["code"]) == (402, "insufficient_balance")
    for table in ("messages", "message_chains", "ledger_entries WHERE kind = 'charge'"):
        assert await services.db.fetchval(f"SELECT count(*) FROM {table}") == 0


async def test_one_key_is_one_chain(chains: Chains, services: Services):
    async def send() -> Any:
        return await chains.person.rest(
            "POST", "/messages", json=chain(SMS, MAIL), headers={"Idempotency-Key": "k1"}
        )

    answers = [*await asyncio.gather(*(send() for _ in range(8)))]
    answers.append(await send())
    ids = {answer.json()["id"] for answer in answers if answer.status_code == 202}
    assert len(ids) == 1
    assert {answer.status_code for answer in answers} <= {202, 409}
    assert await services.db.fetchval("SELECT count(*) FROM message_chains") == 1
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 2
    assert answers[-1].json()["channel"] == "sms"


async def test_the_counters_have_a_chain_once(chains: Chains, services: Services, drain: Any):
    await chains.send(FAILING, MAIL)
    await drain("sms")
    await chains.step()
    await drain("email")
    await chains.step()
    rows = await services.db.fetch(
        "SELECT channel, state, sum(stored)::int AS stored FROM message_counters GROUP BY 1, 2 HAVING sum(stored) <> 0"
    )
    assert [tuple(row) for row in rows] == [("email", "sent", 1)]
    outcomes = await services.db.fetchrow(
        "SELECT sum(sent)::int AS sent, sum(failed)::int AS failed, sum(queued)::int AS queued FROM outcome_counters"
    )
    assert tuple(outcomes) == (1, 0, 0)


@pytest.mark.parametrize("first", [FAILING, SMS], ids=["that fails", "that arrives late"])
async def test_statistics_by_time_have_a_chain_once(
    first: Any, chains: Chains, services: Services, drain: Any
):
    counted = """
SELECT channel, sum(queued)::int, sum(sent)::int, sum(delivered)::int, sum(failed)::int FROM message_buckets
GROUP BY channel ORDER BY channel
"""
    id = await chains.send(first, MAIL)
    await drain("sms")
    await chains.step()
    await chains.pass_time(61)
    await chains.step()
    await drain("email")
    await chains.step()
    await chains.report(id, 2)
    if first == SMS:
        await chains.report(id, 1)
    await chains.step()
    (email, sms) = [tuple(row) for row in await services.db.fetch(counted)]
    if first == SMS:
        assert (email, sms) == (("email", 0, 0, 1, 0), ("sms", 1, 1, 0, 0))
    else:
        assert (email, sms) == (("email", 0, 1, 1, 0), ("sms", 1, 0, 0, 0))


async def test_two_steps_by_one_channel_are_sent_once(chains: Chains, services: Services, drain: Any):
    id = await chains.send(SMS, {"channel": "sms", "to": "+14155550177"})
    await drain("sms")
    await chains.step()
    sent_at = "SELECT sent_at FROM messages WHERE step = 0"
    first = await services.db.fetchval(sent_at)
    assert first is not None
    await chains.pass_time(61)
    await chains.step()
    await drain("sms")
    await chains.step()
    assert await chains.states(id) == ["sent", "sent"]
    assert await services.db.fetchval(sent_at) == first
    assert await services.db.fetchval("SELECT sum(sent) FROM message_buckets") == 1


async def test_events_are_those_of_the_head(chains: Chains, drain: Any):
    ada = chains.person
    cursor = await opened(ada)
    id = await chains.send(FAILING, MAIL)
    await drain("sms")
    await chains.step()
    await drain("email")
    await chains.report(id, 2)
    await chains.step()
    events = [event for event in (await read(ada, cursor))["events"] if event["subject"] == "message"]
    assert {event["subjectId"] for event in events} == {id}
    assert [event["type"] for event in events] == [
        "message.queued", "message.stepped", "message.delivered", "message.settled",
    ]  # fmt: skip
    assert (events[1]["data"]["step"], events[1]["data"]["stepCount"]) == (2, 2)


async def test_a_report_that_names_the_head_changes_nothing(chains: Chains, services: Services, drain: Any):
    id = await chains.send(SMS, MAIL)
    await drain("sms")
    await chains.step()
    (route,) = services.routes.of("sms")
    await receive_events(services, route, [Receipt(id, Result.refused)])
    await chains.step()
    assert (await chains.read(id))["status"] == "sent"


@pytest.mark.parametrize("with_email", [True, False])
async def test_the_contact_chooses_the_addresses(chains: Chains, with_email: bool):
    addresses = [{"channel": "sms", "address": PHONE}]
    if with_email:
        addresses.append({"channel": "email", "address": EMAIL})
    made = await chains.person.rest("POST", "/contacts", json={"externalId": "1", "addresses": addresses})
    assert made.status_code < 300, made.text
    steps: list[dict[str, Any]] = [{"channel": "email", "within": 60}, {"channel": "sms"}]
    id = await chains.send(*steps, contactId=made.json()["id"])
    assert [step["to"] for step in (await chains.read(id))["steps"]] == ([EMAIL] if with_email else []) + [
        PHONE
    ]
    answer = await chains.person.rest(
        "POST", "/messages", json=chain({"channel": "push"}, contactId=made.json()["id"])
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "no_address")


async def test_a_contact_of_another_user_is_not_found(chains: Chains, bob: Person):
    made = (await bob.rest("POST", "/contacts", json={"externalId": "1"})).json()
    answer = await chains.person.rest(
        "POST", "/messages", json=chain({"channel": "sms"}, contactId=made["id"])
    )
    assert (answer.status_code, answer.json()["code"]) == (404, "contact_not_found")
