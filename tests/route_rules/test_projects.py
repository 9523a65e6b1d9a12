"""Projects go by the rules; what has no route waits in batches of its own, and others go on."""

import asyncio
from collections import Counter
from uuid import UUID

import pytest

from engine.projects.cycle import runner_of
from runtime.services import Services
from tests.channels.peer import Scenario
from tests.channels.peer_post import Provider
from tests.route_rules.made import add, got, switch
from tests.support.people import Person
from tests.support.projects import Projects

DE = [f"+4930123456{number}" for number in range(8)]
FR = [f"+3361234567{number}" for number in range(8)]


async def outcomes(projects: Projects, project: UUID) -> Counter[tuple[str, str, str | None]]:
    return Counter(
        (record["to"][:3], record["status"], record["failure_code"])
        for record in await projects.records(project)
    )


async def test_a_project_to_two_countries(
    projects: Projects, ada: Person, admin: Person, providers: list[Provider]
):
    await add(admin, "49", "sms-2")
    project = await projects.make(ada, DE + FR, channel="sms")
    await projects.work()
    assert got(providers) == [FR, DE]
    await projects.sound(project)


@pytest.mark.parametrize("scenario", [Scenario.transient, Scenario.bad_credentials])
async def test_the_next_rule_is_the_failover(
    scenario: Scenario, projects: Projects, ada: Person, admin: Person, providers: list[Provider]
):
    await add(admin, "49", "sms-2", priority=1)
    await add(admin, "", "north")
    providers[1].script(scenario)
    project = await projects.make(ada, DE + FR, channel="sms")
    await projects.work()
    assert got(providers) == [sorted(DE + FR), []]
    await projects.sound(project)


async def test_one_country_waits_for_its_route_and_others_go_on(
    projects: Projects, ada: Person, admin: Person, providers: list[Provider], services: Services
):
    await add(admin, "49", "sms-2")
    await switch(admin, services, "sms-2", on=False)
    project = await projects.make(ada, DE + FR, channel="sms")
    await projects.work()
    assert await outcomes(projects, project) == {("+49", "queued", "no_route"): 8, ("+33", "sent", None): 8}
    assert got(providers) == [FR, []]
    paid = await services.db.fetchval("SELECT 100 - balance FROM accounts WHERE id = $1", ada.account_id)
    assert paid == await services.db.fetchval(
        "SELECT sum(price) FROM message_records WHERE project_id = $1 AND status = 'sent'", project
    )
    await switch(admin, services, "sms-2", on=True)
    await runner_of(services).run(project)  # it is due at once, and not after five minutes
    assert got(providers) == [FR, DE]
    assert (await projects.row(project))["status"] == "finished"
    await projects.sound(project)


async def test_a_provider_that_is_down_holds_up_no_other_country(
    projects: Projects, ada: Person, admin: Person, providers: list[Provider], services: Services
):
    """The breaker of one route is open: its messages wait in later batches, and the project does not pause for it."""
    await add(admin, "49", "sms-2")
    await services.db.fetchval(
        "INSERT INTO route_breakers (name, opened_at, pause, probe_at)"
        " VALUES ('sms-2', now(), '5 minutes', now() + interval '5 minutes')"
    )
    await services.breakers.refresh()
    project = await projects.make(ada, DE + FR, channel="sms")
    await projects.work()
    assert await outcomes(projects, project) == {("+49", "queued", "route_open"): 8, ("+33", "sent", None): 8}
    await services.db.fetchval("DELETE FROM route_breakers")
    await services.breakers.refresh()
    await projects.hurry()
    await projects.work()
    assert got(providers) == [FR, DE]
    await projects.sound(project)


async def test_a_provider_that_wants_a_pause_is_not_said_to_be_silent(
    projects: Projects, ada: Person, admin: Person, providers: list[Provider]
):
    await add(admin, "49", "sms-2")
    providers[1].script(Scenario.throttle)  # for seven seconds
    project = await projects.make(ada, DE + FR, channel="sms")
    await projects.work()
    states = await outcomes(projects, project)
    assert states["+33", "sent", None] == 8
    assert sum(count for (to, status, _), count in states.items() if (to, status) == ("+49", "queued")) == 8
    assert {code for to, _, code in states if to == "+49"} <= {"throttled", None}
    providers[1].script(Scenario.accept)
    await asyncio.sleep(7.5)
    await projects.hurry()
    await projects.work()
    assert got(providers) == [FR, DE]
    await projects.sound(project)


async def test_all_routes_are_switched_off(
    projects: Projects, ada: Person, admin: Person, providers: list[Provider], services: Services
):
    await switch(admin, services, "sms-2", on=False)
    await switch(admin, services, "north", on=False)
    project = await projects.make(ada, DE, channel="sms")
    for _ in range(10):
        await projects.step()
    assert got(providers) == [[], []]
    await switch(admin, services, "north", on=True)
    await projects.hurry()
    await projects.work()
    assert got(providers) == [DE, []]
    await projects.sound(project)
