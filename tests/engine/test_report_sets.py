"""A message is what the set of its way's reports says, in every order and grouping: status, price, balance and ledger.

Contract §9.7: read > delivered > failed, within 72 hours of the first.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from decimal import Decimal
from itertools import permutations
from typing import Any
from uuid import UUID

import pytest

from channels.port import Receipt, Result
from engine.mail_reports.recording import Received, Rules, record
from engine.reports import report_writer
from engine.reports.report import Report
from engine.worker import receive_events
from tests.mail_reports.made import bounce
from tests.statistics.test_counters import equal
from tests.support.gateway import Gateway, gateway
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.records import Records, records

__all__ = ["gateway", "records"]

TABLES = ("messages", "message_records")
ALL = ("sent", "failed", "delivered", "read")
_LEDGER = "SELECT COALESCE(sum(amount), 0) FROM ledger_entries WHERE kind <> 'credit'"
_COUNTED = """
SELECT state AS status, sum(counted)::int AS n FROM message_counters WHERE kind = 'direct' GROUP BY 1
HAVING sum(counted) <> 0 ORDER BY 1
"""
_RECOUNTED = """
SELECT state AS status, count(*)::int AS n FROM messages WHERE direction = 'outbound' GROUP BY 1 ORDER BY 1
"""
_OUTCOMES = "SELECT sum(delivered + read)::int, sum(failed)::int FROM outcome_counters"


class World:
    """Messages of one table, and their way's reports."""

    def __init__(self, table: str, gateway: Gateway, records: Records, ada: Person) -> None:
        self.table, self.gateway, self.records, self.ada = table, gateway, records, ada
        self.db = gateway.db

    async def message(self, channel: str = "sms", to: str | None = None) -> UUID:
        """Makes a message that its way knows by its own id."""
        if self.table == "messages":
            id = await self.gateway.reached(self.ada, to, channel)
            await self.gateway.set("provider = 'twilio'", id)
            return id
        project = await self.records.project(self.ada, channel)
        to = to or "+14155550100"
        return await self.records.make(self.ada, project=project, channel=channel, to=to)

    async def report(self, id: UUID, *statuses: str, code: str | None = None, hook: bool = False) -> int:
        reports = [Report(id, None, None, status, code, by_hook=hook) for status in statuses]  # type: ignore[arg-type]
        async with self.db.reading() as db:
            return (await report_writer.apply(db, reports)).changed

    async def row(self, id: UUID) -> Any:
        status = "state" if self.table == "messages" else "status"
        return await self.db.fetchrow(f"SELECT *, {status} AS status FROM {self.table} WHERE id = $1", id)

    async def balance(self) -> Decimal:
        return Decimal(
            await self.db.fetchval("SELECT balance FROM accounts WHERE id = $1", self.ada.account_id)
        )

    async def owed(self) -> Decimal:
        account, debts = await self.db.fetchval(
            "SELECT ARRAY[owed, (SELECT COALESCE(sum(amount), 0) FROM account_debts)] FROM accounts WHERE id = $1",
            self.ada.account_id,
        )
        assert account == debts
        return Decimal(account)

    async def ledger(self) -> Decimal:
        return Decimal(await self.db.fetchval(_LEDGER))

    async def entries(self) -> list[tuple[str, Decimal]]:
        """Returns the movements since the messages were charged."""
        rows = await self.db.fetch(
            "SELECT kind, amount FROM ledger_entries WHERE kind <> 'credit' ORDER BY id"
        )
        return [(row["kind"], row["amount"]) for row in rows]


@pytest.fixture(params=TABLES)
def world(request: Any, gateway: Gateway, records: Records, ada: Person) -> World:
    return World(request.param, gateway, records, ada)


def groupings(reports: Sequence[str]) -> Iterator[list[Sequence[str]]]:
    """Returns every way to cut a sequence into calls."""
    for cuts in range(1 << (len(reports) - 1)):
        groups, begin = [], 0
        for end in range(1, len(reports) + 1):
            if end == len(reports) or cuts >> (end - 1) & 1:
                groups.append(reports[begin:end])
                begin = end
        yield groups


