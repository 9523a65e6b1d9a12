"""The event feed through both doors: what is recorded, cursors, and how a feed is opened and closed."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from channels.sandbox import Effect
from engine.feed import event_feed, rounds
from resolvers import event_feed as feed_resolver
from runtime.services import Services
from shapes.event_feed import MOST_EVENTS
from tests.support.gateway import MAGIC
from tests.support.people import Person
from tests.support.waits import until

SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}
FEED = (
    "query($a:String,$t:[String!],$f:Int!){events(after:$a,types:$t,first:$f){events{uuid cursor type at "
    "subject subjectId data} next more}}"
)


async def read(person: Person, after: str | None = None, **query: Any) -> dict[str, Any]:
    params = {**query, **({} if after is None else {"after": after})}
    answer = await person.rest("GET", "/events", params=params)
    assert answer.status_code == 200, answer.text
    page: dict[str, Any] = answer.json()
    return page


async def opened(person: Person) -> str:
    """Opens the feed. Returns the cursor from which on everything is recorded.

    It waits until transactions of other tests on the same server have ended, which are from before.
    """

    async def is_ready() -> bool:
        return (await person.rest("GET", "/events")).status_code != 503

    await until(is_ready)
    page = await read(person)
    assert page["events"] == []
    assert not page["more"]
    return str(page["next"])


def types(page: dict[str, Any]) -> list[str]:
    return [event["type"] for event in page["events"]]


async def test_nothing_is_recorded_before_somebody_asks(ada: Person, bob: Person, services: Services):
    await ada.rest("POST", "/block/+14155550100")
    await opened(bob)
    await ada.rest("POST", "/block/+14155550101")
    assert await services.db.fetchval("SELECT count(*) FROM event_inbox") == 0
    start = await opened(ada)
    await ada.rest("POST", "/block/+14155550102")
    page = await read(ada, start)
    assert [event["data"]["phone"] for event in page["events"]] == ["+14155550102"]
    assert (await read(bob))["events"] == []


async def test_the_way_of_a_message_is_told_in_its_order(ada: Person, drain: Callable[[str], Awaitable[int]]):
    start = await opened(ada)
    sent = await ada.rest("POST", "/messages", json=SMS)
    assert sent.status_code == 202
    await drain("sms")
    page = await read(ada, start)
    assert types(page) == ["message.queued", "message.sent"]
    queued, accepted = page["events"]
    assert {queued["subject"], queued["subjectId"], queued["accountId"]} == {
        "message", sent.json()["id"], str(ada.account_id),
    }  # fmt: skip
    assert queued["data"]["to"] == "+14155550100"
    assert accepted["data"]["status"] == "sent"
    assert accepted["data"]["providerMessageId"]
    assert "body" not in accepted["data"] or accepted["data"]["body"] is None


async def test_a_message_that_is_refused_is_told_with_its_reason(
    ada: Person, drain: Callable[[str], Awaitable[int]]
):
    start = await opened(ada)
    await ada.rest("POST", "/messages", json={**SMS, "to": MAGIC["sms"][Effect.failed]})
    await drain("sms")
    last = (await read(ada, start))["events"][-1]
    assert last["type"] == "message.refused", last
    assert last["data"]["failureCode"]


async def test_both_doors_tell_the_same(ada: Person):
    start = await opened(ada)
    for number in range(5):
        await ada.rest("POST", f"/block/+1415555010{number}")
    rest = await read(ada, start, first=3)
    graph = (await ada.data(FEED, {"a": start, "f": 3}))["events"]
    assert [event["uuid"] for event in graph["events"]] == [event["id"] for event in rest["events"]]
    assert [event["data"] for event in graph["events"]] == [event["data"] for event in rest["events"]]
    assert (
        (graph["next"], graph["more"]) == (rest["next"], rest["more"]) == (rest["events"][-1]["cursor"], True)
    )
    behind = await read(ada, rest["next"])
    assert len(behind["events"]) == 2
    assert not behind["more"]
    assert await read(ada, behind["next"]) == {"events": [], "next": behind["next"], "more": False}


async def test_the_graph_goes_on_from_an_event(ada: Person):
    start = await opened(ada)
    message = (await ada.rest("POST", "/messages", json=SMS)).json()["id"]
    query = (
        "query($a:String){events(after:$a){events{message{uuid status} messageRecord{uuid} "
        "account{uuid name} sendingProject{uuid}}}}"
    )
    (event,) = (await ada.data(query, {"a": start}))["events"]["events"]
    assert event["message"] == {"uuid": message, "status": "queued"}
    assert event["account"]["uuid"] == str(ada.account_id)
    assert event["messageRecord"] is None
    assert event["sendingProject"] is None


async def test_only_the_types_that_are_asked_for(ada: Person):
    start = await opened(ada)
    await ada.rest("POST", "/block/+14155550100")
    await ada.rest("POST", "/messages", json=SMS)
    await ada.rest("POST", "/block/unblock/+14155550100")
    page = await read(ada, start, types="block.added, block.removed")
    assert types(page) == ["block.added", "block.removed"]
    assert not page["more"]
    assert types(await read(ada, page["next"], types="block.added")) == []


async def test_a_page_of_a_rare_type_searches_so_far_and_says_where_to_go_on(
    ada: Person, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(feed_resolver, "_SEARCHED_POSITIONS", 2)
    start = await opened(ada)
    for number in range(4):
        await ada.rest("POST", f"/block/+1415555010{number}")
    await ada.rest("POST", "/block/unblock/+14155550100")
    first = await read(ada, start, types="block.removed")
    assert (first["events"], first["more"]) == ([], True)
    second = await read(ada, first["next"], types="block.removed")
    assert (second["events"], second["more"]) == ([], True)
    third = await read(ada, second["next"], types="block.removed")
    assert (types(third), third["more"]) == (["block.removed"], False)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"after": "nonsense"}, "bad_cursor"),
        ({"types": "message.exploded"}, "unknown_event_type"),
        ({"types": "*"}, "unknown_event_type"),
        ({"types": ""}, "unknown_event_type"),
        ({"first": "0"}, "bad_first"),
        ({"first": str(MOST_EVENTS + 1)}, "bad_first"),
    ],
)
async def test_bad_questions_are_refused(query: dict[str, str], code: str, ada: Person):
    answer = await ada.rest("GET", "/events", params=query)
    assert answer.status_code == 400
    assert answer.json()["code"] == code
    variables = {
        "a": query.get("after"),
        "t": [name for name in query["types"].split(",") if name] if "types" in query else None,
        "f": int(query.get("first", "100")),
    }  # fmt: skip
    assert await ada.code(FEED, variables) in (code, "bad_first")


async def test_a_cursor_of_another_user_is_refused(ada: Person, bob: Person):
    start = await opened(ada)
    await opened(bob)
    answer = await bob.rest("GET", "/events", params={"after": start})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_cursor")


async def expired(person: Person, cursor: str) -> str:
    """Checks that the cursor is expired. Returns the oldest cursor there is."""
    answer = await person.rest("GET", "/events", params={"after": cursor})
    assert (answer.status_code, answer.json()["code"]) == (410, "cursor_expired"), answer.text
    return str(answer.json()["details"]["oldest"])


async def test_a_cursor_from_before_the_recording_is_expired_and_the_next_one_misses_nothing(ada: Person):
    start = await opened(ada)
    await ada.rest("POST", "/block/+14155550100")
    assert (await ada.rest("DELETE", "/events/feed")).status_code == 204
    assert (await ada.rest("DELETE", "/events/feed")).status_code == 204
    await ada.rest("POST", "/block/+14155550101")  # while nothing is recorded
    oldest = await expired(ada, start)
    await ada.rest("POST", "/block/+14155550102")  # the refused request has begun to record
    page = await read(ada, oldest)
    assert [event["data"]["phone"] for event in page["events"]] == ["+14155550102"]
    assert (await ada.data("{eventFeed{recording count}}")) == {"eventFeed": {"recording": True, "count": 1}}


async def test_a_cursor_from_a_future_that_a_backup_does_not_know_is_expired(ada: Person, services: Services):
    await opened(ada)
    for number in range(3):
        await ada.rest("POST", f"/block/+1415555010{number}")
    cursor = (await read(ada))["next"]
    await services.db.fetch("DELETE FROM events")
    await services.db.fetch("UPDATE event_feeds SET last_position = 1")  # as in the backup
    await expired(ada, cursor)


async def test_after_a_restored_backup_an_operator_makes_all_cursors_expire(ada: Person, services: Services):
    start = await opened(ada)
    await ada.rest("POST", "/block/+14155550100")
    await services.db.fetch("UPDATE event_feeds SET epoch = epoch + 1")  # docs/operations.md
    oldest = await expired(ada, start)
    assert types(await read(ada, oldest)) == ["block.added"]


async def test_the_state_of_a_feed(ada: Person):
    state = await ada.data("{eventFeed{recording recordingSince count limit nearlyFull retentionDays}}")
    assert state["eventFeed"] == {
        "recording": False, "recordingSince": None, "count": 0, "limit": 1_000_000, "nearlyFull": False,
        "retentionDays": 7,
    }  # fmt: skip
    enabled = (await ada.rest("PUT", "/events/feed")).json()
    assert enabled["recording"]
    assert (
        enabled
        == (await ada.rest("PUT", "/events/feed")).json()
        == (await ada.rest("GET", "/events/feed")).json()
    )
    await ada.rest("POST", "/block/+14155550100")
    assert types(await read(ada, enabled["oldest"])) == ["block.added"]
    assert await ada.data("mutation{disableEvents}") == {"disableEvents": True}
    assert not (await ada.data("{eventFeed{recording}}"))["eventFeed"]["recording"]


async def stored(services: Services, owner: UUID) -> list[int]:
    rows = await services.db.fetch("SELECT position FROM events WHERE owner_id = $1 ORDER BY 1", owner)
    return [row["position"] for row in rows]


async def test_old_events_are_deleted_from_the_oldest_on(ada: Person, services: Services):
    start = await opened(ada)
    for number in range(5):
        await ada.rest("POST", f"/block/+1415555010{number}")
    page = await read(ada, start)
    ids = [event["id"] for event in page["events"]]
    # The second one is young (its transaction began late), so the third stays as well.
    await services.db.fetch(
        "UPDATE events SET at = at - interval '8 days' WHERE id = ANY($1::uuid[])", [ids[0], ids[2]]
    )
    await rounds.maintain(services)
    assert await stored(services, ada.id) == [2, 3, 4, 5]
    oldest = await expired(ada, start)
    assert [event["id"] for event in (await read(ada, oldest))["events"]] == ids[1:]


@pytest.mark.settings(event_limit=1000)
async def test_a_feed_says_that_it_is_nearly_full_and_never_grows_beyond_its_limit(
    ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(event_feed, "BATCH", 100)
    start = await opened(ada)
    fill = (
        "INSERT INTO blocked_phones (id, owner_id, phone) SELECT gen_random_uuid(), $1, '+1' || n"
        " FROM generate_series($2::int, $3::int) AS n"
    )
    await services.db.fetch(fill, ada.id, 1, 850)
    await rounds.maintain(services)  # and one that says so, after the 800th
    await rounds.maintain(services)
    page = await read(ada, start, types="feed.nearlyFull")
    assert [event["data"] for event in page["events"]] == [{"count": 800, "limit": 1000}]
    assert (await ada.data("{eventFeed{nearlyFull}}")) == {"eventFeed": {"nearlyFull": True}}
    await services.db.fetch(fill, ada.id, 851, 2000)
    await rounds.maintain(services)
    positions = await stored(services, ada.id)
    assert len(positions) == 1000
    assert positions == [*range(positions[0], positions[0] + 1000)]
    await expired(ada, start)


@pytest.mark.settings(event_limit=1000)
async def test_a_reader_keeps_the_limit_where_no_worker_runs(ada: Person, services: Services):
    start = await opened(ada)
    fill = (
        "INSERT INTO blocked_phones (id, owner_id, phone) SELECT gen_random_uuid(), $1, '+1' || n"
        " FROM generate_series(1, 1500) AS n"
    )
    await services.db.fetch(fill, ada.id)
    await expired(ada, start)  # the request has given them positions, and has deleted the oldest
    assert await stored(services, ada.id) == [*range(501, 1501)]


async def test_a_feed_that_can_t_be_kept_now_does_not_hold_up_the_others(
    ada: Person, bob: Person, services: Services, database: str
):
    """One is locked, another one breaks; all of a round are tried."""
    carol = UUID(int=1)
    await services.db.fetch(
        "INSERT INTO users (id, email, roles) VALUES ($1, 'carol@example.com', '{user}')", carol
    )
    await services.db.fetch("INSERT INTO event_feeds (owner_id) VALUES ($1)", carol)
    broken = (
        "INSERT INTO events (owner_id, position, type, subject, subject_id, data)"
        " VALUES ($1, 9223372036854775807, 'x', 'x', $1, '{}')"
    )
    await services.db.fetch(broken, carol)  # there is no position behind it
    await opened(ada)
    await opened(bob)
    block = "INSERT INTO blocked_phones (id, owner_id, phone) VALUES (gen_random_uuid(), $1, '+1')"
    for owner in (carol, ada.id, bob.id):
        await services.db.fetch(block, owner)
    other = await asyncpg.connect(database)
    async with other.transaction():
        await other.execute("SELECT FROM event_feeds WHERE owner_id = $1 FOR UPDATE", ada.id)
        await rounds.maintain(services)
    await other.close()
    waiting = await services.db.fetch("SELECT owner_id FROM event_inbox ORDER BY owner_id = $1", ada.id)
    assert [row["owner_id"] for row in waiting] == [carol, ada.id]


async def test_what_a_disabled_feed_had_never_comes_back(ada: Person, services: Services, database: str):
    start = await opened(ada)
    await ada.rest("POST", "/block/+14155550100")
    await read(ada, start)
    late = await asyncpg.connect(database)
    transaction = late.transaction()
    await transaction.start()
    await late.execute(
        "INSERT INTO blocked_phones (id, owner_id, phone) VALUES (gen_random_uuid(), $1, '+1 late')", ada.id
    )
    await ada.rest("DELETE", "/events/feed")
    await transaction.commit()  # recorded, for it began before
    await late.close()
    assert (await ada.data("{eventFeed{recording count}}"))["eventFeed"] == {"recording": False, "count": 0}
    enabled = (await ada.rest("PUT", "/events/feed")).json()
    assert (await read(ada))["events"] == []
    assert (await read(ada, enabled["oldest"]))["events"] == []
    await ada.rest("DELETE", "/events/feed")
    await rounds.maintain(services)
    assert await services.db.fetchval("SELECT count(*) FROM events") == 0


async def test_a_feed_that_nobody_reads_is_not_recorded_for_ever(
    ada: Person, bob: Person, services: Services
):
    await opened(ada)
    await opened(bob)
    await services.db.fetch(
        "UPDATE event_feeds SET used_at = now() - interval '31 days' WHERE owner_id = $1", ada.id
    )
    await ada.rest("POST", "/block/+14155550100")
    await rounds.maintain(services)
    await rounds.maintain(services)
    recording = await services.db.fetch("SELECT owner_id FROM event_feeds WHERE recording")
    assert [row["owner_id"] for row in recording] == [bob.id]
    assert await services.db.fetchval("SELECT count(*) FROM events") == 0
    assert await services.db.fetchval("SELECT count(*) FROM event_inbox") == 0
