"""With POSTERN_BILLING=off nothing costs anything, and what was charged before is refunded as charged."""

import random
from collections.abc import Awaitable, Callable
from decimal import Decimal
from uuid import UUID

import pytest

from engine.projects import scheduler
from runtime.services import Services
from shapes.purposes import Billing
from tests.price_lists.support import add_version, make_list, price_by
from tests.purposes.switch import switch
from tests.sending_projects.engine.test_prices import PLAN, draft, start
from tests.support.examples import examples
from tests.support.gateway import MAGIC, Gateway
from tests.support.people import People, Person
from tests.support.projects import Projects

EMAIL = {"to": "a@example.com", "channel": "email", "body": "hi"}
SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}
SEND = "mutation($i:SendMessage!){sendMessage(input:$i){uuid price pricePrefix status}}"
SET = "mutation($i:PurposesPatch!){setPurposes(input:$i){billing billingSince}}"

_NET = """
SELECT (SELECT sum(balance) FROM accounts) AS balance, (SELECT sum(amount) FROM ledger_entries) AS ledger,
  (SELECT COALESCE(-sum(amount), 0) FROM ledger_entries WHERE kind IN ('charge', 'refund')) AS net,
  (SELECT COALESCE(sum(price), 0) FROM messages WHERE state <> 'failed') AS messages,
  (SELECT COALESCE(sum(price), 0) FROM message_records) AS records,
  (SELECT COALESCE(sum(held), 0) FROM sending_units) AS held
"""
_CHARGED = "SELECT count(*) FROM ledger_entries WHERE kind = 'charge'"

Drain = Callable[[str], Awaitable[int]]


async def _adds_up(services: Services) -> None:
    """Asserts that balances are their ledgers, and what was charged and not refunded is the price of the messages."""
    row = await services.db.fetchrow(_NET)
    assert row["balance"] == row["ledger"], dict(row)
    assert row["net"] == row["messages"] + row["records"] + row["held"], dict(row)


async def _balance(services: Services, person: Person) -> Decimal:
    balance: Decimal = await services.db.fetchval(
        "SELECT balance FROM accounts WHERE id = $1", person.account_id
    )
    return balance


async def test_the_default_is_prepaid_and_a_switch_holds_at_once(people: People, admin: Person):
    poor = await people.make()
    assert (await poor.rest("POST", "/messages", json=SMS)).json()["code"] == "insufficient_balance"
    assert await poor.code(SEND, {"i": SMS}) == "insufficient_balance"
    switched = (await admin.data(SET, {"i": {"billing": "off"}}))["setPurposes"]
    assert switched["billing"] == "off" and switched["billingSince"]
    answer = await poor.rest("POST", "/messages", json=SMS)
    assert (answer.status_code, answer.json()["price"]) == (202, 0)
    sent = (await poor.data(SEND, {"i": SMS}))["sendMessage"]
    assert (sent["price"], sent["pricePrefix"], sent["status"]) == (0, None, "queued")
    answer = await admin.rest("PATCH", "/installation/purposes", json={"billing": "prepaid"})
    assert answer.json()["billingSince"] > switched["billingSince"]
    assert (await poor.rest("POST", "/messages", json=SMS)).status_code == 402


@pytest.mark.parametrize("billing", Billing)
async def test_no_price_and_no_sending_is_a_rule_of_prepaid(
    services: Services, admin: Person, ada: Person, billing: Billing
):
    id = await make_list(admin, strict=True)
    await add_version(admin, id, {"49": 0.07})
    await price_by(admin, ada, id)
    francs = (await ada.rest("POST", "/accounts", json={"name": "e", "currency": "CHF"})).json()["id"]
    await switch(services, billing)
    for message in (
        SMS,
        EMAIL | {"accountId": francs},
    ):  # a number without a row of a strict list, and a currency without prices
        quoted = await ada.rest("POST", "/messages/quote", json=message)
        answer = await ada.rest("POST", "/messages", json=message)
        if billing is Billing.prepaid:
            assert [(each.status_code, each.json()["code"]) for each in (quoted, answer)] == [
                (400, "no_price")
            ] * 2
            assert await ada.code(SEND, {"i": message}) == "no_price"
        else:
            assert (quoted.status_code, quoted.json()["price"], quoted.json()["amount"]) == (200, 0, 0)
            assert (answer.status_code, answer.json()["price"]) == (202, 0)
            assert (await ada.data(SEND, {"i": message}))["sendMessage"]["price"] == 0
    project = await draft(ada, ["+14155550101"])
    plan = (await ada.data(PLAN, {"id": project}))["sendingProjectPlan"]
    if billing is Billing.prepaid:
        assert plan["skipped"] == [{"code": "no_price", "count": 1}]
    else:
        assert (plan["toSend"], plan["skipped"]) == (1, [])
        assert (plan["cost"]["price"], plan["cost"]["amount"], plan["cost"]["atMost"]) == (0, 0, 0)


@pytest.mark.usefixtures("working")
async def test_a_test_message_costs_nothing(services: Services, people: People):
    poor = await people.make()
    test = {"channel": "sms", "to": "+14155550177", "text": "hi"}
    assert (await poor.rest("POST", "/test-sending", json=test)).status_code == 402
    await switch(services, Billing.off)
    answer = await poor.rest("POST", "/test-sending", json=test)
    assert (answer.status_code, answer.json()["status"]) == (200, "sent")


