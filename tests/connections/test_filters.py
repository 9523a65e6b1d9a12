"""Tests every filter of the lists of messenger accounts' parts, files, imports, exports, blocks and proofs."""

from typing import Any
from uuid import UUID

import pytest

from runtime.services import Services
from tests.connections.conftest import Rows
from tests.message_records.rows import content, messages, project, recipient
from tests.support.people import Person

SINCE, BEFORE = {"gte": "2020-01-01T00:00:00Z"}, {"lt": "2020-01-01T00:00:00Z"}


@pytest.fixture
async def world(ada: Person, bob: Person, rows: Rows, services: Services) -> dict[str, str]:
    """Two of each, of which most filters know one from the other; and bob's, which nobody else sees."""
    db = services.db
    await rows.messenger(bob, "bobs")
    await rows.file(bob, "bobs")
    await rows.block(bob, "+14155550999")
    a, b = await rows.messenger(ada, "a"), await rows.messenger(ada, "b")
    await db.fetch("UPDATE messenger_chats SET unread = 1, kind = 'group' WHERE id = $1", a["MessengerChat"])
    await db.fetch(
        "UPDATE messenger_messages SET outgoing = true, status = 'errored' WHERE id = $1",
        a["MessengerMessage"],
    )
    await db.fetch("UPDATE webhooks SET enabled = false WHERE id = $1", a["Webhook"])
    await db.fetch("UPDATE messenger_accounts SET source = 'whatsapp' WHERE id = $1", a["MessengerAccount"])
    await db.fetch(
        "UPDATE source_accounts SET status = 'blocked', source = 'x' WHERE id = $1", a["SourceAccount"]
    )
    await db.fetch("UPDATE webhook_deliveries SET type = 'state' WHERE webhook_id = $1", a["Webhook"])
    c, d = await rows.file(ada, "c%"), await rows.file(ada, "d")
    await db.fetch("UPDATE files SET size = 9, mime = 'image/png' WHERE id = $1", c["File"])
    await db.fetch("UPDATE recipient_imports SET status = 'failed' WHERE id = $1", c["RecipientImport"])
    await db.fetch(
        "UPDATE export_links SET status = 'failed', format = 'xlsx' WHERE id = $1", c["ExportLink"]
    )
    await rows.block(ada, "+14155550100")
    await db.fetch("UPDATE blocked_phones SET reason = 'optOut' WHERE owner_id = $1", ada.id)
    await rows.block(ada, "b@example.com")
    for number in range(2):
        await ada.data("mutation($n:String!){createApiToken(input:{name:$n}){token}}", {"n": f"t{number}"})
        await ada.data("mutation{createHookKey{secret}}")
    await db.fetch("UPDATE api_tokens SET revoked_at = now() WHERE name = 't0'")
    await db.fetch(
        "UPDATE hook_secrets SET revoked_at = now() WHERE id = (SELECT min(id::text)::uuid FROM hook_secrets)"
    )
    await ada.data("mutation{rotateHookSecret{secret}}")
    made = {**{f"a.{kind}": id for kind, id in a.items()}, **{f"b.{kind}": id for kind, id in b.items()}}
    made |= {**{f"c.{kind}": id for kind, id in c.items()}, **{f"d.{kind}": id for kind, id in d.items()}}
    return {name: str(id) for name, id in made.items()} | {"ada": str(ada.id), "bob": str(bob.id)}


