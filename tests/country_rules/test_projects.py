"""Projects by country: what is not allowed is skipped, what is beyond a cap waits, and others go on."""

from collections import Counter
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

import engine.projects  # noqa: F401  registers the jobs
from engine.projects.cycle import runner_of
from engine.worker import receive_events
from runtime.services import Services
from tests.support.people import Person
from tests.support.projects import Projects

DE, FR, GB = "+49301234{:02}", "+336123456{:02}", "+4474001234{:02}"


@pytest.fixture
async def projects(services: Services) -> AsyncIterator[Projects]:
    async def sink(channel, events):
        await receive_events(services, channel, events)

    await services.routes.open(sink)
    yield Projects(services)
    await services.routes.close()


async def put(person: Person, **rule: Any) -> None:
    answer = await person.rest("PUT", "/country-rules", json=rule)
    assert answer.status_code == 200, answer.text


async def outcomes(projects: Projects, project: UUID) -> Counter[tuple[str, str, str | None]]:
    return Counter(
        (record["to"][:3], record["status"], record["failure_code"])
        for record in await projects.records(project)
    )


def people(count: int, *numbers: str) -> list[str]:
    return [number.format(each) for each in range(count) for number in numbers]


async def test_one_country_is_skipped_one_waits_and_one_is_sent(
    projects: Projects, ada: Person, admin: Person, services: Services
):
    await put(admin, scope="installation", deny=["FR"])
    await put(ada, perHour=4)
    project = await projects.make(ada, people(10, DE, FR) + people(4, GB), channel="sms")
    await projects.work()
    assert await outcomes(projects, project) == {
        ("+49", "sent", None): 4, ("+49", "queued", "country_limited"): 6,
        ("+33", "skipped", "country_not_allowed"): 10,
        ("+44", "sent", None): 4,
    }  # fmt: skip
    await projects.sound(project)
    paid = await services.db.fetchval("SELECT 100 - balance FROM accounts WHERE id = $1", ada.account_id)
    assert paid == 8 * Decimal("0.01")
    row = await projects.row(project)
    assert row["status"] == "running"
    assert not await projects.step()  # nothing is due: no busy loop
    batches = await services.db.fetch("SELECT due_at - now() AS wait FROM sending_units ORDER BY due_at")
    waits = [round(batch["wait"].total_seconds(), -2) for batch in batches]
    assert waits == [3600, 5400]  # the first four when four are allowed again, the others behind them
    (limit,) = (await ada.rest("GET", "/country-rules")).json()["limited"]
    assert (limit["country"], limit["cap"]) == ("DE", "hour")


async def test_a_raised_cap_sends_at_once_what_waits(
    projects: Projects, ada: Person, admin: Person, services: Services
):
    await put(ada, perHour=2)
    project = await projects.make(ada, people(10, DE), channel="sms")
    await projects.work()
    await put(admin, userUuid=str(ada.id), perHour=5)
    await runner_of(services).run(project)
    assert await outcomes(projects, project) == {
        ("+49", "sent", None): 7,
        ("+49", "queued", "country_limited"): 3,
    }
    await put(admin, userUuid=str(ada.id))
    await runner_of(services).run(project)
    assert (await projects.row(project))["status"] == "finished"
    assert await outcomes(projects, project) == {("+49", "sent", None): 10}
    await projects.sound(project)


async def test_a_rule_that_is_set_while_a_project_runs_holds_for_the_rest(
    projects: Projects, ada: Person, services: Services
):
    project = await projects.make(ada, people(10, DE, FR), channel="sms", speed={"perMinute": 4})
    await projects.work()
    before = await outcomes(projects, project)
    assert 0 < before["+49", "sent", None] < 10
    await put(ada, deny=["FR"])
    await services.store.client.flushdb()  # the rate of the project begins anew
    await services.db.fetch("UPDATE sending_projects SET speed = '{}' WHERE id = $1", project)
    await projects.hurry()
    await projects.work()
    after = await outcomes(projects, project)
    assert after["+33", "skipped", "country_not_allowed"] == 10 - before["+33", "sent", None]
    assert after["+49", "sent", None] == 10
    await projects.sound(project)


async def test_what_is_not_sent_takes_nothing_from_the_cap(
    projects: Projects, ada: Person, services: Services
):
    await put(ada, perHour=100)
    await services.db.fetch("UPDATE accounts SET balance = 0.03 WHERE id = $1", ada.account_id)
    project = await projects.make(ada, people(10, DE), channel="sms")
    await projects.work()
    assert (await projects.states(project))["sent"] == 3
    check = await ada.rest("GET", "/country-rules/check", params={"to": "+4930123456"})
    assert check.json()["leftThisHour"] == 97


async def test_emails_have_no_country(projects: Projects, ada: Person):
    await put(ada, allow=["FR"], perHour=1)
    project = await projects.make(ada, [f"u{number}@example.com" for number in range(5)])
    await projects.work()
    assert await projects.states(project) == {"sent": 5}


@pytest.mark.parametrize("numbers", [(DE, FR, GB), (GB, "+4477811234{:02}")], ids=["codes", "one code"])
async def test_the_plan_counts_who_will_be_skipped(projects: Projects, ada: Person, numbers: tuple[str, ...]):
    await put(ada, deny=["FR", "GG"])
    new = {"name": "n", "channel": "sms", "text": "Hi"}
    id = (await ada.rest("POST", "/sending-project", json=new)).json()["uuid"]
    sent = people(10, *numbers)
    added = await ada.rest(
        "POST", f"/recipient/{id}", json={"recipients": [{"phone": phone} for phone in sent]}
    )
    assert added.status_code == 200, added.text
    plan = (await ada.rest("POST", f"/sending-project/{id}/plan", json={})).json()
    assert plan["skipped"] == [{"code": "country_not_allowed", "count": 10}], plan
    assert (plan["toSend"], plan["exact"]) == (len(sent) - 10, True)
    assert plan["cost"]["amount"] == pytest.approx(0.01 * plan["toSend"])