async def test_a_project_of_an_empty_account_runs_to_its_end(
    services: Services, people: People, projects: Projects
):
    poor = await people.make()
    await switch(services, Billing.off)
    project = await draft(poor, [f"+141555501{number:02}" for number in range(20)])
    await start(poor, project)
    await projects.work()
    assert await projects.states(UUID(project)) == {"sent": 20}
    assert {record["price"] for record in await projects.records(UUID(project))} == {0}
    assert (await projects.row(UUID(project)))["status"] == "finished"
    cost = (await poor.rest("GET", f"/sending-project/{project}/cost")).json()
    assert (cost["charged"], cost["refunded"], cost["entries"]) == (0, 0, 0)
    assert await services.db.fetchval(_CHARGED) == 0


async def test_a_project_without_any_price_starts(services: Services, people: People, projects: Projects):
    poor = await people.make()
    await services.db.fetch("UPDATE tariffs SET prices = '{}'")
    project = await draft(poor, ["+14155550101"])
    answer = await poor.rest("POST", f"/sending-project/start/{project}")
    assert answer.json()["code"] == "no_price"
    await switch(services, Billing.off)
    await start(poor, project)
    await projects.work()
    assert await projects.states(UUID(project)) == {"sent": 1}


async def test_a_project_that_is_out_of_money_goes_on_after_the_switch(
    services: Services, people: People, projects: Projects
):
    poor = await people.make(credit="0.01")
    project = await projects.make(poor, [f"u{number}@example.com" for number in range(25)])
    await projects.work()
    assert (await projects.row(project))["status_reason"] == "balance_used_up"
    await switch(services, Billing.off)
    await projects.hurry()
    await scheduler.resume_paused(services)
    await projects.work()
    assert await projects.states(project) == {"sent": 25}
    assert sum(record["price"] for record in await projects.records(project)) == Decimal("0.01")
    await projects.sound(project)
    await _adds_up(services)


async def test_a_batch_costs_what_the_choice_says_when_it_is_charged(
    services: Services, ada: Person, projects: Projects
):
    await switch(services, Billing.off)
    await services.db.fetch("UPDATE tariffs SET messages_per_day = 7")
    project = await projects.make(ada, [f"u{number}@example.com" for number in range(20)])
    await projects.work()
    assert (await projects.row(project))[
        "status_reason"
    ] == "tariff_used_up"  # a limit of counts, in both modes
    assert await projects.states(project) == {"sent": 7, "queued": 13}
    await switch(services, Billing.prepaid)
    await services.db.fetch("UPDATE tariffs SET messages_per_day = 1000")
    await projects.hurry()
    await scheduler.resume_paused(services)
    await projects.work()
    assert await projects.states(project) == {"sent": 20}
    assert await _balance(services, ada) == 100 - 13 * Decimal("0.001")
    await _adds_up(services)


async def test_what_was_charged_before_is_refunded_as_charged(
    services: Services, ada: Person, gateway: Gateway, drain: Drain
):
    before = await gateway.send(ada, to=MAGIC["sms"]["failed"])
    await switch(services, Billing.off)
    after = await gateway.send(ada, to=MAGIC["sms"]["failed"])
    await drain("sms")
    assert [await gateway.state(id) for id in (before, after)] == ["failed", "failed"]
    assert [await gateway.refunds(id) for id in (before, after)] == [1, 0]
    assert await _balance(services, ada) == 100


@pytest.mark.parametrize("seed", range(examples(4)))
async def test_money_adds_up_under_switches(
    services: Services, people: People, gateway: Gateway, drain: Drain, seed: int
):
    """Switches, messages, projects, failures and reports in any order: what is sent under off is free, for ever."""
    chance, projects = random.Random(seed), Projects(services)
    person = await people.make(credit=str(chance.choice(("0.005", "0.1", "5"))))
    free: set[UUID] = set()
    is_free = False

    async def send() -> None:
        new = chance.choice((SMS, {**SMS, "to": MAGIC["sms"]["failed"]}, EMAIL))
        charged = await services.db.fetchval(_CHARGED)
        answer = await person.rest("POST", "/messages", json=new)
        assert answer.status_code in ({202} if is_free else {202, 402}), answer.text
        if answer.status_code == 202 and is_free:
            free.add(UUID(answer.json()["id"]))
            assert await services.db.fetchval(_CHARGED) == charged

    async def project() -> None:
        charged = await services.db.fetchval(_CHARGED)
        made = await projects.make(
            person, [MAGIC["email"]["failed"], *(f"u{n}@example.com" for n in range(5))]
        )
        await projects.work()
        if is_free:
            assert await services.db.fetchval(_CHARGED) == charged
            assert (await projects.row(made))["status"] == "finished"

    async def go_on() -> None:
        await projects.hurry()
        await scheduler.resume_paused(services)
        await projects.work()

    async def report() -> None:
        await gateway.set("due_at = now()")
        await drain(chance.choice(("sms", "email")))

    for _ in range(40):
        if chance.random() < 0.2:
            is_free = not is_free
            await switch(services, Billing.off if is_free else Billing.prepaid)
        await chance.choice((send, send, send, project, go_on, report))()
        await _adds_up(services)
    await switch(services, Billing.off)
    await go_on()
    for channel in ("sms", "email"):
        await drain(channel)
    await _adds_up(services)
    assert not await services.db.fetchval("SELECT count(*) FROM sending_projects WHERE status <> 'finished'")
    entries = await services.db.fetchval(
        "SELECT count(*) FROM ledger_entries WHERE reference = ANY($1)", [*free]
    )
    assert entries == 0
