"""A message is sent at its `sendAt`, and can be canceled until it is handed over."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from time import monotonic
from typing import Any
from uuid import UUID, uuid4

import pytest

from channels.sandbox import Effect
from core.ids import least_uuid7
from engine import upkeep
from engine.chains import stepper
from runtime.services import Services
from tests.api_tokens.made import caller, made
from tests.support.gateway import MAGIC
from tests.support.people import Person

SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}
CANCEL = "mutation($id:ID!){cancelMessage(id:$id){uuid deliveryState status price metadata account{uuid}}}"
SEND = "mutation($i:SendMessage!){sendMessage(input:$i){uuid deliveryState metadata waitingFor{code}}}"
STATE = "query($id:ID!){message(id:$id){status deliveryState sendAt waitingFor{code until}}}"
Drain = Callable[[str], Awaitable[int]]


def later(**span: float) -> str:
    return (datetime.now(UTC) + timedelta(**span)).isoformat()


async def send(person: Person, **fields: Any) -> dict[str, Any]:
    answer = await person.rest("POST", "/messages", json={**SMS, **fields})
    assert answer.status_code == 202, answer.text
    message: dict[str, Any] = answer.json()
    return message


async def balance(person: Person) -> Decimal:
    answer = await person.rest("GET", f"/accounts/{person.account_id}/balance")
    return Decimal(str(answer.json()["balance"]))


async def entries(services: Services, id: str) -> list[tuple[str, Decimal]]:
    rows = await services.db.fetch(
        "SELECT kind, amount FROM ledger_entries WHERE reference = $1 ORDER BY id", UUID(id)
    )
    return [(row["kind"], row["amount"]) for row in rows]


async def test_it_waits_for_its_time_and_says_so_in_both_doors(
    ada: Person, drain: Drain, services: Services
) -> None:
    at = later(days=30)
    message = await send(ada, sendAt=at, validSeconds=60)
    id = message["id"]
    shown = message["status"], message["deliveryState"], datetime.fromisoformat(message["sendAt"])
    assert shown == ("queued", "scheduled", datetime.fromisoformat(at))
    assert await drain("sms") == 0
    shown = (await ada.rest("GET", f"/messages/{id}")).json()
    assert (shown["deliveryState"], shown["status"]) == ("scheduled", "queued")
    assert shown["waitingFor"]["code"] == "scheduled"
    assert (await ada.rest("GET", f"/messages/{id}/status")).json()["deliveryState"] == "scheduled"
    sent = (await ada.data(SEND, {"i": {**SMS, "sendAt": at, "metadata": {"a": 1}}}))["sendMessage"]
    assert (sent["deliveryState"], sent["metadata"]) == ("scheduled", {"a": 1})
    assert sent["waitingFor"]["code"] == "scheduled"
    data = (await ada.data(STATE, {"id": id}))["message"]
    assert (data["deliveryState"], data["waitingFor"]["code"]) == ("scheduled", "scheduled")
    # Thirty days later it is due, and has its whole validity from then on.
    await services.db.fetch(
        "UPDATE messages SET created_at = created_at - interval '30 days', due_at = due_at - interval '30 days',"
        " send_at = send_at - interval '30 days', expires_at = expires_at - interval '30 days' WHERE id = $1",
        UUID(id),
    )
    assert await drain("sms") == 1
    assert (await ada.rest("GET", f"/messages/{id}")).json()["deliveryState"] == "sent"


async def test_lists_tell_scheduled_from_queued(ada: Person) -> None:
    scheduled, queued = (await send(ada, sendAt=later(hours=1)))["id"], (await send(ada))["id"]
    query = "query($w:MessageWhere){messages(where:$w){nodes{uuid deliveryState}}}"
    for where, expected in (
        ({"deliveryState": {"eq": "scheduled"}}, [scheduled]),
        ({"deliveryState": {"eq": "queued"}}, [queued]),
        ({"deliveryState": {"in": ["queued", "scheduled"]}}, [queued, scheduled]),
        ({"deliveryState": {"notIn": ["scheduled"]}}, [queued]),
        ({"status": {"eq": "queued"}}, [queued, scheduled]),
        ({"deliveryState": {"in": ["scheduled", "sent"]}, "status": {"eq": "queued"}}, [scheduled]),
    ):
        nodes = (await ada.data(query, {"w": where}))["messages"]["nodes"]
        assert [node["uuid"] for node in nodes] == expected, where
    listed = (await ada.rest("GET", "/messages?status=queued")).json()
    assert {row["id"]: row["deliveryState"] for row in listed["items"]} == {
        scheduled: "scheduled", queued: "queued",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("at", "code"),
    [
        ({"seconds": -55}, None),
        ({"seconds": -65}, "bad_send_at"),
        ({"days": 89.9}, None),
        ({"days": 90.1}, "bad_send_at"),
    ],
    ids=str,
)
async def test_its_time_lies_within_90_days(ada: Person, at: dict[str, float], code: str | None) -> None:
    before = await balance(ada)
    answer = await ada.rest("POST", "/messages", json={**SMS, "sendAt": later(**at)})
    if code is None:
        assert answer.status_code == 202, answer.text
        assert (answer.json()["sendAt"] is None) == (at.get("seconds") == -55)
    else:
        assert (answer.status_code, answer.json()["code"]) == (400, code)
        assert await balance(ada) == before
    no_zone = await ada.rest("POST", "/messages", json={**SMS, "sendAt": "2030-01-01T00:00:00"})
    assert no_zone.status_code == 400


async def test_a_cancel_refunds_once_and_nothing_is_sent(
    ada: Person, drain: Drain, services: Services
) -> None:
    before = await balance(ada)
    first, second = await send(ada, sendAt=later(hours=1)), await send(ada)
    for _ in range(2):
        answer = await ada.rest("DELETE", f"/messages/{first['id']}")
        assert answer.status_code == 200, answer.text
        shown = answer.json()
        assert (shown["deliveryState"], shown["status"], shown["failureCode"]) == (
            "canceled", "failed", "canceled",
        )  # fmt: skip
        assert Decimal(str(shown["price"])) == 0
    data = (await ada.data(CANCEL, {"id": second["id"]}))["cancelMessage"]
    assert (data["deliveryState"], data["status"]) == ("canceled", "failed")
    assert await drain("sms") == 0
    assert await balance(ada) == before
    assert [kind for kind, _ in await entries(services, first["id"])] == ["charge", "refund"]


async def test_after_the_hand_over_it_is_too_late(ada: Person, bob: Person, drain: Drain) -> None:
    id = (await send(ada))["id"]
    assert (await bob.rest("DELETE", f"/messages/{id}")).status_code == 404
    assert (await ada.rest("DELETE", f"/messages/{uuid4()}")).status_code == 404
    await drain("sms")
    after = await balance(ada)
    answer = await ada.rest("DELETE", f"/messages/{id}")
    assert (answer.status_code, answer.json()["code"]) == (409, "already_submitted"), answer.text
    assert await ada.code(CANCEL, {"id": id}) == "already_submitted"
    assert await balance(ada) == after
    assert (await ada.rest("GET", f"/messages/{id}")).json()["deliveryState"] == "sent"


async def test_of_a_cancel_and_the_hand_over_one_wins(ada: Person, drain: Drain, services: Services) -> None:
    before = await balance(ada)
    ids = [(await send(ada))["id"] for _ in range(60)]

    async def cancel(id: str) -> int:
        return int((await ada.rest("DELETE", f"/messages/{id}")).status_code)

    draining = asyncio.create_task(drain("sms"))
    statuses = dict(zip(ids, await asyncio.gather(*map(cancel, ids)), strict=True))
    await draining
    await drain("sms")
    rows = await services.db.fetch("SELECT id, state, price, provider FROM messages WHERE id = ANY($1)", ids)
    assert len(rows) == len(ids)
    for row in rows:
        assert (statuses[str(row["id"])], row["state"]) in ((200, "canceled"), (409, "sent")), row
        assert (row["provider"] is None) == (row["state"] == "canceled")
    paid = sum(row["price"] for row in rows if row["state"] == "sent")
    assert before - await balance(ada) == paid


CHAIN = {
    "body": "hi",
    "chain": [
        {"channel": "sms", "to": "+14155550100", "within": 60, "until": "delivered"},
        {"channel": "email", "to": "anna@example.com"},
    ],
}


async def test_a_chain_begins_at_its_time_and_is_canceled_as_a_whole(
    ada: Person, drain: Drain, services: Services
) -> None:
    before = await balance(ada)
    answer = await ada.rest("POST", "/messages", json={**CHAIN, "sendAt": later(hours=1)})
    assert answer.status_code == 202, answer.text
    chain = answer.json()
    assert chain["deliveryState"] == "scheduled"
    assert len((await ada.rest("GET", f"/messages/{chain['id']}")).json()["steps"]) == 2
    due = await services.db.fetchval(
        "SELECT due_at - now() FROM message_chains WHERE id = $1", UUID(chain["id"])
    )
    assert timedelta(minutes=60) < due < timedelta(minutes=62)
    await stepper.take_chains_on(services)
    assert await drain("sms") == 0
    canceled = await ada.rest("DELETE", f"/messages/{chain['id']}")
    assert canceled.status_code == 200, canceled.text
    shown = canceled.json()
    assert (shown["deliveryState"], shown["steps"][0]["deliveryState"]) == ("canceled", "canceled")
    assert Decimal(str(shown["price"])) == 0 and await balance(ada) == before
    await stepper.take_chains_on(services)
    assert (await ada.rest("GET", f"/messages/{chain['id']}")).json()["deliveryState"] == "canceled"
    assert (await ada.rest("DELETE", f"/messages/{chain['id']}")).status_code == 200


async def test_of_a_chain_under_way_no_further_step_begins(
    ada: Person, drain: Drain, services: Services
) -> None:
    id = (await ada.rest("POST", "/messages", json=CHAIN)).json()["id"]
    await drain("sms")
    await stepper.take_chains_on(services)
    paid = await balance(ada)
    assert (await ada.data(CANCEL, {"id": id}))["cancelMessage"]["deliveryState"] == "sent"
    await services.db.fetch(
        "UPDATE message_chains SET began_at = began_at - interval '1 hour', due_at = now()"
    )
    await stepper.take_chains_on(services)
    shown = (await ada.rest("GET", f"/messages/{id}")).json()
    assert [step["deliveryState"] for step in shown["steps"]] == ["sent", None]
    assert await balance(ada) == paid
    again = await ada.rest("DELETE", f"/messages/{id}")
    assert (again.status_code, again.json()["deliveryState"]) == (200, "sent")


async def test_a_chain_of_which_nothing_was_sent_shows_that_it_was_canceled(
    ada: Person, drain: Drain, services: Services
) -> None:
    before = await balance(ada)
    sms = {**CHAIN["chain"][0], "to": MAGIC["sms"][Effect.failed]}  # type: ignore[dict-item]
    id = (await ada.rest("POST", "/messages", json={**CHAIN, "chain": [sms, CHAIN["chain"][1]]})).json()["id"]
    await drain("sms")
    await stepper.take_chains_on(services)
    for _ in range(2):
        answer = await ada.rest("DELETE", f"/messages/{id}")
        shown = answer.json()
        assert (answer.status_code, shown["deliveryState"], shown["failureCode"]) == (
            200,
            "canceled",
            "canceled",
        )
        assert [step["deliveryState"] for step in shown["steps"]] == ["failed", "canceled"]
        await stepper.take_chains_on(services)
    assert await balance(ada) == before


@pytest.mark.parametrize("table", ["accounts", "message_chains"])
async def test_a_cancel_waits_two_seconds_for_a_lock(ada: Person, services: Services, table: str) -> None:
    id = (await ada.rest("POST", "/messages", json=CHAIN)).json()["id"]
    async with services.db.transaction() as db:
        await db.fetch(f"SELECT FROM {table} FOR UPDATE")
        began = monotonic()
        answer = await ada.rest("DELETE", f"/messages/{id}")
        assert monotonic() - began < 4
    assert (answer.status_code, answer.json()["code"]) == (429, "account_busy"), answer.text
    assert (await ada.rest("DELETE", f"/messages/{id}")).json()["deliveryState"] == "canceled"


async def test_what_a_deleted_owner_has_scheduled_is_not_sent(
    ada: Person, drain: Drain, services: Services
) -> None:
    before = await balance(ada)
    id = UUID((await send(ada, sendAt=later(days=10)))["id"])
    await services.db.fetch("UPDATE messages SET send_at = now(), due_at = now() WHERE id = $1", id)
    await services.db.fetch("UPDATE users SET status = 'deleted' WHERE id = $1", ada.id)
    assert await drain("sms") == 1
    row = await services.db.fetchrow("SELECT state, failure_code, provider FROM messages WHERE id = $1", id)
    assert (row["state"], row["failure_code"], row["provider"]) == ("failed", "owner_not_active", None)
    paid = await services.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    assert paid == before


@pytest.mark.parametrize("scheduled", [True, False], ids=["scheduled", "at once"])
async def test_what_a_suspended_owner_has_sent_waits(
    ada: Person, admin: Person, drain: Drain, services: Services, scheduled: bool
) -> None:
    before = await balance(ada)
    id = UUID((await send(ada, **{"sendAt": later(days=10)} if scheduled else {}))["id"])
    if scheduled:
        await services.db.fetch("UPDATE messages SET send_at = now(), due_at = now() WHERE id = $1", id)
    await services.db.fetch("UPDATE users SET status = 'suspended' WHERE id = $1", ada.id)
    assert await drain("sms") == 1
    shown = (await admin.rest("GET", f"/messages/{id}")).json()
    assert (shown["deliveryState"], shown["failureCode"]) == ("queued", "owner_suspended")
    assert shown["waitingFor"]["code"] == "owner"
    attempts = "SELECT attempts, handed_at, due_at > now() + interval '4 minutes' AS later FROM messages WHERE id = $1"
    row = await services.db.fetchrow(attempts, id)
    assert (row["attempts"], row["handed_at"], row["later"]) == (0, None, True)
    await services.db.fetch("UPDATE users SET status = 'active' WHERE id = $1", ada.id)
    await services.db.fetch("UPDATE messages SET due_at = now() WHERE id = $1", id)
    assert await drain("sms") == 1
    shown = (await ada.rest("GET", f"/messages/{id}")).json()
    assert (shown["deliveryState"], shown["failureCode"]) == ("sent", None)
    assert await balance(ada) < before


async def test_what_a_suspended_owner_has_sent_is_refunded_when_it_is_too_old(
    ada: Person, admin: Person, drain: Drain, services: Services
) -> None:
    before = await balance(ada)
    id = UUID((await send(ada, validSeconds=60))["id"])
    await services.db.fetch("UPDATE users SET status = 'suspended' WHERE id = $1", ada.id)
    assert await drain("sms") == 1
    await services.db.fetch(
        "UPDATE messages SET due_at = now(), expires_at = now() - interval '1 second' WHERE id = $1", id
    )
    assert await drain("sms") == 1
    shown = (await admin.rest("GET", f"/messages/{id}")).json()
    assert (shown["deliveryState"], shown["failureCode"]) == ("failed", "expired")
    await services.db.fetch("UPDATE users SET status = 'active' WHERE id = $1", ada.id)
    assert await balance(ada) == before


async def test_what_was_accepted_outlives_the_token_that_has_sent_it(
    ada: Person, drain: Drain, services: Services
) -> None:
    token, token_id = await made(ada, scopes=["messages:send", "messages:read"])
    id = UUID((await send(caller(ada, token), sendAt=later(days=10)))["id"])
    assert (await ada.rest("DELETE", f"/api-tokens/{token_id}")).status_code < 300
    await services.db.fetch("UPDATE messages SET send_at = now(), due_at = now() WHERE id = $1", id)
    assert await drain("sms") == 1
    assert (await ada.rest("GET", f"/messages/{id}")).json()["deliveryState"] == "sent"


async def test_a_scheduled_message_is_as_old_as_its_time(ada: Person, services: Services) -> None:
    id = UUID((await send(ada, sendAt=later(days=10)))["id"])
    old = least_uuid7(datetime.now(UTC) - timedelta(days=40))
    await services.db.fetch("UPDATE messages SET id = $2, state = 'sent' WHERE id = $1", id, old)
    await upkeep.prune(services.db, 30)
    assert await services.db.fetchval("SELECT count(*) FROM messages WHERE id = $1", old) == 1
    await services.db.fetch("UPDATE messages SET send_at = send_at - interval '45 days' WHERE id = $1", old)
    await upkeep.prune(services.db, 30)
    assert await services.db.fetchval("SELECT count(*) FROM messages WHERE id = $1", old) == 0


async def test_a_token_cancels_only_messages_of_its_accounts(ada: Person, services: Services) -> None:
    other = (await ada.rest("POST", "/accounts", json={"currency": "USD", "name": "other"})).json()["id"]
    body = {"name": "t", "scopes": ["messages:send", "messages:read"], "accountIds": [other]}
    token = (await ada.rest("POST", "/api-tokens", json=body)).json()["token"]
    id = (await send(ada, sendAt=later(hours=1)))["id"]
    answer = await ada.client.delete(f"/messages/{id}", headers={"authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()["code"]) == (403, "token_account"), answer.text
