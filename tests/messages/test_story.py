"""GraphQL shows more of a message than its row, the exact state and the failure's code, and filters find both."""

from uuid import UUID

import pytest

from engine.direct import outcomes
from shapes.messages import DeliveryState
from tests.support.people import Person

_SEND = 'mutation { sendMessage(input: {to: "+14155550100", channel: sms, body: "hi"}) { uuid } }'
_ENTRIES = "query ($id: ID!) { message(id: $id) { price ledgerEntries { kind amount uuid } } }"
_FIND = "query ($where: MessageWhere) { messages(where: $where) { nodes { uuid } totalCount } }"


async def sent(person: Person) -> str:
    return str((await person.data(_SEND))["sendMessage"]["uuid"])


async def test_a_message_has_its_charge_and_its_refund(ada, bob, admin, services):
    first, second = await sent(ada), await sent(ada)

    claim = UUID(int=7)
    await services.db.fetch(
        "INSERT INTO claims (id, worker, expires_at) VALUES ($1, 'w', now() + interval '1 hour')", claim
    )
    await services.db.fetch(
        "UPDATE messages SET state = 'sending', claim_id = $1 WHERE id = $2", claim, UUID(second)
    )
    async with services.db.transaction() as db:
        state = outcomes.DirectState(UUID(second), DeliveryState.failed, 1, code="rejected", reason="No")
        await outcomes.record(db, claim, [state])
    for person in (ada, admin):
        of_first = (await person.data(_ENTRIES, {"id": first}))["message"]
        of_second = (await person.data(_ENTRIES, {"id": second}))["message"]
        assert [entry["kind"] for entry in of_first["ledgerEntries"]] == ["charge"]
        assert [entry["kind"] for entry in of_second["ledgerEntries"]] == ["charge", "refund"]
        assert of_first["ledgerEntries"][0]["amount"] == -of_first["price"]
        assert sum(entry["amount"] for entry in of_second["ledgerEntries"]) == 0
    # An account that has another owner now shows its ledger to that owner alone.
    await services.db.fetch("UPDATE accounts SET owner_id = $1 WHERE id = $2", bob.id, ada.account_id)
    assert (await ada.data(_ENTRIES, {"id": first}))["message"]["ledgerEntries"] == []


@pytest.mark.parametrize("state", ["unknown", "canceled", "delivered"])
async def test_messages_are_found_by_their_exact_state_and_code(ada, services, state):
    first, second = await sent(ada), await sent(ada)
    await services.db.fetch(
        "UPDATE messages SET state = $2, failure_code = 'timeout' WHERE id = $1", UUID(first), state
    )
    for where, ids in (
        ({"deliveryState": {"eq": state}}, [first]),
        ({"deliveryState": {"in": [state, "queued"]}}, [second, first]),
        ({"deliveryState": {"notIn": [state]}}, [second]),
        ({"failureCode": {"eq": "timeout"}}, [first]),
        ({"failureCode": {"eq": "rejected"}}, []),
    ):
        answer = (await ada.data(_FIND, {"where": where}))["messages"]
        assert [node["uuid"] for node in answer["nodes"]] == ids, where
        assert answer["totalCount"] == len(ids)


@pytest.mark.parametrize("state", ["unknown", "failed", "queued"])
async def test_rest_says_what_became_of_a_message_and_why(ada, services, state):
    """The specification's `status` of an unknown message is `queued` for ever, and tells no cause of a failed one."""
    id = await sent(ada)
    code, reason = (None, None) if state == "queued" else ("timeout", "The provider did not answer.")
    await services.db.fetch(
        "UPDATE messages SET state = $2, failure_code = $3, failure_reason = $4 WHERE id = $1",
        UUID(id), state, code, reason,
    )  # fmt: skip
    for path in (f"/messages/{id}", f"/messages/{id}/status"):
        answer = (await ada.rest("GET", path)).json()
        assert [answer[name] for name in ("deliveryState", "failureCode", "failureReason")] == [
            state,
            code,
            reason,
        ]
        assert answer["status"] == {"unknown": "queued"}.get(state, state)
    (listed,) = (await ada.rest("GET", "/messages")).json()["items"]
    assert listed["deliveryState"] == state and listed["failureReason"] == reason
