"""Receipts are counted by route and prefix, and a route that delivers nothing is tried after the others for a while."""

import asyncio
import zlib
from typing import Any

import pytest

from channels.port import Receipt, Result
from core.ids import uuid7
from core.settings import Settings
from engine.sms.degraded_routes import judge_routes
from engine.sms.route_receipts import RouteReceipts, receipts_of
from engine.sms.route_rules import routing_of
from engine.worker import receive_events
from postern.doctor import routes as doctor
from postern.doctor.findings import Findings
from runtime.services import Services
from tests.channels.peer_post import Provider
from tests.route_rules.made import add, got
from tests.route_rules.test_doors import trace, tried
from tests.support.gateway import Gateway
from tests.support.people import Person
from tests.support.projects import Projects

DE, FR = "+4930123456", "+33612345678"
QUALITY = "{routeQuality{route prefix sent delivered sentBefore deliveredBefore degradedSince retryAt}}"
USERS = [uuid7() for _ in range(3)]


async def counts(services: Services) -> list[tuple[Any, ...]]:
    """Returns route, prefix, sent, delivered, and the number of users."""
    await receipts_of(services).flush()
    rows = await services.db.fetch(
        "SELECT route, prefix, sum(sent), sum(delivered), max(cardinality(user_ids)) FROM route_receipts"
        " GROUP BY route, prefix ORDER BY route, prefix"
    )
    return [tuple(row.values()) for row in rows]


async def happened(
    services: Services,
    minutes: int,
    route: str,
    sent: int,
    delivered: int = 0,
    prefix: str = "49",
    users: int = 3,
) -> None:
    """Adds counts of some minutes ago."""
    await services.db.fetchval(
        """
        INSERT INTO route_receipts (route, prefix, since, sent, delivered, user_ids)
        SELECT $1, $2, now() - make_interval(mins => $3), $4, $5, $6
        """,
        route, prefix, minutes, sent, delivered, USERS[:users],
    )  # fmt: skip


async def judge(services: Services) -> list[tuple[str, str, bool]]:
    """Runs the round. Returns the degraded routes, and whether they are on trial."""
    await judge_routes(services)
    await routing_of(services).refresh()
    rows = await services.db.fetch(
        "SELECT route, prefix, retry_at <= now() AS trial FROM degraded_routes WHERE ended_at IS NULL ORDER BY 1, 2"
    )
    return [tuple(row.values()) for row in rows]


async def later(services: Services, minutes: int) -> None:
    """Moves everything into the past."""
    past = f"make_interval(mins => {minutes})"
    await services.db.fetchval(f"UPDATE route_receipts SET since = since - {past}")
    await services.db.fetchval(
        f"UPDATE degraded_routes SET since = since - {past}, retry_at = retry_at - {past}, ended_at = ended_at - {past}"
    )


@pytest.fixture
async def rules(admin: Person) -> None:
    await add(admin, "49", "north", priority=1)
    await add(admin, "49", "sms-2", priority=2)


# Counting


async def test_what_a_route_accepts_and_what_its_receipts_say_is_counted_by_the_prefix_of_its_rules(
    gateway: Gateway, ada: Person, bob: Person, admin: Person, drain: Any, services: Services, rules: None
):
    await add(admin, "4930", "north")
    for person, to in ((ada, DE), (ada, "+4940123456"), (bob, "+4940123457"), (bob, FR)):
        await gateway.send(person, to)
    await drain("sms")
    assert await counts(services) == [("north", "49", 2, 0, 2), ("north", "4930", 1, 0, 1)]
    (north, _), (id, *_) = services.routes.of("sms"), await services.db.fetchrow(
        "SELECT provider_message_id FROM messages WHERE \"to\" = '+4940123456'"
    )  # fmt: skip
    for result in (Result.sent, Result.delivered, Result.delivered):  # the last one changes nothing
        await receive_events(services, north, [Receipt(id, result)])
    assert await counts(services) == [("north", "49", 2, 1, 2), ("north", "4930", 1, 0, 1)]


async def test_failures_and_other_routes_are_not_counted(
    gateway: Gateway, ada: Person, drain: Any, services: Services, rules: None, providers: list[Provider]
):
    await gateway.send(ada, providers[0].bad_recipient)
    await gateway.send(ada, FR)
    await drain("sms")
    assert await counts(services) == []


async def test_without_rules_nothing_is_counted_and_nothing_runs(
    gateway: Gateway, ada: Person, drain: Any, services: Services
):
    id = await gateway.send(ada, DE)
    await drain("sms")
    await receive_events(
        services,
        services.routes.of("sms")[0],
        [Receipt((await gateway.row(id))["provider_message_id"], Result.delivered)],
    )
    assert await gateway.state(id) == "delivered"
    assert receipts_of(services)._flushing is None
    assert await counts(services) == []


