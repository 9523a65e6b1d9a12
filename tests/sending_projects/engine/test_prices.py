"""Projects whose messages have prices by prefix: planned, sent and charged by the list that held at the start."""

from collections import Counter
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

import engine.projects  # noqa: F401  registers the jobs
from engine.projects.scheduler import resume_paused
from engine.sms.countries import country_of
from engine.worker import receive_events
from runtime.services import Services
from tests.price_lists.support import add_version, make_list, price_by, quoted
from tests.support.people import Person
from tests.support.projects import Projects

PLAN = """query($id:ID!){sendingProjectPlan(id:$id){toSend exact skipped{code count}
  cost{price amount atMost byCountry{country messages amount}}}}"""
PHONES = {
    "+4915112345670": 0.081,  # the longest prefix
    "+4930123450": 0.07,
    "+14155550101": 0.0079,
    "+14165550102": 0.0091,  # an area code of Canada
    "+33612345678": 0.05,
    "+447700900123": 0.034,
    "+48501234567": None,  # no row of a strict list
}
PRICES = {"49": 0.07, "4915": 0.081, "1": 0.0079, "1416": 0.0091, "33": 0.05, "44": 0.034}


@pytest.fixture
async def projects(services: Services) -> AsyncIterator[Projects]:
    async def sink(channel: str, events: Any) -> None:
        await receive_events(services, channel, events)

    await services.routes.open(sink)
    yield Projects(services)
    await services.routes.close()


async def draft(ada: Person, phones: Any, text: str = "Hello") -> str:
    made = await ada.rest("POST", "/sending-project", json={"name": "n", "channel": "sms", "text": text})
    uuid: str = made.json()["uuid"]
    added = await ada.rest("POST", f"/recipient/{uuid}", json={"recipients": [{"phone": p} for p in phones]})
    assert added.status_code == 200, added.text
    return uuid


async def start(ada: Person, project: str) -> None:
    started = await ada.rest("POST", f"/sending-project/start/{project}")
    assert started.status_code == 200, started.text


async def balance(projects: Projects, person: Person) -> Decimal:
    left: Decimal = await projects.db.fetchval(
        "SELECT balance FROM accounts WHERE id = $1", person.account_id
    )
    return left


async def test_a_plan_by_country_is_what_is_charged(projects: Projects, admin: Person, ada: Person):
    id = await make_list(admin, strict=True)
    version = await add_version(admin, id, PRICES)
    await price_by(admin, ada, id)
    project = await draft(ada, PHONES, text="x" * 170)  # two parts
    plan = (await ada.data(PLAN, {"id": project}))["sendingProjectPlan"]
    assert (plan["toSend"], plan["exact"]) == (6, True)
    assert plan["skipped"] == [{"code": "no_price", "count": 1}]
    before = await balance(projects, ada)
    await start(ada, project)
    await projects.work()
    records = await projects.records(UUID(project))
    prices = {record["to"]: record["price"] for record in records}
    assert prices == {
        phone: 0 if price is None else 2 * Decimal(str(price)) for phone, price in PHONES.items()
    }
    charged = before - await balance(projects, ada)
    assert charged == sum(prices.values()) == Decimal(str(plan["cost"]["amount"]))
    by_country: Counter[str | None] = Counter()
    for phone, price in prices.items():
        by_country[country_of(phone)] += price
    assert {entry["country"]: Decimal(str(entry["amount"])) for entry in plan["cost"]["byCountry"]} == {
        country: amount for country, amount in by_country.items() if amount
    }
    assert {
        (record["price_prefix"], str(record["price_version_id"])) for record in records if record["price"]
    } == {(prefix, version["versionId"]) for prefix in PRICES}
    (skipped,) = [record for record in records if record["status"] == "skipped"]
    assert (skipped["failure_code"], skipped["price"]) == ("no_price", 0)


async def test_a_project_keeps_the_list_of_its_start_and_others_have_the_next(
    projects: Projects, admin: Person, ada: Person
):
    id = await make_list(admin)
    first = await add_version(admin, id, {"49": 0.07})
    await price_by(admin, ada, id)
    running, later = await draft(ada, ["+4930123450"]), await draft(ada, ["+4930123450"])
    await start(ada, running)
    second = await add_version(admin, id, {"49": 0.09})
    assert (await admin.rest("DELETE", f"/price-lists/{id}/versions/1")).json()[
        "code"
    ] == "price_version_in_use"
    assert (await quoted(ada, "+4930123450"))["priceVersionId"] == second["versionId"]
    await start(ada, later)
    await projects.work()
    ((one,), (other,)) = [await projects.records(UUID(project)) for project in (running, later)]
    assert (one["price"], str(one["price_version_id"])) == (Decimal("0.07"), first["versionId"])
    assert (other["price"], str(other["price_version_id"])) == (Decimal("0.09"), second["versionId"])


async def test_a_project_waits_for_what_its_next_message_costs(
    projects: Projects, admin: Person, ada: Person
):
    id = await make_list(admin)
    await add_version(admin, id, {"8821": 2})
    await price_by(admin, ada, id)
    await projects.db.fetch("UPDATE accounts SET balance = 1 WHERE id = $1", ada.account_id)
    project = await draft(ada, ["+88211234567"])
    await start(ada, project)
    await projects.work()
    row = await projects.row(UUID(project))
    assert (row["status"], row["status_reason"], row["resume_balance"]) == ("paused", "balance_used_up", 2)
    for credit, status in (("0.999999", "paused"), ("0.000001", "running")):
        await projects.db.fetch(
            "UPDATE accounts SET balance = balance + $2 WHERE id = $1", ada.account_id, Decimal(credit)
        )
        await projects.hurry()
        await resume_paused(projects.services)
        assert (await projects.row(UUID(project)))["status"] == status
    await projects.work()
    assert (await projects.states(UUID(project)))["sent"] == 1
    assert await balance(projects, ada) == 0
