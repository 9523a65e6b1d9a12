"""A route that delivers nothing to a prefix is tried after the others for a while."""

import zlib
from typing import Any

import pytest

from core.settings import Settings
from engine.sms.degraded_routes import judge_routes
from engine.sms.route_rules import routing_of
from postern.doctor import routes as doctor
from postern.doctor.findings import Findings
from runtime.services import Services
from tests.channels.peer_post import Provider
from tests.route_rules.made import add, got
from tests.route_rules.test_doors import trace, tried
from tests.route_rules.test_receipts import counts
from tests.support.gateway import Gateway
from tests.support.people import Person

DE = "+4930123456"
QUALITY = "{routeQuality{route prefix sent delivered sentBefore deliveredBefore degradedSince retryAt}}"


async def add_counts(
    services: Services,
    minutes: int,
    route: str,
    sent: int,
    delivered: int = 0,
    prefix: str = "49",
    groups: int = 3,
    first: int = 0,
) -> None:
    """Adds counts of some minutes ago, divided among groups of users."""
    for group in range(groups):
        await services.db.fetchval(
            """
            INSERT INTO route_receipts (route, prefix, since, user_group, sent, delivered)
            VALUES ($1, $2, now() - make_interval(mins => $3), $4, $5, $6)
            """,
            route, prefix, minutes, first + group, sent // groups + (group < sent % groups),
            delivered // groups + (group < delivered % groups),
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
    await add_counts(services, 300, "north", sent=1000, delivered=200)
    await add_counts(services, 20, "north", sent=600, delivered=1)
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
    await add_counts(services, 0, "north", sent=0, delivered=1)
    assert await judge(services) == [("north", "49", True)]  # one receipt may be of a message from before
    await add_counts(services, -1, "north", sent=10, delivered=1)
    assert await judge(services) == []
    # The hour in which it delivered nothing does not count again.
    assert await judge(services) == []
    assert tried(await trace(admin, DE)) == ["north", "sms-2"]
    await later(services, 30)
    await add_counts(services, 20, "north", sent=89, groups=4)
    assert await judge(services) == []
    await add_counts(services, 21, "north", sent=11, groups=4)
    assert await judge(services) == [("north", "49", False)]


async def test_late_receipts_of_old_messages_end_no_trial(services: Services, rules: None):
    await add_counts(services, 300, "north", sent=1000, delivered=200)
    await add_counts(services, 20, "north", sent=150)
    await judge(services)
    await later(services, 16)
    await add_counts(services, 0, "north", sent=200, delivered=2)
    assert await judge(services) == [("north", "49", True)]


async def test_a_round_beside_another_one_changes_nothing(services: Services, rules: None):
    await add_counts(services, 300, "north", sent=1000, delivered=200)
    await add_counts(services, 20, "north", sent=150)
    async with services.db.transaction() as other:
        await other.execute("SELECT pg_advisory_xact_lock(hashtextextended('route_receipts', 0))")
        assert await judge(services) == []
    assert await judge(services) == [("north", "49", False)]


async def test_a_trial_without_receipts_ends_in_another_wait(services: Services, rules: None):
    await add_counts(services, 300, "north", sent=1000, delivered=200)
    await add_counts(services, 20, "north", sent=150)
    assert await judge(services) == [("north", "49", False)]
    await later(services, 40)
    assert await judge(services) == [("north", "49", True)]
    await add_counts(services, 20, "north", sent=19)
    assert await judge(services) == [("north", "49", True)]
    await add_counts(services, 21, "north", sent=1)
    assert await judge(services) == [("north", "49", False)]


_CASES: dict[str, list[dict[str, int]]] = {
    "few messages": [{"sent": 99}],
    "two groups of users": [{"sent": 500, "groups": 2}],
    "the groups are small": [{"sent": 260, "groups": 30}],
    "one group gets its messages": [{"sent": 5000}, {"sent": 100, "delivered": 40, "groups": 1, "first": 9}],
    "receipts may still come": [{"sent": 500, "minutes": 9}],
    "one of a hundred has one": [{"sent": 500, "delivered": 5}],
    "receipts never come here": [{"sent": 500}, {"minutes": 300, "sent": 10_000}],
}


@pytest.mark.parametrize("case", _CASES)
async def test_a_route_keeps_its_place(case: str, services: Services, rules: None):
    await add_counts(services, 300, "north", 1000, 500)
    for each in _CASES[case]:
        await add_counts(services, **{"minutes": 20, "route": "north", **each})
    assert await judge(services) == []


@pytest.mark.parametrize(("minutes", "sent"), [(300, 99), (25 * 60 + 1, 1000)])
async def test_a_route_of_which_nobody_knows_how_it_was_keeps_its_place(
    minutes: int, sent: int, services: Services, rules: None
):
    await add_counts(services, minutes, "north", sent, sent)
    await add_counts(services, 20, "north", 500)
    assert await judge(services) == []


async def test_the_day_before_of_the_whole_route_counts_for_a_prefix_that_had_few_messages(
    services: Services, rules: None
):
    await add_counts(services, 300, "north", sent=1000, delivered=500, prefix="33")
    await add_counts(services, 300, "north", sent=20, delivered=0)
    await add_counts(services, 20, "north", sent=150)
    assert await judge(services) == [("north", "49", False)]


async def test_the_last_route_is_never_removed(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, services: Services, providers: list[Provider]
):
    await add(admin, "49", "north")
    await add_counts(services, 300, "north", sent=1000, delivered=500)
    await add_counts(services, 20, "north", sent=150)
    assert await judge(services) == [("north", "49", False)]
    await gateway.send(ada, DE)
    await drain("sms")
    assert got(providers) == [[DE], []]
    assert "others" not in (await trace(admin, DE))["candidates"][0]["why"]


async def test_a_route_that_ignores_receipts_and_one_that_no_rule_names_keep_their_places(
    admin: Person, services: Services, rules: None
):
    for route in ("north", "sms-2"):
        await add_counts(services, 300, route, sent=1000, delivered=500)
        await add_counts(services, 20, route, sent=150)
    assert await judge(services) == [("north", "49", False), ("sms-2", "49", False)]
    patched = await admin.rest("PATCH", "/system/routes/north", json={"ignoresReceipts": True})
    assert (patched.json()["ignoresReceipts"], patched.json()["enabled"]) == (True, True), patched.text
    await routing_of(services).refresh()
    assert not routing_of(services).is_behind("north", DE) and routing_of(services).is_behind("sms-2", DE)
    assert await judge(services) == [("sms-2", "49", False)]
    assert await judge(services) == [("sms-2", "49", False)]
    await admin.rest("PATCH", "/system/routes/north", json={"enabled": False})
    (north,) = [
        route for route in (await admin.rest("GET", "/system/routes")).json() if route["name"] == "north"
    ]
    assert (north["ignoresReceipts"], north["enabled"]) == (True, False)
    await services.db.fetchval("DELETE FROM route_rules WHERE route = 'sms-2'")
    assert await judge(services) == []
    for body in ({}, {"enabled": None}, {"enabled": None, "ignoresReceipts": True}):
        refused = await admin.rest("PATCH", "/system/routes/north", json=body)
        assert (refused.status_code, refused.json()["code"]) == (400, "validation_failed"), refused.text


async def test_counts_are_deleted_after_the_day_that_is_looked_at(services: Services, rules: None):
    await add_counts(services, 300, "north", sent=1000, delivered=500)
    await add_counts(services, 20, "north", sent=150)
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
    await add_counts(services, 300, "north", sent=1000, delivered=500)
    await add_counts(services, 20, "north", sent=600, delivered=1)
    await add_counts(services, 20, "sms-2", sent=1000, delivered=700)
    await judge(services)
    answer = await admin.rest("GET", "/route-rules/quality")
    north, second = answer.json()
    assert north["degradedSince"] < north["retryAt"]
    assert north == {
        "route": "north", "prefix": "49", "sent": 600, "delivered": 1, "sentBefore": 1000, "deliveredBefore": 500,
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
    assert any("hardly delivered: north to +49" in line for line in lines), lines