async def test_a_receipt_that_comes_before_the_outcome_is_stored_counts(
    gateway: Gateway,
    ada: Person,
    drain: Any,
    services: Services,
    rules: None,
    monkeypatch: pytest.MonkeyPatch,
):
    north = services.routes.of("sms")[0]
    send = north.send

    async def send_and_report(batch: Any) -> Any:
        outcomes = await send(batch)
        await receive_events(
            services, north, [Receipt(outcome.provider_message_id, Result.delivered) for outcome in outcomes]
        )
        return outcomes

    monkeypatch.setattr(north, "send", send_and_report)
    id = await gateway.send(ada, DE)
    await drain("sms")
    await gateway.until({id: "delivered"})
    assert await counts(services) == [("north", "49", 1, 1, 1)]


async def test_messages_of_projects_are_counted(
    ada: Person, projects: Projects, services: Services, rules: None, providers: list[Provider]
):
    await projects.make(ada, [DE, "+4940123456", FR], channel="sms")
    await projects.work()
    assert got(providers)[0] == sorted([DE, "+4940123456", FR])
    assert await counts(services) == [("north", "49", 2, 0, 1)]


async def test_the_counts_are_written_by_themselves_and_at_the_end_of_the_process(
    gateway: Gateway,
    ada: Person,
    drain: Any,
    services: Services,
    rules: None,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("engine.sms.route_receipts.FLUSH_SECONDS", 0.01)
    await gateway.send(ada, DE)
    await drain("sms")
    async with asyncio.timeout(10):
        while not await services.db.fetchval("SELECT sum(sent) FROM route_receipts"):
            await asyncio.sleep(0.01)
    monkeypatch.setattr("engine.sms.route_receipts.FLUSH_SECONDS", 1000)
    await gateway.send(ada, DE)
    await drain("sms")
    await RouteReceipts.close(receipts_of(services))
    assert await services.db.fetchval("SELECT sum(sent) FROM route_receipts") == 2


# The order of routes


async def test_a_route_that_delivers_nothing_is_tried_last_then_on_trial_and_then_in_its_place_again(
    gateway: Gateway,
    ada: Person,
    admin: Person,
    drain: Any,
    services: Services,
    rules: None,
    providers: list[Provider],
):
    await happened(services, 300, "north", sent=1000, delivered=200)
    await happened(services, 20, "north", sent=150, delivered=1)
    assert await judge(services) == [("north", "49", False)]
    await gateway.send(ada, DE)
    await drain("sms")
    assert got(providers) == [[], [DE]]
    answer = await trace(admin, DE)
    assert tried(answer) == ["sms-2", "north"]
    assert "others are tried before it" in answer["candidates"][1]["why"]
    assert "others" not in answer["candidates"][0]["why"]

    await later(services, 15)
    assert await judge(services) == [("north", "49", True)]
    numbers = [f"+49301234{number:03}" for number in range(400)]
    first = {to: tried(await trace(admin, to))[0] for to in numbers[:60]}
    assert {to for to, route in first.items() if route == "north"} == {
        to for to in numbers[:60] if zlib.crc32(to.encode()) % 20 == 0
    }
    await happened(services, 0, "north", sent=0, delivered=1)
    assert await judge(services) == [("north", "49", True)]  # one receipt may be of a message from before
    await happened(services, -1, "north", sent=10, delivered=1)
    assert await judge(services) == []
    # The hour in which it delivered nothing does not count again.
    assert await judge(services) == []
    assert tried(await trace(admin, DE)) == ["north", "sms-2"]
    await later(services, 30)
    await happened(services, 20, "north", sent=89)
    assert await judge(services) == []
    await happened(services, 21, "north", sent=11)
    assert await judge(services) == [("north", "49", False)]


async def test_a_trial_without_receipts_ends_in_another_wait(services: Services, rules: None):
    await happened(services, 300, "north", sent=1000, delivered=200)
    await happened(services, 20, "north", sent=150)
    assert await judge(services) == [("north", "49", False)]
    await later(services, 40)
    assert await judge(services) == [("north", "49", True)]
    await happened(services, 20, "north", sent=19)
    assert await judge(services) == [("north", "49", True)]
    await happened(services, 21, "north", sent=1)
    assert await judge(services) == [("north", "49", False)]


@pytest.mark.parametrize(
    ("case", "before", "hour"),
    [
        ("few messages", (300, 1000, 500, 3), (20, 99, 0, 3)),
        ("two users", (300, 1000, 500, 3), (20, 500, 0, 2)),
        ("receipts may still come", (300, 1000, 500, 3), (9, 500, 0, 3)),
        ("one of a hundred has one", (300, 1000, 500, 3), (20, 500, 5, 3)),
        ("receipts never come here", (300, 1000, 199, 3), (20, 500, 0, 3)),
        ("nobody knows how it was before", (300, 99, 99, 3), (20, 500, 0, 3)),
        ("too long ago", (25 * 60 + 1, 1000, 500, 3), (20, 500, 0, 3)),
    ],
)
async def test_a_route_keeps_its_place(
    case: str, before: tuple[int, ...], hour: tuple[int, ...], services: Services, rules: None
):
    for minutes, sent, delivered, users in (before, hour):
        await happened(services, minutes, "north", sent, delivered, users=users)
    assert await judge(services) == []


async def test_the_day_before_of_the_whole_route_counts_for_a_prefix_that_had_few_messages(
    services: Services, rules: None
):
    await happened(services, 300, "north", sent=1000, delivered=500, prefix="33")
    await happened(services, 300, "north", sent=20, delivered=0)
    await happened(services, 20, "north", sent=150)
    assert await judge(services) == [("north", "49", False)]


async def test_the_last_route_is_never_removed(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, services: Services, providers: list[Provider]
):
    await add(admin, "49", "north")
    await happened(services, 300, "north", sent=1000, delivered=500)
    await happened(services, 20, "north", sent=150)
    assert await judge(services) == [("north", "49", False)]
    await gateway.send(ada, DE)
    await drain("sms")
    assert got(providers) == [[DE], []]


async def test_a_route_that_ignores_receipts_and_one_that_no_rule_names_keep_their_places(
    admin: Person, services: Services, rules: None
):
    for route in ("north", "sms-2"):
        await happened(services, 300, route, sent=1000, delivered=500)
        await happened(services, 20, route, sent=150)
    assert await judge(services) == [("north", "49", False), ("sms-2", "49", False)]
    patched = await admin.rest("PATCH", "/system/routes/north", json={"ignoresReceipts": True})
    assert (patched.json()["ignoresReceipts"], patched.json()["enabled"]) == (True, True), patched.text
    assert await judge(services) == [("sms-2", "49", False)]
    assert await judge(services) == [("sms-2", "49", False)]
    await admin.rest("PATCH", "/system/routes/north", json={"enabled": False})
    (north,) = [
        route for route in (await admin.rest("GET", "/system/routes")).json() if route["name"] == "north"
    ]
    assert (north["ignoresReceipts"], north["enabled"]) == (True, False)
    await services.db.fetchval("DELETE FROM route_rules WHERE route = 'sms-2'")
    assert await judge(services) == []
    for body in ({}, {"enabled": None}, {"ignoresReceipts": None}):
        refused = await admin.rest("PATCH", "/system/routes/north", json=body)
        assert (refused.status_code, refused.json()["code"]) == (400, "validation_failed"), refused.text


async def test_counts_are_deleted_after_the_day_that_is_looked_at(services: Services, rules: None):
    await happened(services, 300, "north", sent=1000, delivered=500)
    await happened(services, 20, "north", sent=150)
    await judge(services)
    await later(services, 26 * 60)
    assert await judge(services) == []  # a trial of a day without messages is over
    await later(services, 26 * 60)
    await judge(services)
    assert await counts(services) == []
    assert await services.db.fetchval("SELECT count(*) FROM degraded_routes") == 0


# What administrators see


async def test_administrators_see_the_counts_at_both_doors_and_the_doctor_names_the_route(
    admin: Person, ada: Person, services: Services, settings: Settings, rules: None
):
    await happened(services, 300, "north", sent=1000, delivered=500)
    await happened(services, 20, "north", sent=150, delivered=1)
    await happened(services, 20, "sms-2", sent=1000, delivered=700)
    await judge(services)
    answer = await admin.rest("GET", "/route-rules/quality")
    north, second = answer.json()
    assert north["degradedSince"] < north["retryAt"]
    assert north == {
        "route": "north", "prefix": "49", "sent": 150, "delivered": 1, "sentBefore": 1000, "deliveredBefore": 500,
        "degradedSince": north["degradedSince"], "retryAt": north["retryAt"],
    }  # fmt: skip
    assert second == {
        "route": "sms-2", "prefix": "49", "sent": 1000, "delivered": 700, "sentBefore": 0, "deliveredBefore": 0,
        "degradedSince": None, "retryAt": None,
    }  # fmt: skip
    assert (await admin.data(QUALITY))["routeQuality"] == [north, second]
    assert (await ada.rest("GET", "/route-rules/quality")).status_code == 403
    lines: list[str] = []
    await doctor.look(Findings(lines.append), settings, services.db)
    assert any("hardly delivered in the last hour: north to +49" in line for line in lines), lines
