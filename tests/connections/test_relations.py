"""Relations and nodes lead to nobody else's rows, also where a row of one's own names another's."""

from typing import Any, cast
from uuid import UUID

import pytest

from db.lists import listing, statements
from runtime.services import Services
from schema.frame.graphql import GLOBAL_ID, NODES, global_id
from schema.root import build
from tests.connections.conftest import Rows
from tests.support.people import Person

NODE = "query($id:ID!){node(id:$id){id __typename}}"
OWN = {"ApiToken", "HookSecret"}
"""Shown to nobody else, not even to administrators."""


def test_every_node_can_be_found_by_its_id() -> None:
    schema = cast(Any, build(explorable=True))._schema
    kinds = set()
    for kind in schema.get_possible_types(schema.type_map["Node"]):
        definition = kind.extensions["strawberry-definition"]
        kinds |= {field.metadata[GLOBAL_ID] for field in definition.fields if GLOBAL_ID in field.metadata}
    assert kinds == set(NODES)


@pytest.fixture
async def hers(ada: Person, rows: Rows) -> dict[str, UUID]:
    """A row of ada's of each kind."""
    ids = {**await rows.messenger(ada, "hers"), **await rows.file(ada, "hers")}
    ids["BlockedPhone"] = await rows.block(ada, "+14155550100")
    token = await ada.data('mutation{createApiToken(input:{name:"t"}){apiToken{uuid}}}')
    hook = await ada.data("mutation{createHookKey{hookSecret{uuid}}}")
    own = await ada.data("{accounts{nodes{uuid ledger{nodes{uuid}}}}}")
    message = await ada.rest("POST", "/messages", json={"to": "+14155550101", "channel": "sms", "body": "x"})
    account = own["accounts"]["nodes"][0]
    counts = {
        "User": ada.id,
        "Account": account["uuid"],
        "LedgerEntry": account["ledger"]["nodes"][0]["uuid"],
        "Message": message.json()["id"],
        "ApiToken": token["createApiToken"]["apiToken"]["uuid"],
        "HookSecret": hook["createHookKey"]["hookSecret"]["uuid"],
    }
    return {**ids, **{kind: UUID(str(id)) for kind, id in counts.items()}}


async def test_a_node_is_its_owners(
    ada: Person, bob: Person, admin: Person, hers: dict[str, UUID], subtests: Any
) -> None:
    for kind, id in hers.items():
        with subtests.test(kind):
            shown = {"id": global_id(kind, id), "__typename": kind}
            for text in (shown["id"], str(id)):
                variables = {"id": text}
                if (
                    text == str(id) and kind == "DeadLetter"
                ):  # by its uuid it is shown as the delivery that it is
                    shown = {"id": global_id("WebhookDelivery", id), "__typename": "WebhookDelivery"}
                assert (await ada.data(NODE, variables))["node"] == shown
                assert (await bob.data(NODE, variables))["node"] is None
                assert (await admin.data(NODE, variables))["node"] == (None if kind in OWN else shown)


async def test_a_uuid_of_nothing_is_null_and_only_users_may_ask(client: Any, ada: Person) -> None:
    nothing = {"id": "01890000-0000-7000-8000-000000000000"}
    assert (await ada.data(NODE, nothing))["node"] is None
    answer = await client.post("/graphql", json={"query": NODE, "variables": nothing})
    assert answer.json()["errors"][0]["extensions"]["code"] == "unauthenticated"


async def test_who_may_not_read_a_type_is_not_told_that_there_is_a_row(
    ada: Person, hers: dict[str, UUID]
) -> None:
    made = await ada.data('mutation{createApiToken(input:{name:"t" scopes:["blocks:read"]}){token}}')
    limited = Person(ada.id, ada.email, ada.account_id, made["createApiToken"]["token"], ada.client)
    assert (await limited.data(NODE, {"id": str(hers["File"])}))["node"] is None
    answer = await limited.data("query($i:[ID!]!){nodes(ids:$i){id}}", {"i": [str(hers["File"])]})
    assert answer["nodes"] == [None]
    assert (await limited.data(NODE, {"id": str(hers["BlockedPhone"])}))["node"] is not None