@pytest.mark.parametrize(
    ("reports", "status"),
    [(ALL, "read"), (("sent", "failed", "delivered"), "delivered"), (("sent", "failed"), "failed"),
     (("failed", "read"), "read"), (("failed", "failed", "delivered"), "delivered")],
    ids=["all", "delivered", "failed", "read", "twice"],
)  # fmt: skip
async def test_every_order_and_grouping_is_one_result(
    reports: Sequence[str], status: str, world: World, services: Any
) -> None:
    expected = status if world.table == "message_records" else {"read": "delivered"}.get(status, status)
    for order in sorted(set(permutations(reports))):
        for calls in groupings(order):
            paid, before = await world.balance(), await world.ledger()
            id = await world.message()
            for statuses in calls:
                await world.report(id, *statuses)
            row = await world.row(id)
            charged = paid - await world.balance()
            assert row["status"] == expected, calls
            assert (row["failure_code"] is None) is (status != "failed"), calls
            assert charged == before - await world.ledger(), calls
            assert charged == (0 if status == "failed" else row["price"]), calls
            assert row["price"] > 0 or status == "failed", calls
            assert (row["delivered_at"] is None) is (status == "failed"), calls
    assert await world.owed() == 0
    # Every counter is what a recount says.
    if world.table == "message_records":
        await equal(services)  # type: ignore[no-untyped-call]
    else:
        counted, recounted = await world.db.fetch(_COUNTED), await world.db.fetch(_RECOUNTED)
        assert [tuple(row) for row in counted] == [tuple(row) for row in recounted]
        failures = await world.db.fetchval("SELECT COALESCE(sum(count), 0) FROM message_failures")
        assert failures == sum(row["n"] for row in recounted if row["status"] == "failed")
    count = await world.db.fetchval(f"SELECT count(*) FROM {world.table}")
    outcomes = tuple(await world.db.fetchrow(_OUTCOMES))
    assert outcomes == ((0, count) if status == "failed" else (count, 0))


async def test_the_ledger_has_a_line_for_each_move(world: World) -> None:
    id = await world.message()
    price = (await world.row(id))["price"]
    for statuses in ("failed", "failed", "delivered", "failed", "delivered", "read"):
        await world.report(id, statuses)
    assert await world.entries() == [("charge", -price), ("refund", price), ("charge", -price)]


async def test_what_the_balance_lacks_is_owed_and_the_next_credits_pay_it_first(
    world: World, admin: Person
) -> None:
    ids = [await world.message() for _ in range(3)]
    price = (await world.row(ids[0]))["price"]
    for id in ids:
        await world.report(id, "failed")
    # All that is left is spent otherwise, but for half a message.
    left = price / 2
    await world.records.make(world.ada, price=str(await world.balance() - left))
    for id in ids:
        await world.report(id, "delivered")
        assert (await world.row(id))["status"] == "delivered"
    assert (await world.balance(), await world.owed()) == (Decimal(0), price * 5 / 2)
    shown = (await world.ada.rest("GET", f"/accounts/{world.ada.account_id}")).json()
    assert (Decimal(str(shown["balance"])), Decimal(str(shown["owed"]))) == (Decimal(0), price * 5 / 2)
    for amount, balance, owed in (
        (price, 0, price * 3 / 2),
        (2 * price, price / 2, 0),
        (price, price * 3 / 2, 0),
    ):
        answer = await admin.rest(
            "POST", f"/accounts/{world.ada.account_id}/credit", json={"amount": str(amount)}
        )
        assert answer.status_code in (200, 201), answer.text
        assert Decimal(str(answer.json()["balance"])) == balance
        assert (await world.balance(), await world.owed()) == (balance, owed)
    charges = [amount / price for kind, amount in (await world.entries())[-5:] if kind == "charge"]
    assert [float(each) for each in charges] == [-0.5, -0.5, -0.5, -0.5, -1]
    assert await world.db.fetchval("SELECT count(*) FROM account_debts") == 0


async def test_after_72_hours_a_failure_is_final(world: World) -> None:
    late, timely = [await world.message() for _ in range(2)]
    for id, age in ((late, "73 hours"), (timely, "71 hours")):
        await world.report(id, "failed")
        await world.db.fetch(
            f"UPDATE {world.table} SET failed_at = now() - interval '{age}' WHERE id = $1", id
        )
        await world.report(id, "delivered")
    assert (await world.row(late))["status"] == "failed"
    assert (await world.row(timely))["status"] == "delivered"


async def test_the_72_hours_begin_with_the_first_failure(world: World) -> None:
    """Neither a `failed` that is repeated prolongs them, nor what the hook says in between."""
    age = f"UPDATE {world.table} SET failed_at = failed_at - $2::interval WHERE id = $1"
    plain, hooked = [await world.message() for _ in range(2)]
    for id in (plain, hooked):
        await world.report(id, "sent")  # is no part of them: it says neither
        await world.report(id, "failed")
        await world.db.fetch(age, id, timedelta(hours=71))
        first = (await world.row(id))["failed_at"]
        if id == hooked:
            await world.report(id, "delivered", hook=True)
        for again in ("failed", "sent"):
            await world.report(id, again)
        assert (await world.row(id))["failed_at"] == first
        await world.db.fetch(age, id, timedelta(hours=2))
        await world.report(id, "failed")
        await world.report(id, "delivered")
    assert [(await world.row(id))["status"] for id in (plain, hooked)] == ["failed"] * 2


