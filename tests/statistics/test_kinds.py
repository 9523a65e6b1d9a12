"""Statistics of direct messages and of projects' together, and the counters behind them and behind lists."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.ids import uuid7
from engine.upkeep import prune
from tests.message_records.rows import messages, project

SPAN = {"dateFrom": (datetime.now(UTC) - timedelta(hours=1)).isoformat(), "interval": "hour"}
_ADD = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body, failure_code, sent_at)
VALUES ($1, $2, $3, $4, $5, $6, '+14155550100', 'Hello', $7, CASE WHEN $6 = 'sent' THEN now() END)
"""
STATES = ("queued", "sending", "sent", "delivered", "failed", "unknown", "canceled")


async def add(services, who, state="sent", channel="sms", direction="outbound", code=None):
    id = uuid7()
    await services.db.fetch(_ADD, id, who.id, who.account_id, direction, channel, state, code)
    return id


async def got(who, path, **parameters):
    answer = await who.rest("GET", path, params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_direct_messages_are_counted_apart_and_together(ada, bob, admin, services):
    project_id = await project(services, ada)
    await messages(
        services, ada, project_id, {"status": "sent"}, {"status": "failed", "failure_code": "rejected"}
    )
    await add(services, ada)
    await add(services, ada, "failed", code="rejected")
    await add(services, ada, "failed", code="expired")
    await add(services, ada, "delivered", direction="inbound")
    await add(services, bob)
    sent, failed, reasons = {}, {}, {}
    for kind in ("project", "direct", "all"):
        seen = await got(ada, "/statistics/delivery-status-counts", kind=kind)
        graph = await ada.data(
            "query($k: StatisticsKind!) { deliveryStatusCounts(kind: $k) { statuses failureReasons } }",
            {"k": kind},
        )
        assert graph["deliveryStatusCounts"] == seen
        sent[kind], failed[kind] = seen["statuses"]["sent"], seen["statuses"]["failed"]
        reasons[kind] = seen["failureReasons"]
        assert seen["statuses"]["read"] == seen["statuses"]["skipped"] == 0
    assert sent == {"project": 1, "direct": 1, "all": 2}
    assert failed == {"project": 1, "direct": 2, "all": 3}
    assert reasons == {
        "project": {"rejected": 1},
        "direct": {"expired": 1, "rejected": 1},
        "all": {"rejected": 2, "expired": 1},
    }
    assert await got(ada, "/statistics/delivery-status-counts") == await got(
        ada, "/statistics/delivery-status-counts", kind="project"
    )
    assert (await got(admin, "/statistics/total", kind="direct"))["counts"]["sent"] == 2
    totals = {kind: await got(ada, "/statistics/total", kind=kind) for kind in ("project", "direct", "all")}
    assert [totals[kind]["counts"]["total"] for kind in totals] == [2, 3, 5]
    assert [totals[kind]["projects"] for kind in totals] == [1, 0, 1]
    graph = await ada.data("{ statisticsTotal(kind: all) { counts { total failed } } }")
    assert graph["statisticsTotal"]["counts"] == {"total": 5, "failed": 3}


async def test_what_happened_to_direct_messages(ada, services):
    project_id = await project(services, ada)
    await messages(services, ada, project_id, {"status": "sent", "sent_at": datetime.now(UTC)})
    id = await add(services, ada, "queued")
    await services.db.fetch("UPDATE messages SET state = 'sent', sent_at = now() WHERE id = $1", id)
    await services.db.fetch("UPDATE messages SET state = 'failed', failure_code = 'x' WHERE id = $1", id)
    await add(services, ada, "delivered", direction="inbound")
    sums = {}
    for kind in ("project", "direct", "all"):
        items = (await got(ada, "/statistics/general", kind=kind, **SPAN))["items"]
        names = ("queued", "sent", "failed", "replied")
        sums[kind] = [sum(item[name] for item in items) for name in names]
    assert sums["direct"] == [1, 1, 1, 0]
    assert sums["all"] == [a + b for a, b in zip(sums["project"], sums["direct"], strict=True)]
    query = "query($f: DateTime!) { statisticsGeneral(dateFrom: $f, interval: hour, kind: direct) { items { sent } } }"
    graph = await ada.data(query, {"f": SPAN["dateFrom"]})
    assert sum(item["sent"] for item in graph["statisticsGeneral"]["items"]) == 1


async def test_each_channel_is_counted_apart(ada, bob, admin, services):
    mail = await project(services, ada, channel="email")
    await messages(services, ada, mail, {"status": "sent", "sent_at": datetime.now(UTC), "channel": "email"})
    await messages(services, ada, mail, {"status": "unknown", "channel": "email"})
    id = await add(services, ada, "queued")
    await services.db.fetch("UPDATE messages SET state = 'unknown' WHERE id = $1", id)
    await services.db.fetch("UPDATE messages SET state = 'sent', sent_at = now() WHERE id = $1", id)
    await add(services, bob)

    def shown(rows: Any) -> dict[str, list[int]]:
        return {row["channel"]: [row["queued"], row["sent"], row["unknown"]] for row in rows}

    wanted = {"sms": [1, 1, 1], "email": [2, 1, 1]}
    assert shown(await got(ada, "/statistics/channels", kind="all", **SPAN)) == wanted
    assert shown(await got(ada, "/statistics/channels", kind="direct", **SPAN)) == {"sms": [1, 1, 1]}
    assert shown(await got(ada, "/statistics/channels", **SPAN)) == {"email": [2, 1, 1]}
    query = (
        "query($f:DateTime!,$c:ProjectChannel){statisticsByChannel(dateFrom:$f,interval:hour,kind:all)"
        "{channel queued sent unknown} statisticsGeneral(dateFrom:$f,interval:hour,kind:all,channel:$c)"
        "{items{queued sent unknown}}}"
    )
    for channel in (None, "sms", "email", "push"):
        graph = await ada.data(query, {"f": SPAN["dateFrom"], "c": channel})
        assert shown(graph["statisticsByChannel"]) == wanted
        items = graph["statisticsGeneral"]["items"]
        sums = [sum(item[name] for item in items) for name in ("queued", "sent", "unknown")]
        of_channels = [numbers for name, numbers in wanted.items() if channel in (None, name)]
        assert sums == [sum(numbers) for numbers in zip(*of_channels, strict=True)] or sums == [0, 0, 0], (
            channel
        )
        assert any(sums) == (channel != "push")
    everybody = shown(await got(admin, "/statistics/channels", kind="all", **SPAN))
    assert everybody == {"sms": [2, 2, 1], "email": [2, 1, 1]}


async def test_an_unknown_kind_is_refused(ada):
    answer = await ada.rest("GET", "/statistics/total", params={"kind": "some"})
    assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")


async def test_retention_takes_rows_off_lists_and_leaves_them_in_the_statistics(ada, services):
    await add(services, ada)
    await services.db.fetch("UPDATE messages SET id = '00000000-0000-7000-8000-000000000000'")
    await prune(services.db, 1)
    assert (await got(ada, "/messages", page=1))["meta"]["total"] == 0
    assert (await services.db.fetchval("SELECT sum(stored) FROM message_counters")) == 0
    assert (await got(ada, "/statistics/total", kind="direct"))["counts"]["sent"] == 1


async def test_the_counters_of_messages_are_a_recount_of_them(ada, bob, services):
    """Whatever moves them: many at once, some that don't move, deletions."""
    luck = random.Random(7)
    for _ in range(60):
        who = luck.choice((ada, bob))
        direction, state = luck.choice(("outbound", "outbound", "inbound")), luck.choice(STATES)
        code = "rejected" if state == "failed" else None
        await add(services, who, state, luck.choice(("sms", "email", "push")), direction, code)
    for _ in range(40):
        state = luck.choice(STATES)
        await services.db.fetch(
            "UPDATE messages SET state = $1, failure_code = CASE WHEN $1 = 'failed' THEN 'expired' END"
            " WHERE id IN (SELECT id FROM messages ORDER BY random() LIMIT $2)", state, luck.randint(0, 9),
        )  # fmt: skip
        await services.db.fetch(
            "DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE random() < 0.02 LIMIT 1)"
        )
    rows = "owner_id, account_id, channel, state, direction"
    recount = await services.db.fetch(f"SELECT {rows}, count(*) AS n FROM messages GROUP BY {rows}")
    stored = await services.db.fetch(
        "SELECT owner_id, account_id, channel, state, kind, sum(stored) AS n FROM message_counters"
        " GROUP BY owner_id, account_id, channel, state, kind HAVING sum(stored) <> 0"
    )
    kinds = {"inbound": "inbound", "outbound": "direct"}
    assert {(*row[:4], kinds[row[4]], row[5]) for row in recount} == {tuple(row) for row in stored}
    for who in (ada, bob):
        listed = [await got(who, "/messages", page=page, limit=7) for page in (1, 2, 50)]
        assert len({page["meta"]["total"] for page in listed}) == 1
        for status in ("queued", "sent", "delivered", "failed"):
            for channel in ("sms", "email", "push"):
                page = await got(who, "/messages", status=status, channel=channel, limit=100)
                assert page["meta"]["total"] == len(page["items"])
        mine = await services.db.fetchval("SELECT count(*) FROM messages WHERE owner_id = $1", who.id)
        assert listed[0]["meta"]["total"] == mine
        filled = await got(who, "/messages", accountId=str(who.account_id), limit=1)
        assert filled["meta"]["total"] == mine


async def test_a_page_beyond_the_middle_is_the_same_page(ada, services, monkeypatch):
    from db.lists import listing

    for _ in range(23):
        await add(services, ada)
    whole = [item["id"] for item in (await got(ada, "/messages", limit=100))["items"]]
    monkeypatch.setattr(listing, "DEEP", 0)
    for limit in (1, 4, 5, 23, 100):
        paged = []
        for page in range(1, 30):
            answer = await got(ada, "/messages", page=page, limit=limit)
            assert (answer["meta"]["total"], answer["meta"]["totalPages"]) == (23, -(-23 // limit))
            paged += [item["id"] for item in answer["items"]]
        assert paged == whole


@pytest.mark.parametrize("path", ["/users", "/accounts"])
async def test_other_lists_have_the_same_pages_too(admin, people, monkeypatch, path):
    from db.lists import listing

    for number in range(5):
        await people.make(f"p{number}@example.com")
    whole = (await got(admin, path, limit=100))["items"]
    monkeypatch.setattr(listing, "DEEP", 0)
    paged = [item for page in range(1, 9) for item in (await got(admin, path, page=page, limit=2))["items"]]
    assert paged == whole