async def test_what_names_anothers_row_shows_none(
    ada: Person, bob: Person, rows: Rows, services: Services, hers: dict[str, UUID]
) -> None:
    """Nobody can make such rows by the doors; if one came about, it would still tell nothing."""
    db, account = services.db, (await rows.messenger(bob, "his"))["MessengerAccount"]
    his = await rows.file(bob, "his")
    await db.fetch(
        "UPDATE messenger_messages SET chat_id = $1 WHERE account_id = $2", hers["MessengerChat"], account
    )
    await db.fetch(
        "UPDATE source_accounts SET messenger_account_uuid = $1 WHERE owner_id = $2",
        hers["MessengerAccount"],
        bob.id,
    )
    await db.fetch("UPDATE recipient_imports SET file_uuid = $1 WHERE owner_id = $2", hers["File"], bob.id)
    await db.fetch("UPDATE export_links SET file_uuid = $1 WHERE owner_id = $2", hers["File"], bob.id)
    seen = await bob.data(
        "{sourceAccounts{nodes{messengerAccount{uuid}}} recipientImports{nodes{file{uuid}}}"
        " exportLinks{nodes{url file{uuid}}}}"
    )
    assert seen == {
        "sourceAccounts": {"nodes": [{"messengerAccount": None}]},
        "recipientImports": {"nodes": [{"file": None}]},
        "exportLinks": {"nodes": [{"url": None, "file": None}]},
    }
    message = await db.fetchval("SELECT id FROM messenger_messages WHERE account_id = $1", account)
    item = await bob.data("query($i:ID!){messengerMessage(item:$i){chat{uuid}}}", {"i": str(message)})
    assert item == {"messengerMessage": {"chat": None}}
    # From her side neither.
    mine = await ada.data(
        "{files{nodes{imports{nodes{uuid}} exports{nodes{uuid}}}}"
        " messengerAccounts{nodes{sourceAccounts{nodes{uuid}} chats(first:5){nodes{messages(first:5){nodes{uuid}}}}}}}"
    )
    (file,) = mine["files"]["nodes"]
    assert [node["uuid"] for node in file["imports"]["nodes"]] == [str(hers["RecipientImport"])]
    assert [node["uuid"] for node in file["exports"]["nodes"]] == [str(hers["ExportLink"])]
    (messenger,) = mine["messengerAccounts"]["nodes"]
    assert [node["uuid"] for node in messenger["sourceAccounts"]["nodes"]] == [str(hers["SourceAccount"])]
    (chat,) = messenger["chats"]["nodes"]
    assert [node["uuid"] for node in chat["messages"]["nodes"]] == [str(hers["MessengerMessage"])]
    assert (await bob.data("query($i:ID!){file(id:$i){imports{nodes{uuid}}}}", {"i": str(his["File"])}))[
        "file"
    ] == {"imports": {"nodes": []}}


async def test_an_administrator_sees_no_proofs_of_others(
    ada: Person, admin: Person, hers: dict[str, UUID]
) -> None:
    await ada.rest("PUT", "/settings/a", json={"value": 1})
    query = "query($i:ID!){user(id:$i){apiTokens{nodes{uuid}} hookSecrets{nodes{uuid}} settings files{nodes{uuid}}}}"
    seen = (await admin.data(query, {"i": str(ada.id)}))["user"]
    assert seen == {
        "apiTokens": None, "hookSecrets": None, "settings": None, "files": {"nodes": [{"uuid": str(hers["File"])}]},
    }  # fmt: skip
    own = (await ada.data(query, {"i": str(ada.id)}))["user"]
    assert own["settings"] == {"a": 1}
    assert [node["uuid"] for node in own["apiTokens"]["nodes"]] == [str(hers["ApiToken"])]
    assert [node["uuid"] for node in own["hookSecrets"]["nodes"]] == [str(hers["HookSecret"])]


async def test_a_deleted_messenger_account_is_led_to_no_more(
    ada: Person, services: Services, hers: dict[str, UUID]
) -> None:
    await services.db.fetch("UPDATE messenger_accounts SET deleted_at = now()")
    seen = await ada.data("{messengerAccounts{totalCount} sourceAccounts{nodes{messengerAccount{uuid}}}}")
    assert seen["messengerAccounts"]["totalCount"] == 0
    assert seen["sourceAccounts"]["nodes"] == [{"messengerAccount": None}]
    for kind in ("MessengerAccount", "MessengerChat", "MessengerMessage", "Webhook", "DeadLetter"):
        assert (await ada.data(NODE, {"id": global_id(kind, hers[kind])}))["node"] is None


async def test_each_list_is_counted_by_itself(ada: Person, rows: Rows) -> None:
    for times in range(4):
        await rows.messenger(ada, f"m{times}", times)
    query = """{messengerAccounts(orderBy:{field:name,direction:asc}){nodes{
      chats(first:1){totalCount} configs(first:0){totalCount} sourceAccounts(first:1){totalCount}
      webhooks(first:1){totalCount nodes{dead deadLetters(first:1){totalCount}}}}}}"""
    accounts = (await ada.data(query))["messengerAccounts"]["nodes"]
    for times, account in enumerate(accounts):
        for name in ("chats", "configs", "sourceAccounts", "webhooks"):
            assert account[name]["totalCount"] == times, name
        for hook in account["webhooks"]["nodes"]:
            assert (hook["dead"], hook["deadLetters"]["totalCount"]) == (times, times)


async def test_of_many_lists_each_is_counted_up_to_a_bound_of_its_own(
    ada: Person, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (listing, statements):
        monkeypatch.setattr(module, "MOST_COUNTED", 3)
    monkeypatch.setattr(listing, "MOST_COUNTED_EACH", 2)
    # The bound is part of the statement, so that the test must neither find nor leave one in the cache.
    monkeypatch.setattr(statements, "bounded_count", statements.bounded_count.__wrapped__)
    query = """query($n:Int){messengerAccounts(first:$n,orderBy:{field:name,direction:asc}){
      nodes{chats(first:1){totalCount}}}}"""
    for times in (5, 1, 2):
        await rows.messenger(ada, f"m{9 - times}", times)
    for first, numbers in ((3, [2, 2, 1]), (1, [3])):
        accounts = (await ada.data(query, {"n": first}))["messengerAccounts"]["nodes"]
        assert [account["chats"]["totalCount"] for account in accounts] == numbers
    assert (await ada.data("{messengerAccounts{totalCount}}"))["messengerAccounts"]["totalCount"] == 3
