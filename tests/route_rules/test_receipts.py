"""Counts of receipts by route and prefix: what is counted, and when it is added to the table."""

import asyncio
from contextlib import asynccontextmanager
from typing import Any

import pytest

from channels.port import Receipt, Result
from engine.reports.report import Delivered
from engine.sms.route_receipts import RouteReceipts, receipts_of
from engine.sms.route_rules import routing_of
from engine.worker import receive_events
from runtime.services import Services
from tests.channels.peer_post import Provider
from tests.route_rules.made import add, got
from tests.support.gateway import Gateway
from tests.support.people import Person
from tests.support.projects import Projects

DE, FR = "+4930123456", "+33612345678"


async def counts(services: Services) -> list[tuple[Any, ...]]:
    """Returns route, prefix, sent, delivered, and the number of groups of users."""
    await receipts_of(services).flush()
    rows = await services.db.fetch(
        "SELECT route, prefix, sum(sent), sum(delivered), count(DISTINCT user_group) FROM route_receipts"
        " GROUP BY route, prefix ORDER BY route, prefix"
    )
    return [tuple(row.values()) for row in rows]


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


async def test_receipts_alone_are_added_again_and_again(services: Services, ada: Person, rules: None):
    await routing_of(services).refresh()
    for _ in range(3):
        receipts_of(services).count_delivered([Delivered(ada.id, "post", "sms", DE)])
        await receipts_of(services).flush()
    assert await counts(services) == [("north", "49", 0, 3, 1)]


async def test_what_cannot_be_added_is_added_later_with_what_was_counted_meanwhile(
    services: Services, ada: Person, rules: None, monkeypatch: pytest.MonkeyPatch
):
    await routing_of(services).refresh()
    counted, reading = receipts_of(services), services.db.reading

    @asynccontextmanager
    async def breaks() -> Any:
        counted.count_delivered([Delivered(ada.id, "post", "sms", DE)])
        raise OSError("the database is away")
        yield

    counted.count_delivered([Delivered(ada.id, "post", "sms", DE)])
    monkeypatch.setattr(services.db, "reading", breaks)
    with pytest.raises(OSError, match="away"):
        await counted.flush()
    monkeypatch.setattr(services.db, "reading", reading)
    await counted.close()
    assert await counts(services) == [("north", "49", 0, 2, 1)]
