"""Traffic through both doors: it is the ledger's sums, and only administrators see costs."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

import engine.costs.traffic as counting
import engine.projects  # noqa: F401  registers the jobs
from engine.jobs import JOBS
from tests.costs.counting import count, is_exact, traffic
from tests.price_lists.support import add_version, make_list, price_by
from tests.support.gateway import MAGIC, gateway
from tests.support.projects import Projects

__all__ = ["gateway"]

GERMAN, AMERICAN, JERSEY = "+4930123456", "+14155550100", "+447797712345"
QUERY = """
query($input: TrafficInput) { traffic(input: $input) {
  total page limit countedUntil
  items { country route sender ownerUuid channel messages parts delivered currency charged costCurrency cost
    withoutCost margin }
} }
"""


@pytest.fixture
def projects(services) -> Projects:
    return Projects(services)


async def test_the_sums_are_those_of_the_ledger(admin, ada, bob, services, gateway, drain, projects):
    list_id = await make_list(admin)
    await add_version(admin, list_id, {"49": 0.07, "1": 0.02, "447797": 0.09})
    await price_by(admin, ada, list_id)
    texts = {GERMAN: "x" * 200, AMERICAN: "hi", JERSEY: "hi"}
    for number, text in texts.items():
        await gateway.send(ada, number, body=text)
    refused = await gateway.send(ada, MAGIC["sms"]["failed"])
    await gateway.send(ada, channel="email")
    await gateway.send(bob, GERMAN)
    later = await ada.rest(
        "POST",
        "/messages",
        json={
            "to": GERMAN,
            "channel": "sms",
            "body": "later",
            "sendAt": (datetime.now(UTC) + timedelta(days=1)).isoformat(),
        },
    )
    assert later.status_code == 202, later.text
    project = await projects.make(ada, [GERMAN, AMERICAN, MAGIC["sms"]["failed"]], channel="sms")
    await projects.work()
    for channel in ("sms", "email"):
        await drain(channel)
    assert (await gateway.row(refused))["state"] == "failed"
    await count(services)
    assert await is_exact(services.db)
    rows = {row["country"]: row for row in await traffic(ada)}
    assert rows.keys() == {"DE", "US", "JE", None}
    assert (rows["DE"]["messages"], rows["DE"]["parts"]) == (
        3,
        4,
    )  # one of them is scheduled, one of the project
    assert rows["DE"]["charged"] == pytest.approx(3 * 0.07 + 0.01)  # of the project by no list
    assert rows[None]["messages"] == 1  # the email
    # Owners see no costs, nor other users' rows.
    assert all(
        row["cost"] is row["margin"] is row["costCurrency"] is row["withoutCost"] is None
        for row in rows.values()
    )
    assert await traffic(ada, ownerUuid=str(bob.id)) == []
    owners = {row["ownerUuid"]: row["messages"] for row in await traffic(admin, groupBy="owner")}
    assert owners[str(bob.id)] == 1
    assert owners[str(ada.id)] == sum(row["messages"] for row in rows.values())
    # A cancel and a retry of a project change what was counted.
    canceled = await ada.rest("DELETE", f"/messages/{later.json()['id']}")
    assert canceled.status_code == 200, canceled.text
    await services.db.fetch(
        "UPDATE message_records SET queued_at = queued_at - interval '3 hours' WHERE project_id = $1", project
    )
    await count(services)
    assert await is_exact(services.db)
    before = {row["country"]: row["messages"] for row in await traffic(ada)}
    retried = await ada.rest("POST", f"/sending-project/retry/{project}")
    assert retried.status_code < 300, retried.text
    await projects.work()
    await count(services)
    assert await is_exact(services.db)
    assert {row["country"]: row["messages"] for row in await traffic(ada)} == before
    assert JOBS


async def test_margins_are_charges_less_the_costs_of_the_route(admin, ada, services, gateway, drain):
    costs = await make_list(admin, name="Provider")
    await add_version(admin, costs, {"49": 0.004, "4930": 0.003})
    await gateway.send(ada, GERMAN, body="x" * 200)
    await gateway.send(ada, AMERICAN)
    await drain("sms")
    await count(services)
    (route,) = {row["route"] for row in await traffic(admin, groupBy="route")}
    (row,) = await traffic(admin, groupBy="route")
    assert (row["cost"], row["withoutCost"]) == (0, 2)
    an_hour_ago = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    made = await admin.rest("PUT", f"/route-costs/{route}", json={"listId": costs, "validFrom": an_hour_ago})
    assert made.status_code == 200, made.text
    await count(services)
    answer = await admin.data(QUERY, {"input": {"groupBy": ["country", "route"]}})
    rows = {each["country"]: each for each in answer["traffic"]["items"]}
    german, american = rows["DE"], rows["US"]
    assert german["cost"] == 0.006  # two parts
    assert german["margin"] == pytest.approx(german["charged"] - 0.006)
    assert (american["cost"], american["withoutCost"], american["margin"]) == (0, 1, None)
    assert answer["traffic"]["countedUntil"] is not None
    (shown,) = (await admin.rest("GET", "/route-costs")).json()
    assert (shown["route"], shown["listId"]) == (route, costs)
    # By this list is counted, so it stays; a later row without a list ends that.
    assert (await admin.rest("DELETE", f"/price-lists/{costs}")).json()["code"] == "price_list_in_use"
    version = await admin.rest("DELETE", f"/price-lists/{costs}/versions/1")
    assert version.json()["code"] == "price_list_in_use"
    ended = await admin.data(
        "mutation($r: String!, $at: DateTime) {setRouteCosts(route: $r, input: {listId: null, validFrom: $at})"
        " {listId}}",
        {"r": route, "at": an_hour_ago},
    )
    assert ended["setRouteCosts"]["listId"] is None
    await count(services)
    (row,) = await traffic(admin, groupBy="route")
    assert (row["cost"], row["withoutCost"]) == (0, 2)
    assert (await admin.rest("DELETE", f"/price-lists/{costs}")).status_code == 204  # that row was replaced


async def test_a_version_of_the_costs_is_counted_by(admin, ada, services, gateway, drain):
    """The first one holds for what was before it, too, also if one of later is there already."""
    costs = await make_list(admin)
    await gateway.send(ada, GERMAN)
    await drain("sms")
    (row,) = await services.db.fetch("SELECT DISTINCT provider FROM messages")
    an_hour_ago = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    body = {"listId": costs, "validFrom": an_hour_ago}
    assert (await admin.rest("PUT", f"/route-costs/{row['provider']}", json=body)).status_code == 200
    await count(services)
    assert [each["withoutCost"] for each in await traffic(admin)] == [1]
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    for fields, price in (({"validFrom": tomorrow}, 0.004), ({}, 0.005)):
        await add_version(admin, costs, {"49": price}, **fields)
        await count(services)
        assert [each["cost"] for each in await traffic(admin)] == [price]
    # A later one changes nothing of what was before it.
    await add_version(admin, costs, {"49": 0.006})
    assert await services.db.fetchval("SELECT count(*) FROM traffic_due") <= 1
    await count(services)
    assert [each["cost"] for each in await traffic(admin)] == [0.005]


async def test_costs_change_at_their_moment_within_an_hour(admin, ada, services, gateway, drain):
    first, second = await make_list(admin, name="A"), await make_list(admin, name="B", currency="EUR")
    for list_id, price in ((first, 0.004), (second, 0.005)):
        await add_version(admin, list_id, {"49": price})
    early, late = await gateway.send(ada, GERMAN), await gateway.send(ada, GERMAN)
    await drain("sms")
    (row,) = await services.db.fetch("SELECT DISTINCT provider FROM messages WHERE id = $1", early)
    for id, minute in ((early, 10), (late, 40)):
        await services.db.fetch(
            "UPDATE messages SET created_at = date_trunc('hour', created_at) + make_interval(mins => $2),"
            " updated_at = now() WHERE id = $1", id, minute,
        )  # fmt: skip
    hour = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    for list_id, minute in ((first, 0), (second, 30)):
        at = (hour + timedelta(minutes=minute)).isoformat()
        body = {"listId": list_id, "validFrom": at}
        assert (await admin.rest("PUT", f"/route-costs/{row['provider']}", json=body)).status_code == 200
    await count(services)
    rows = await traffic(admin, groupBy="channel")
    assert {(each["costCurrency"], each["cost"]) for each in rows} == {("USD", 0.004), ("EUR", 0.005)}
    assert {each["costCurrency"]: each["margin"] for each in rows}["EUR"] is None
    (row,) = await traffic(ada, groupBy="channel")  # the currency of costs makes no rows for owners
    assert row["messages"] == 2


async def test_bad_questions_are_refused(admin, ada):
    for query, code in (
        ({"dateFrom": "2026-01-01T00:00:00Z", "dateTo": "2025-01-01T00:00:00Z"}, "bad_period"),
        ({"dateFrom": "2020-01-01T00:00:00Z", "dateTo": "2026-01-01T00:00:00Z"}, "bad_period"),
        ({"page": 2**62}, "validation_failed"),
        ({"groupBy": "country,country"}, "validation_failed"),
        ({"groupBy": "moon"}, "validation_failed"),
        ({"limit": 101}, "validation_failed"),
    ):
        answer = await ada.rest("GET", "/traffic", params=query)
        assert (answer.status_code, answer.json()["code"]) == (400, code), (query, answer.text)
    assert (await ada.rest("GET", "/traffic", params={"page": 9, "limit": 100})).json()["items"] == []
    costs = await make_list(admin)
    old = (datetime.now(UTC) - timedelta(days=367)).isoformat()
    for path, body, code in (
        ("/route-costs/moon", {"listId": costs}, "route_not_found"),
        ("/route-costs/sandbox", {"listId": str(ada.id)}, "price_list_not_found"),
        ("/route-costs/sandbox", {"listId": costs, "validFrom": old}, "bad_period"),
    ):
        answer = await admin.rest("PUT", path, json=body)
        assert answer.json()["code"] == code, answer.text
    assert (await ada.rest("PUT", "/route-costs/sandbox", json={"listId": costs})).status_code == 403


async def test_an_hour_whose_messages_may_be_gone_is_final(admin, ada, services, gateway, drain):
    await gateway.send(ada, GERMAN)
    await drain("sms")
    await count(services)
    (row,) = await traffic(ada)
    await services.db.fetch("UPDATE traffic SET hour = hour - interval '40 days'")
    await services.db.fetch("INSERT INTO traffic_due SELECT hour FROM traffic")
    await services.db.fetch("DELETE FROM messages")
    past = (datetime.now(UTC) - timedelta(days=60)).isoformat()
    costs = {"listId": await make_list(admin), "validFrom": past}
    assert (await admin.rest("PUT", "/route-costs/sandbox", json=costs)).status_code == 200
    await count(services)
    assert await traffic(ada, dateFrom=past) == [row]


async def test_an_hour_is_one_of_utc_in_every_time_zone(admin, ada, services, gateway, drain):
    """Of an offset of half an hour, hours would begin at half past, and messages be counted twice."""
    costs = await make_list(admin)
    await add_version(admin, costs, {"49": 0.004})
    await gateway.send(ada, GERMAN)
    await drain("sms")
    await count(services)
    (route,) = {row["route"] for row in await traffic(admin, groupBy="route")}
    hour = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    india = timezone(timedelta(hours=5, minutes=30))
    before = (hour - timedelta(minutes=1)).astimezone(india).isoformat()
    made = await admin.rest("PUT", f"/route-costs/{route}", json={"listId": costs, "validFrom": before})
    assert made.status_code == 200, made.text
    await count(services)
    (row,) = await traffic(admin)
    assert (row["messages"], row["cost"]) == (1, 0.004)
    assert await services.db.fetchval("SELECT every(hour = date_trunc('hour', hour)) FROM traffic")
    # What is asked for from the middle of an hour on has the whole hour.
    await services.db.fetch("UPDATE traffic SET hour = $1", hour - timedelta(hours=5))
    since = (hour - timedelta(hours=4, minutes=15)).astimezone(india).isoformat()
    assert [each["messages"] for each in await traffic(ada, dateFrom=since)] == [1]


async def test_a_due_hour_is_not_counted_before_a_change_is_committed(services):
    hour = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    await services.db.fetch("INSERT INTO traffic_due VALUES ($1)", hour)
    async with services.db.transaction() as db:
        await counting.make_due(db, hour, hour)
        async with services.db.transaction() as other:
            assert await other.fetchval(counting._TAKE) is None
    assert await services.db.fetchval("SELECT hour FROM traffic_due") == hour
