"""The permission for a webhook follows its kind: one of the event feed needs events:*, an account's messengers:*."""

from typing import Any
from uuid import uuid4

import pytest

from tests.api_tokens.made import caller, made
from tests.doors.cases import webhooks
from tests.support.people import Person

FEED, ACCOUNT = "feed_webhook", "webhook"
NEEDS = {FEED: "events", ACCOUNT: "messengers"}
OTHER = {FEED: "messengers", ACCOUNT: "events"}
LETTER = """
INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, body, state, dead_at)
VALUES ($1, $2, $1, 'block.added', '{}', 'dead', now())
"""

READS = [
    ("GET", "", None),
    ("GET", "/deliveries", None),
    ("GET", "/deliveries/counts", None),
    ("GET", "/dead-letters", None),
]
WRITES = [
    ("PATCH", "", {"enabled": True}),
    ("POST", "/secret", {}),
    ("POST", "/try-now", None),
    ("POST", "/dead-letters/replay", None),
    ("POST", "/test", None),
    ("DELETE", "", None),
]
QUERIES = [
    "query($id:ID!){webhook(id:$id){uuid}}",
    "query($id:ID!){webhookDeliveries(webhookId:$id){nodes{uuid}}}",
    "query($id:ID!){deadLetters(webhookId:$id){nodes{uuid}}}",
]
MUTATIONS = [
    "mutation($id:ID!){updateWebhook(id:$id,input:{enabled:true}){uuid}}",
    "mutation($id:ID!){rotateWebhookSecret(id:$id){secret}}",
    "mutation($id:ID!){tryWebhookNow(id:$id){uuid}}",
    "mutation($id:ID!){replayDeadLetters(webhookId:$id)}",
    "mutation($id:ID!){testWebhook(id:$id){delivered}}",
    "mutation($id:ID!){deleteWebhook(id:$id)}",
]


async def token(person: Person, *scopes: str) -> Person:
    made_token, _ = await made(person, scopes=[*scopes])
    return caller(person, made_token)


def _denied(answer: dict[str, Any]) -> set[Any]:
    extensions = [error["extensions"] for error in answer.get("errors", ())]
    return {(each["code"], each.get("details", {}).get("permission")) for each in extensions}


@pytest.mark.parametrize("kind", [FEED, ACCOUNT])
async def test_a_token_of_the_other_kind_does_nothing_to_it(ada: Person, services, kind: str):
    hook = (await webhooks.rows(ada))[kind]
    before = dict(await services.db.fetchrow("SELECT * FROM webhooks WHERE id = $1", hook))
    other, needs = OTHER[kind], NEEDS[kind]
    program = await token(ada, f"{other}:read", f"{other}:write")
    for calls, permission in ((READS, f"{needs}:read"), (WRITES, f"{needs}:write")):
        for method, path, body in calls:
            answer = await program.rest(method, f"/webhooks/{hook}{path}", json=body)
            assert answer.status_code == 403, (method, path, answer.text)
            assert (answer.json()["code"], answer.json()["details"]) == (
                "forbidden",
                {"permission": permission},
            )
    node = await program.graphql("query($id:ID!){node(id:$id){id}}", {"id": hook})
    assert (node["data"] or {}).get("node") is None
    for documents, permission in ((QUERIES, f"{needs}:read"), (MUTATIONS, f"{needs}:write")):
        for document in documents:
            denied = _denied(await program.graphql(document, {"id": hook}))
            assert denied == {("forbidden", permission)}, document
    assert dict(await services.db.fetchrow("SELECT * FROM webhooks WHERE id = $1", hook)) == before


@pytest.mark.parametrize("kind", [FEED, ACCOUNT])
async def test_a_token_of_its_own_kind_is_enough(ada: Person, kind: str):
    hook, needs = (await webhooks.rows(ada))[kind], NEEDS[kind]
    program = await token(ada, f"{needs}:read", f"{needs}:write")
    for method, path, body in [*READS, *WRITES]:
        if path != "/test":  # it would call a foreign host
            answer = await program.rest(method, f"/webhooks/{hook}{path}", json=body)
            assert answer.is_success, (method, path, answer.text)


@pytest.mark.parametrize("kind", [FEED, ACCOUNT])
async def test_a_reader_changes_nothing(ada: Person, kind: str):
    hook, needs = (await webhooks.rows(ada))[kind], NEEDS[kind]
    program = await token(ada, f"{needs}:read", "events:read", "messengers:read")
    for method, path, body in WRITES:
        answer = await program.rest(method, f"/webhooks/{hook}{path}", json=body)
        assert answer.status_code == 403, (method, path, answer.text)


@pytest.mark.parametrize("kind", [FEED, ACCOUNT])
async def test_its_dead_letters_and_relations_are_not_seen_either(ada: Person, services, kind: str):
    rows = await webhooks.rows(ada)
    letter = uuid4()
    await services.db.fetch(LETTER, letter, rows[kind])
    other, needs = OTHER[kind], NEEDS[kind]
    program, own = await token(ada, f"{other}:read"), await token(ada, f"{needs}:read")
    for path in (f"/webhook-deliveries/{letter}", f"/dead-letters/{letter}"):
        denied = await program.rest("GET", path)
        assert (denied.status_code, denied.json()["details"]) == (403, {"permission": f"{needs}:read"})
        assert (await own.rest("GET", path)).status_code == 200
    # The numbers of another kind's deliveries are not told by a relation.
    both = "query($id:ID!){webhookDelivery(id:$id){uuid webhook{uuid waiting dead deadLetters{nodes{uuid}}}}}"
    shown = (await own.data(both, {"id": str(letter)}))["webhookDelivery"]["webhook"]
    assert (shown["uuid"], shown["dead"]) == (rows[kind], 1)


async def test_the_list_of_the_feed_s_webhooks(ada: Person):
    await webhooks.rows(ada)
    query = "{webhooks{nodes{uuid}}}"
    program, own = await token(ada, "messengers:read"), await token(ada, "events:read")
    assert _denied(await program.graphql(query)) == {("forbidden", "events:read")}
    assert (await program.rest("GET", "/webhooks")).json()["details"] == {"permission": "events:read"}
    assert len((await own.data(query))["webhooks"]["nodes"]) == 2


async def test_another_owner_s_webhook_is_unknown_whatever_the_permission(ada: Person, bob: Person):
    rows = await webhooks.rows(ada)
    program = await token(bob, "messengers:read", "messengers:write")
    for kind in (FEED, ACCOUNT):
        answer = await program.rest("GET", f"/webhooks/{rows[kind]}")
        assert (answer.status_code, answer.json()["code"]) == (404, "webhook_not_found")