# The list, the filter's type, and how many each filter leaves. Words in braces are ids of the world.
CASES: list[tuple[str, str, list[tuple[dict[str, Any], int]]]] = [
    (
        'chats(accountId:"{a.MessengerAccount}"', "MessengerChatWhere",
        [
            ({}, 1), ({"id": {"eq": "{a.MessengerChat}"}}, 1), ({"id": {"eq": "{b.MessengerChat}"}}, 0),
            ({"kind": {"in": ["group", "channel"]}}, 1), ({"kind": {"eq": "user"}}, 0), ({"unread": {"eq": True}}, 1),
            ({"unread": {"eq": False}}, 0), ({"text": {"contains": "A 0"}}, 1), ({"text": {"contains": "_"}}, 0),
            ({"lastAt": SINCE}, 1), ({"lastAt": BEFORE}, 0),
        ],
    ),
    (
        'messengerMessages(accountId:"{a.MessengerAccount}",thread:"a 0"', "MessengerMessageWhere",
        [
            ({}, 1), ({"outgoing": {"eq": True}}, 1), ({"outgoing": {"eq": False}}, 0), ({"at": SINCE}, 1),
            ({"at": BEFORE}, 0), ({"status": {"eq": "errored"}}, 1), ({"status": {"notIn": ["errored"]}}, 0),
        ],
    ),
    (
        'webhooks(accountId:"{a.MessengerAccount}"', "WebhookWhere",
        [({}, 1), ({"enabled": {"eq": False}}, 1), ({"enabled": {"eq": True}}, 0),
            ({"id": {"in": ["{b.Webhook}"]}}, 0)],
    ),
    (
        'deadLetters(webhookId:"{a.Webhook}"', "DeadLetterWhere",
        [
            ({}, 1), ({"type": {"eq": "state"}}, 1), ({"type": {"in": ["message"]}}, 0),
            ({"type": {"notIn": ["message"]}}, 1), ({"deadAt": SINCE}, 1), ({"deadAt": BEFORE}, 0),
            ({"id": {"eq": "{a.DeadLetter}"}}, 1),
        ],
    ),
    (
        "messengerConfigs(last:100", "MessengerConfigWhere",
        [
            ({}, 2), ({"source": {"eq": "whatsapp"}}, 1), ({"source": {"in": ["telegram", "whatsapp"]}}, 2),
            ({"source": {"notIn": ["whatsapp"]}}, 1), ({"name": {"eq": "c0"}}, 2), ({"name": {"in": ["c1"]}}, 0),
            ({"updatedAt": SINCE}, 2), ({"updatedAt": BEFORE}, 0),
        ],
    ),
    (
        "sourceAccounts(last:100", "SourceAccountWhere",
        [
            ({}, 2), ({"status": {"eq": "blocked"}}, 1), ({"source": {"eq": "x"}}, 1), ({"login": {"eq": "b 0"}}, 1),
            ({"text": {"contains": " 0"}}, 2), ({"messengerAccountUuid": {"eq": "{a.MessengerAccount}"}}, 1),
            ({"ownerId": {"eq": "{bob}"}}, 0), ({"ownerId": {"eq": "{ada}"}}, 2), ({"createdAt": BEFORE}, 0),
        ],
    ),
    (
        "files(last:100", "FileWhere",
        [
            ({}, 2), ({"name": {"contains": "%"}}, 1), ({"mime": {"eq": "image/png"}}, 1),
            ({"sha256": {"eq": "0" * 64}}, 2), ({"ownerId": {"eq": "{bob}"}}, 0), ({"id": {"eq": "{d.File}"}}, 1),
            ({"createdAt": SINCE, "mime": {"in": ["text/csv"]}}, 1),
        ],
    ),
    (
        "recipientImports(last:100", "RecipientImportWhere",
        [
            ({}, 2), ({"status": {"eq": "failed"}}, 1), ({"fileUuid": {"eq": "{d.File}"}}, 1),
            ({"ownerId": {"eq": "{bob}"}}, 0), ({"createdAt": BEFORE}, 0), ({"ofContacts": {"eq": False}}, 2),
        ],
    ),
    (
        "exportLinks(last:100", "ExportLinkWhere",
        [
            ({}, 2), ({"status": {"eq": "failed"}}, 1), ({"format": {"eq": "xlsx"}}, 1),
            ({"source": {"eq": "messages"}}, 2), ({"fileUuid": {"in": ["{c.File}", "{d.File}"]}}, 2),
            ({"sendingProjectUuid": {"eq": "{ada}"}}, 0), ({"createdAt": SINCE}, 2),
        ],
    ),
    (
        "blockedPhones(last:100", "BlockedPhoneWhere",
        [
            ({}, 2), ({"reason": {"eq": "optOut"}}, 1), ({"phone": {"eq": "b@example.com"}}, 1),
            ({"text": {"contains": "EXAMPLE"}}, 1), ({"ownerId": {"eq": "{bob}"}}, 0), ({"createdAt": BEFORE}, 0),
        ],
    ),
    ("apiTokens(last:100", "ApiTokenWhere", [({}, 2), ({"revoked": {"eq": True}}, 1), ({"revoked": {"eq": False}}, 1)]),
    (
        "hookSecrets(last:100", "HookSecretWhere",
        [({}, 3), ({"revoked": {"eq": True}}, 1), ({"kind": {"eq": "secret"}}, 1),
            ({"kind": {"notIn": ["secret"]}}, 2)],
    ),
]  # fmt: skip


