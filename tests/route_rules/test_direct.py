"""Direct SMS go by the rules: by country, with failover, and around routes that are switched off."""

import asyncio
from typing import Any

import pytest

from engine.sending.streams import streams_of
from engine.sms.route_rules import routing_of
from runtime.services import Services
from tests.channels.peer import Scenario
from tests.channels.peer_post import Provider
from tests.route_rules.made import add, got, switch
from tests.support.gateway import Gateway
from tests.support.people import Person
from tests.support.waits import PATIENCE, until

DE, FR, US = "+4930123456", "+33612345678", "+14155550100"


async def test_each_country_goes_by_its_provider(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, providers: list[Provider]
):
    await add(admin, "49", "sms-2")
    await add(admin, "+33", "sms-2", category="promotional")
    for to in (DE, FR, US):
        await gateway.send(ada, to)
    await drain("sms")
    assert got(providers) == [[US, FR], [DE]]
    promotional = {"to": FR, "channel": "sms", "body": "x", "category": "promotional"}
    assert (await ada.rest("POST", "/messages", json=promotional)).status_code == 202
    await drain("sms")
    assert got(providers)[1] == [FR, DE]
    await gateway.books()


async def test_a_rule_of_one_user_is_not_for_others(
    gateway: Gateway, ada: Person, bob: Person, admin: Person, drain: Any, providers: list[Provider]
):
    await add(admin, "", "sms-2", ownerId=str(bob.id))
    await gateway.send(ada, DE)
    await gateway.send(bob, FR)
    await drain("sms")
    assert got(providers) == [[DE], [FR]]


@pytest.mark.parametrize("scenario", [Scenario.transient, Scenario.throttle, Scenario.bad_credentials])
async def test_the_next_rule_is_the_failover_and_costs_no_more(
    scenario: Scenario,
    gateway: Gateway,
    ada: Person,
    admin: Person,
    drain: Any,
    providers: list[Provider],
):
    await add(admin, "49", "sms-2", priority=1)
    await add(admin, "49", "north", priority=2)
    providers[1].script(scenario)
    id = await gateway.send(ada, DE)
    price = (await gateway.row(id))["price"]
    await drain("sms")
    row = await gateway.row(id)
    assert (row["state"], row["provider"], row["price"]) == ("sent", "post", price)
    assert got(providers) == [[DE], []]
    await gateway.books()


async def test_without_another_rule_there_is_no_failover(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, providers: list[Provider]
):
    await add(admin, "49", "sms-2")
    providers[1].script(Scenario.transient)
    id = await gateway.send(ada, DE)
    await drain("sms")
    row = await gateway.row(id)
    assert (row["state"], row["attempts"]) == ("queued", 1)
    assert got(providers) == [[], []]


async def test_a_route_that_is_switched_off_is_passed_over_and_the_message_waits_without_another(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, providers: list[Provider], services: Services
):
    await add(admin, "49", "sms-2")
    await add(admin, "33", "sms-2", priority=1)
    await add(admin, "33", "north", priority=2)
    await switch(admin, services, "sms-2", on=False)
    ids = {to: await gateway.send(ada, to) for to in (DE, FR, US)}
    await drain("sms")
    assert got(providers) == [[US, FR], []]
    row = await gateway.row(ids[DE])
    assert (row["state"], row["failure_code"], row["attempts"], row["handed_at"]) == (
        "queued",
        "no_route",
        0,
        None,
    )
    assert "switched off" in row["failure_reason"]
    await switch(admin, services, "sms-2", on=True)
    await gateway.hasten()
    await drain("sms")
    assert got(providers) == [[US, FR], [DE]]
    await gateway.books()


async def test_without_rules_too_a_route_can_be_switched_off(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, providers: list[Provider], services: Services
):
    await switch(admin, services, "north", on=False)
    await gateway.send(ada, DE)
    await drain("sms")
    assert got(providers) == [[], [DE]]
    await switch(admin, services, "sms-2", on=False)
    id = await gateway.send(ada, FR)
    await drain("sms")
    assert await gateway.state(id) == "queued"
    assert got(providers) == [[], [DE]]
    await switch(admin, services, "north", on=True)
    await gateway.hasten()
    await drain("sms")
    assert got(providers) == [[FR], [DE]]


