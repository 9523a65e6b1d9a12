"""The timeline of a contact over all channels, in both doors, and the lists that it is made of."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from core.ids import uuid7
from engine.contacts import history
from resolvers import contact_timeline
from runtime.services import Services
from shapes.contact_timeline import TimelineKind
from tests.chats.conftest import make_account
from tests.message_records.rows import messages, project
from tests.support.people import Person

PHONE, MAIL = "+14155550101", "Anna@Example.com"
NOW = datetime.now(UTC).replace(microsecond=0)
LISTS = """query($id:ID!,$n:Int,$w:MessageRecordWhere){contact(id:$id){
  messages(first:$n){totalCount nodes{uuid to}} messageRecords(first:$n,where:$w){totalCount nodes{uuid to}}
  chats(first:$n){totalCount nodes{uuid phone username}}}}"""
TIMELINE = """query($id:ID!,$first:Int,$last:Int,$after:String,$before:String,$w:TimelineWhere){
  contactTimeline(contactId:$id,first:$first,last:$last,after:$after,before:$before,where:$w){totalCount
  nodes{kind objectUuid at channel address direction status text projectUuid accountUuid}
  pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}"""
CHAT = """
INSERT INTO messenger_chats (id, account_id, thread, kind, phone, username, last_at)
VALUES ($1, $2, $3, 'user', $4, $5, $6)
"""


async def contact(person: Person, *addresses: tuple[str, str], **values: Any) -> str:
    body = {
        "addresses": [{"channel": channel, "address": address} for channel, address in addresses],
        **values,
    }
    answer = await person.rest("POST", "/contacts", json=body)
    assert answer.status_code == 200, answer.text
    id: str = answer.json()["id"]
    return id


async def send(person: Person, channel: str, to: str, body: str) -> str:
    answer = await person.rest(
        "POST",
        "/messages",
        json={"channel": channel, "to": to, "body": body, "accountId": str(person.account_id)},
    )
    assert answer.status_code == 202, answer.text
    id: str = answer.json()["id"]
    return id


async def chat(
    services: Services, account: UUID, phone: str | None, username: str | None, at: datetime
) -> UUID:
    id = uuid7()
    await services.db.fetch(CHAT, id, account, str(id), phone, username, at)
    return id


@pytest.fixture
async def anna(ada: Person, services: Services) -> dict[str, Any]:
    """A contact with three addresses, and all that was written to them; and others, to whom much more was."""
    id = await contact(ada, ("sms", PHONE), ("email", MAIL), ("telegram", "@anna_b"), name="Anna")
    made = {"id": id, "email": await send(ada, "email", "anna@example.com", "hello")}
    made["sms"] = await send(ada, "sms", PHONE, "x" * 300)
    await send(ada, "sms", "+14155550199", "somebody else")
    project_id = await project(services, ada)
    record = {"channel": "sms", "to": PHONE, "status": "delivered", "queued_at": NOW - timedelta(days=1)}
    reply = {
        "channel": "sms",
        "to": PHONE,
        "status": "delivered",
        "direction": "inbound",
        "body": "yes",
        "queued_at": NOW - timedelta(hours=3),
    }
    other = {**record, "to": "+14155550198"}
    made["record"], made["reply"], _ = map(
        str, await messages(services, ada, project_id, record, reply, other)
    )
    account = await make_account(services, ada)
    made["chat"] = str(await chat(services, account, None, "Anna_B", NOW - timedelta(hours=2)))
    made["phone chat"] = str(await chat(services, account, PHONE, None, NOW - timedelta(hours=1)))
    await chat(services, account, "+14155550197", "nobody_b", NOW)
    return {**made, "project": str(project_id), "account": str(account)}


ORDER = ("sms", "email", "phone chat", "chat", "reply", "record")


async def test_what_was_written_over_all_channels_is_one_list(ada: Person, anna: dict[str, Any]):
    answer = await ada.rest("GET", f"/contacts/{anna['id']}/timeline")
    assert answer.status_code == 200, answer.text
    items = answer.json()["items"]
    assert [item["objectUuid"] for item in items] == [anna[name] for name in ORDER]
    sms, mail, *chats, reply, record = items
    assert (sms["kind"], sms["channel"], sms["address"], sms["direction"]) == (
        "message",
        "sms",
        PHONE,
        "outbound",
    )
    assert (len(sms["text"]), mail["text"], mail["address"]) == (200, "hello", "anna@example.com")
    assert [(each["kind"], each["channel"], each["address"], each["status"]) for each in chats] == [
        ("chat", "telegram", PHONE, None),
        ("chat", "telegram", "@Anna_B", None),
    ]
    assert {each["accountUuid"] for each in chats} == {anna["account"]}
    assert (reply["kind"], reply["direction"], reply["text"]) == ("record", "inbound", "yes")
    assert (record["text"], record["status"], record["projectUuid"]) == (None, "delivered", anna["project"])
    seen = (await ada.data(TIMELINE, {"id": anna["id"]}))["contactTimeline"]
    assert (seen["nodes"], seen["totalCount"]) == (items, 6)


async def test_it_is_read_page_by_page_in_both_directions(ada: Person, anna: dict[str, Any]):
    found, after = [], None
    while True:
        query = {"limit": 2, **({"after": after} if after else {})}
        page = (await ada.rest("GET", f"/contacts/{anna['id']}/timeline", params=query)).json()
        found += [item["objectUuid"] for item in page["items"]]
        if (after := page["next"]) is None:
            break
    assert found == [anna[name] for name in ORDER]
    last = (await ada.data(TIMELINE, {"id": anna["id"], "last": 2}))["contactTimeline"]
    assert [node["objectUuid"] for node in last["nodes"]] == [anna["reply"], anna["record"]]
    assert last["pageInfo"]["hasPreviousPage"] is True
    before = {"id": anna["id"], "last": 2, "before": last["pageInfo"]["startCursor"]}
    page = (await ada.data(TIMELINE, before))["contactTimeline"]
    assert [node["objectUuid"] for node in page["nodes"]] == [anna["phone chat"], anna["chat"]]
    chats = (await ada.data(TIMELINE, {"id": anna["id"], "w": {"kind": {"eq": "chat"}}}))["contactTimeline"]
    assert (len(chats["nodes"]), chats["totalCount"]) == (2, 2)


async def test_the_lists_of_a_contact_have_its_own(ada: Person, anna: dict[str, Any]):
    seen = (await ada.data(LISTS, {"id": anna["id"], "n": 10}))["contact"]
    assert [node["uuid"] for node in seen["messages"]["nodes"]] == [anna["sms"], anna["email"]]
    assert {node["uuid"] for node in seen["messageRecords"]["nodes"]} == {anna["reply"], anna["record"]}
    assert [node["uuid"] for node in seen["chats"]["nodes"]] == [anna["phone chat"], anna["chat"]]
    assert [each["totalCount"] for each in seen.values()] == [2, 2, 2]
    only = {"id": anna["id"], "n": 1, "w": {"direction": {"eq": "inbound"}}}
    seen = (await ada.data(LISTS, only))["contact"]
    assert [node["uuid"] for node in seen["messageRecords"]["nodes"]] == [anna["reply"]]
    assert (len(seen["messages"]["nodes"]), seen["messages"]["totalCount"]) == (1, 2)
    both = await contact(ada, ("sms", "+14155550199"))
    listed = (await ada.data("{contacts{nodes{uuid messages{totalCount nodes{to}}}}}"))["contacts"]["nodes"]
    assert {node["uuid"]: node["messages"]["totalCount"] for node in listed} == {anna["id"]: 2, both: 1}


async def test_another_owner_s_are_never_shown(ada: Person, bob: Person, admin: Person, anna: dict[str, Any]):
    """Both wrote to the same person; an administrator sees of each contact what its owner has."""
    theirs = await contact(bob, ("sms", PHONE), ("email", MAIL))
    assert (await bob.rest("GET", f"/contacts/{theirs}/timeline")).json()["items"] == []
    answer = await bob.rest("GET", f"/contacts/{anna['id']}/timeline")
    assert (answer.status_code, answer.json()["code"]) == (404, "contact_not_found")
    for id, number in ((theirs, 0), (anna["id"], 6)):
        assert len((await admin.rest("GET", f"/contacts/{id}/timeline")).json()["items"]) == number
        seen = (await admin.data(LISTS, {"id": id, "n": 10}))["contact"]
        assert [each["totalCount"] for each in seen.values()] == [number // 3] * 3


async def test_kinds_that_the_token_may_not_read_are_left_out(ada: Person, anna: dict[str, Any]):
    body = {"name": "reader", "scopes": ["contacts:read", "messengers:read"]}
    token = (await ada.rest("POST", "/api-tokens", json=body)).json()["token"]
    headers = {"authorization": f"Bearer {token}"}
    answer = await ada.client.get(f"/contacts/{anna['id']}/timeline", headers=headers)
    assert [item["kind"] for item in answer.json()["items"]] == ["chat", "chat"]


async def test_indexes_find_what_belongs_to_a_contact(ada: Person, services: Services, database: str):
    """Among 60,000 of one owner: PostgreSQL begins at the addresses, and reads few rows."""
    connection = await asyncpg.connect(database)
    try:
        await connection.execute("ALTER TABLE messages DISABLE TRIGGER USER")
        await connection.execute(_MANY_MESSAGES, ada.id, ada.account_id)
        await connection.execute(_MANY_RECORDS, ada.id, await project(services, ada))
        await connection.execute(_MANY_CHATS, await make_account(services, ada))
        await connection.execute("ANALYZE messages, message_records, messenger_chats")
        id = UUID(await contact(ada, ("sms", "+14151000007"), ("telegram", "@user7")))
        every = (history.MESSAGES, history.RECORDS, history.CHATS)
        plans = [await _plan(connection, each.format(contact="$1"), id) for each in every]
        assert "ix_messages_owner_id_key_id" in plans[0], plans[0]
        assert "ix_message_records_key" in plans[1], plans[1]
        assert "ix_messenger_chats_phone" in plans[2], plans[2]
        assert "ix_messenger_chats_username" in plans[2], plans[2]
        page = contact_timeline._page(tuple(TimelineKind), up=False)
        whole = await _plan(connection, page, id, None, None, 21)
        for plan in (*plans, whole):
            for table in ("messages", "message_records", "messenger_chats"):
                assert f"Seq Scan on {table}" not in plan, plan
            assert "Rows Removed by Filter" not in plan, plan
    finally:
        await connection.close()


_MANY_MESSAGES = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body)
SELECT postern_uuid7(), $1, $2, 'outbound', 'sms', 'delivered', '+1415' || (1000000 + g % 20000), 'hello'
FROM generate_series(1, 60000) AS g
"""
_MANY_RECORDS = """
INSERT INTO message_records (id, project_id, owner_id, channel, "to", status)
SELECT gen_random_uuid(), $2, $1, 'sms', '+1415' || (1000000 + g % 20000), 'delivered'
FROM generate_series(1, 60000) AS g
"""
_MANY_CHATS = """
INSERT INTO messenger_chats (id, account_id, thread, phone, username, last_at)
SELECT postern_uuid7(), $1, g::text, '+1415' || (1000000 + g), 'user' || g, now() FROM generate_series(1, 20000) AS g
"""


async def _plan(connection: asyncpg.Connection, sql: str, *arguments: Any) -> str:
    rows = await connection.fetch(f"EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, SUMMARY OFF) {sql}", *arguments)
    return "\n".join(row[0] for row in rows)