async def test_what_failed_without_a_report_stays_so(world: World) -> None:
    id = await world.message()
    await world.report(id, "failed")
    await world.db.fetch(
        f"UPDATE {world.table} SET failed_at = NULL WHERE id = $1", id
    )  # as an outcome leaves it
    assert await world.report(id, "delivered") == 0
    assert (await world.row(id))["status"] == "failed"


@pytest.mark.parametrize("way", ["delivered", "failed"])
async def test_the_hook_moves_no_money_in_between(way: str, world: World) -> None:
    id = await world.message()
    paid, price = await world.balance(), (await world.row(id))["price"]
    for status, hook in (
        ("failed", True),
        ("failed", False),
        ("delivered", True),
        (way, False),
        ("failed", True),
    ):
        await world.report(id, status, hook=hook)
    row = await world.row(id)
    assert (row["status"], row["reported_by"]) == (way, None)
    assert await world.balance() == (paid if way == "delivered" else paid + price)


MAIL = "anna@example.com"


@pytest.mark.parametrize("other", ["nothing", "second failure", "owner", "owner as it is", "complaint"])
async def test_a_block_that_the_failure_alone_has_made_ends(other: str, world: World) -> None:
    ids = [await world.message("email", MAIL) for _ in range(2)]
    await world.report(ids[0], "failed", code="user_unknown")
    assert await world.records.blocked(world.ada) == {MAIL: "hardBounce"}
    if other == "second failure":
        await world.report(ids[1], "failed", code="user_unknown")
    elif other.startswith("owner"):
        body = {} if other.endswith("is") else {"reason": "manual"}
        await world.ada.rest("POST", f"/block/{MAIL}", json=body)
    elif other == "complaint":
        await world.ada.rest(
            "POST", f"/delivery-hook/{world.ada.id}", json=[{"event": "complaint", "address": MAIL}]
        )
    await world.report(ids[0], "delivered")
    assert (MAIL in await world.records.blocked(world.ada)) is (other != "nothing")


async def test_a_block_by_a_hook_s_failure_ends_when_the_way_has_delivered(world: World) -> None:
    id = await world.message("email", MAIL)
    await world.report(id, "failed", code="user_unknown", hook=True)
    assert await world.records.blocked(world.ada) == {MAIL: "hardBounce"}
    await world.report(id, "delivered")
    assert (await world.row(id))["status"] == "delivered"
    assert await world.records.blocked(world.ada) == {}


@pytest.mark.parametrize("order", [*permutations(("bounce", "failed", "delivered"))], ids="-".join)
async def test_a_bounce_keeps_its_time_and_block_in_every_order(order: Sequence[str], world: World) -> None:
    id = await world.message("email", MAIL)
    paid = await world.balance()
    for report in order:
        if report == "bounce":
            async with world.db.reading() as db:
                received = Received(id, (bounce(),), "dsn", "<1@example.net>", world.db.now())
                await record(db, [received], Rules())
        else:
            await world.report(id, report, code="user_unknown" if report == "failed" else None)
    row = await world.row(id)
    assert (row["status"], row["bounced_at"] is not None) == ("delivered", True)
    assert await world.records.blocked(world.ada) == {MAIL: "hardBounce"}
    assert await world.balance() == paid


async def test_a_delivered_cancels_the_queued_retry(ada: Person, services: Any, dispatcher: Any) -> None:
    projects = Projects(services)
    project = await projects.make(ada, ["a@example.com", "b@example.com"])
    await projects.work()
    one, two = await projects.records(project)
    route = services.routes.of("email")[0]
    start = await balance_of(services, ada)

    async def receive(row: Any, result: Result) -> None:
        await receive_events(services, route, [Receipt(str(row["id"]), result, code="mailbox_full")])

    for row in (one, two):
        await receive(row, Result.refused)
    assert await balance_of(services, ada) == start + one["price"] + two["price"]
    assert (await ada.rest("POST", f"/sending-project/retry/{project}")).status_code == 200
    while await projects.states(project) != {"queued": 2}:
        assert await projects.step()
    await receive(one, Result.delivered)
    await receive(two, Result.refused)  # about the attempt before: it says nothing
    await receive(one, Result.refused)
    stored = {row["id"]: row for row in await projects.records(project)}
    assert (stored[one["id"]]["status"], stored[one["id"]]["price"]) == ("delivered", one["price"])
    assert stored[two["id"]]["status"] == "queued"
    await projects.work()
    stored = {row["id"]: row for row in await projects.records(project)}
    assert stored[one["id"]]["status"] == "delivered"
    assert (stored[two["id"]]["status"], stored[two["id"]]["price"]) == ("sent", two["price"])
    assert await balance_of(services, ada) == start
    await projects.sound(project)


async def balance_of(services: Any, person: Person) -> Decimal:
    return Decimal(
        await services.db.fetchval("SELECT balance FROM accounts WHERE id = $1", person.account_id)
    )
