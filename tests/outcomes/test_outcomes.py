"""Messages are counted by how they ended and when they were created: each once, and as the lists count them."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from core.ids import uuid7
from engine import upkeep
from tests.message_records.rows import messages, project

_ADD = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body, failure_code, created_at,
  claim_id)
VALUES ($1, $2, $3, $4, $5, $6, '+14155550100', 'Hello', CASE WHEN $6 = 'failed' THEN 'rejected' END, $7,
  CASE WHEN $6 = 'sending' THEN gen_random_uuid() END)
"""
STATES = ("queued", "sending", "sent", "delivered", "failed", "unknown", "canceled")
_QUERY = (
    "query($f: DateTime) { statisticsOutcomes(dateFrom: $f)"
    " { from countedSince items { kind channel total failed } } }"
)


async def add(services, who, state="sent", channel="sms", direction="outbound", at=None):
    id = uuid7()
    at = at or datetime.now(UTC)
    await services.db.fetch(_ADD, id, who.id, who.account_id, direction, channel, state, at)
    return id


async def outcomes(who, **parameters):
    answer = await who.rest("GET", "/statistics/outcomes", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def shown(answer, *names):
    return {(row["kind"], row["channel"]): [row[name] for name in names] for row in answer["items"]}


async def test_a_failure_that_is_tried_again_counts_once(ada, services):
    project_id = await project(services, ada)
    await messages(services, ada, project_id, {"status": "failed", "failure_code": "rejected"})
    async with services.db.reading() as db:
        for status in ("queued", "failed", "queued", "failed"):
            await db.execute("UPDATE message_records SET status = $1", status)
    assert shown(await outcomes(ada), "total", "failed") == {("project", "sms"): [1, 1]}
    counts = (await ada.rest("GET", "/statistics/list")).json()["items"][0]["counts"]
    assert (counts["total"], counts["failed"]) == (1, 1), "the project says the same"
    async with services.db.reading() as db:
        await db.execute("UPDATE message_records SET status = 'delivered', delivered_at = now()")
    assert shown(await outcomes(ada), "total", "failed", "delivered") == {("project", "sms"): [1, 0, 1]}


async def test_each_number_is_that_of_the_list_with_the_same_filters(ada, bob, admin, services):
    """Whatever moves the messages: many at once, some that don't move, deletions, and other users' messages."""
    luck = random.Random(11)
    now = datetime.now(UTC)
    for _ in range(80):
        who = luck.choice((ada, bob))
        at = now - timedelta(minutes=luck.choice((1, 20, 70, 200, 3000)))
        await add(services, who, luck.choice(STATES), luck.choice(("sms", "email", "push")), "outbound", at)
    await add(services, ada, "delivered", direction="inbound")
    await add(services, ada, "failed", channel="telegram")  # a test, which no list of messages has
    for _ in range(20):
        await services.db.fetch(
            "UPDATE messages SET state = $1, claim_id = CASE WHEN $1 = 'sending' THEN gen_random_uuid() END"
            " WHERE id IN (SELECT id FROM messages ORDER BY random() LIMIT $2)",
            luck.choice(STATES),
            luck.randint(0, 9),
        )
        await services.db.fetch(
            "DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE random() < 0.01)"
        )
    query = "query($w: MessageWhere) { messages(first: 1, where: $w) { totalCount } }"
    for who in (ada, bob, admin):
        for hours in (0, 1, 3, 24 * 4):
            since = now - timedelta(hours=hours, minutes=5)
            answer = await outcomes(who, dateFrom=since.isoformat())
            counted = shown(answer, "total", *STATES)
            begins = answer["from"]
            for channel in ("sms", "email", "push"):
                numbers = counted.get(("direct", channel), [0] * 8)
                for state, number in zip(("all", *STATES), numbers, strict=True):
                    where = {
                        "createdAt": {"gte": begins},
                        "channel": {"eq": channel},
                        "direction": {"eq": "outbound"},
                    }
                    if state != "all":
                        where["deliveryState"] = {"eq": state}
                    listed = (await who.data(query, {"w": where}))["messages"]["totalCount"]
                    assert listed == number, (hours, channel, state)


async def test_messages_of_projects_are_those_of_their_list_too(ada, services):
    project_id = await project(services, ada, channel="email")
    old = datetime.now(UTC) - timedelta(hours=30)
    await messages(
        services,
        ada,
        project_id,
        {"status": "read", "channel": "email"},
        {"status": "failed", "failure_code": "rejected", "channel": "email"},
        {"status": "failed", "failure_code": "rejected", "channel": "email", "queued_at": old},
        {"status": "delivered", "direction": "inbound", "channel": "email"},
    )
    assert shown(await outcomes(ada), "total", "read", "failed") == {("project", "email"): [2, 1, 1]}
    graph = (await ada.data(_QUERY, {"f": old.isoformat()}))["statisticsOutcomes"]
    assert [(row["kind"], row["total"], row["failed"]) for row in graph["items"]] == [("project", 3, 2)]
    assert graph["countedSince"] is None
    query = "query($w: MessageRecordWhere) { messageRecords(first: 1, where: $w) { totalCount } }"
    where = {
        "queuedAt": {"gte": graph["from"]},
        "status": {"eq": "failed"},
        "channel": {"eq": "email"},
        "direction": {"eq": "outbound"},
    }
    assert (await ada.data(query, {"w": where}))["messageRecords"]["totalCount"] == 2


async def test_what_an_update_could_not_count_is_said(ada, services):
    await add(services, ada)
    started = datetime.now(UTC) - timedelta(hours=2)
    await services.db.fetch("INSERT INTO outcome_starts (kind, since) VALUES ('project', $1)", started)
    assert datetime.fromisoformat((await outcomes(ada))["countedSince"]) == started
    later = (started + timedelta(hours=1)).isoformat()
    assert (await outcomes(ada, dateFrom=later))["countedSince"] is None


async def test_what_nobody_can_ask_for_is_deleted(ada, services):
    now = datetime.now(UTC)
    for age in (91, 95):
        await add(services, ada, at=now - timedelta(days=age))
    await upkeep.prune(services.db, None)
    buckets = await services.db.fetch("SELECT bucket FROM outcome_counters")
    assert [(now - row["bucket"]).days for row in buckets] == [91]


@pytest.mark.parametrize("when", [timedelta(days=-93), timedelta(hours=1)])
async def test_another_period_is_refused(ada, when):
    asked = {"dateFrom": (datetime.now(UTC) + when).isoformat()}
    answer = await ada.rest("GET", "/statistics/outcomes", params=asked)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_period")