def _filled(value: Any, world: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _filled(item, world) for name, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, world) for item in value]
    if isinstance(value, str):
        for name, id in world.items():
            value = value.replace("{" + name + "}", id)
    return value


async def test_each_filter_leaves_what_holds(ada: Person, world: dict[str, str], subtests: Any) -> None:
    for field, kind, cases in CASES:
        query = (
            f"query($w:{kind}){{found:{_filled(field, world)},where:$w){{totalCount nodes{{__typename}}}}}}"
        )
        for where, number in cases:
            with subtests.test(field, where=where):
                page = (await ada.data(query, {"w": _filled(where, world)}))["found"]
                assert (len(page["nodes"]), page["totalCount"]) == (number, number)


async def test_files_in_each_order(ada: Person, world: dict[str, str]) -> None:
    ask = """query($f:FileSort!,$d:SortDirection!,$after:String){
      files(first:1,after:$after,orderBy:{field:$f,direction:$d}){nodes{name} pageInfo{endCursor hasNextPage}}}"""
    for field, names in (("createdAt", ["c%", "d"]), ("name", ["c%", "d"]), ("size", ["d", "c%"])):
        for direction, wanted in (("asc", names), ("desc", names[::-1])):
            seen, after = [], None
            for _ in names:
                page = (await ada.data(ask, {"f": field, "d": direction, "after": after}))["files"]
                seen += [node["name"] for node in page["nodes"]]
                after = page["pageInfo"]["endCursor"]
            assert (seen, page["pageInfo"]["hasNextPage"]) == (wanted, False)
    other = await ada.graphql(ask, {"f": "name", "d": "asc", "after": after})
    assert other["errors"][0]["extensions"]["code"] == "bad_cursor"


async def test_a_cursor_of_another_list_is_refused(ada: Person, world: dict[str, str]) -> None:
    lists = "query($a:String,$b:String){files(first:1,after:$a){pageInfo{endCursor}}"
    lists += " accounts(first:1,after:$b){pageInfo{endCursor}}}"
    ends = {name: each["pageInfo"]["endCursor"] for name, each in (await ada.data(lists)).items()}
    assert await ada.data(lists, {"a": ends["files"], "b": ends["accounts"]})
    for variables in ({"a": ends["accounts"]}, {"b": ends["files"]}):
        (error,) = (await ada.graphql(lists, variables))["errors"]
        assert (error["extensions"]["code"], "another list" in error["message"]) == ("bad_cursor", True)
    answer = await ada.rest("GET", "/contacts", params={"after": ends["files"]})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_cursor")


async def test_a_chats_message_leads_to_its_project(
    ada: Person, bob: Person, rows: Rows, services: Services
) -> None:
    hers = (await rows.messenger(ada, "a"))["MessengerMessage"]
    project_id = await project(services, ada, name="p")
    await content(services, project_id)
    who = await recipient(services, project_id, "+14155550100", "Ann", city="B")
    record = UUID(int=hers.int + 1)
    await messages(
        services, ada, project_id, {"id": record, "recipient_id": who, "content": 1, "status": "sent"}
    )
    query = "query($i:ID!){messengerMessage(item:$i){messageRecord{uuid status sendingProject{name}}}}"
    assert (await ada.data(query, {"i": str(hers)}))["messengerMessage"] == {"messageRecord": None}
    his = (await rows.messenger(bob, "b"))["MessengerMessage"]
    await services.db.fetch(
        "UPDATE messenger_messages SET record_id = $1 WHERE id = ANY($2::uuid[])", record, [hers, his]
    )
    assert (await ada.data(query, {"i": str(hers)}))["messengerMessage"]["messageRecord"] == {
        "uuid": str(record), "status": "sent", "sendingProject": {"name": "p"},
    }  # fmt: skip
    assert (await bob.data(query, {"i": str(his)}))["messengerMessage"] == {"messageRecord": None}