async def test_a_route_is_switched_off_while_messages_are_in_flight(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, providers: list[Provider], services: Services
):
    """Nothing is lost and nothing comes twice: what the provider has stays there, the rest goes by the other one."""
    await add(admin, "49", "sms-2", priority=1)
    await add(admin, "49", "north", priority=2)
    numbers = [f"+49301234{number:03}" for number in range(200)]
    for to in numbers:
        await gateway.send(ada, to)
    draining = asyncio.create_task(drain("sms"))
    await until(lambda: len(providers[1].received) > 20)
    await switch(admin, services, "sms-2", on=False)
    await draining
    await gateway.hasten()
    await drain("sms")
    assert sorted(to for each in got(providers) for to in each) == numbers
    assert providers[0].received, "all were sent before the route was switched off"
    assert await gateway.states() == {"sent": 200}
    await gateway.books()


async def test_what_may_have_gone_out_is_asked_about_by_its_own_route(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, providers: list[Provider], services: Services
):
    await add(admin, "49", "sms-2", priority=1)
    await add(admin, "49", "north", priority=2)
    providers[1].script(Scenario.reset_after)
    id = await gateway.send(ada, DE)
    await drain("sms")
    assert (await gateway.row(id))["failure_code"] is not None
    providers[1].script(Scenario.accept)
    for rule in (await admin.rest("GET", "/route-rules")).json()["items"]:
        assert (await admin.rest("DELETE", f"/route-rules/{rule['id']}")).status_code == 204
    await add(admin, "49", "north")
    await routing_of(services).refresh()
    await gateway.hasten()
    await drain("sms")
    row = await gateway.row(id)
    assert (row["state"], row["provider"]) == ("sent", "post-2")
    assert got(providers) == [[], [DE]]


async def test_a_worker_without_a_share_of_the_routes_total_passes_messages_on(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, providers: list[Provider], services: Services
):
    """Other workers have all that may be in flight by the route: it is tried by the next one, or waits unclaimed."""
    await add(admin, "49", "sms-2", priority=1)
    await add(admin, "49", "north", priority=2)
    await add(admin, "33", "sms-2")
    second = services.routes.by_name("sms")["sms-2"]
    streams = streams_of(services)
    services.routes._totals[second] = 1
    services.worker = "second"
    streams.share(["first"])
    assert streams.without_share(second)
    id = await gateway.send(ada, FR)
    await gateway.send(ada, DE)
    async with asyncio.timeout(PATIENCE):
        await drain("sms")
    row = await gateway.row(id)
    assert (row["state"], row["failure_code"], row["attempts"]) == ("queued", "route_busy", 0)
    assert (got(providers), await gateway.count("claims")) == ([[DE], []], 0)
    services.routes._totals.clear()
    streams.share([])
    await gateway.hasten()
    await drain("sms")
    assert got(providers) == [[DE], [FR]]


async def test_a_number_without_a_rule_waits_for_the_configured_routes(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, providers: list[Provider], services: Services
):
    await add(admin, "49", "sms-2")
    await switch(admin, services, "north", on=False)
    await gateway.send(ada, FR)
    await gateway.send(ada, DE)
    await drain("sms")
    assert got(providers) == [[], [FR, DE]]


async def test_a_rule_of_a_route_that_is_not_configured_any_more(
    gateway: Gateway, ada: Person, admin: Person, drain: Any, providers: list[Provider], services: Services
):
    await add(admin, "49", "sms-2")
    await services.db.fetchval("UPDATE route_rules SET route = 'gone'")
    await routing_of(services).refresh()
    id = await gateway.send(ada, DE)
    await gateway.send(ada, FR)
    await drain("sms")
    assert (await gateway.row(id))["failure_code"] == "no_route"
    assert got(providers) == [[FR], []]
