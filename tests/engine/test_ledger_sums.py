"""Old entries of the ledger are added up by day: no sum changes, and what may still be refunded keeps its entry."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from core.ids import least_uuid7, time_of, uuid7
from engine.upkeep import ledger_sums
from runtime.services import Services
from tests.support.people import Person
from tests.support.projects import Projects

pytestmark = pytest.mark.settings(ledger_retention_days=10, retention_days=5)
NOON = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
OLD = NOON - timedelta(days=20)
_SUMS = """
SELECT account_id, kind, project_id, sum(amount) AS amount, sum(COALESCE(entry_count, 1)) AS entries
FROM ledger_entries GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""
_BALANCES = """
SELECT a.id, a.balance, sum(e.amount) AS ledger FROM accounts AS a JOIN ledger_entries AS e ON e.account_id = a.id
GROUP BY a.id
"""


class Ledger:
    """Entries with times of their own, in the database itself."""

    def __init__(self, services: Services, db: asyncpg.Connection, person: Person) -> None:
        self.services, self.db, self.account = services, db, person.account_id

    async def enter(
        self, kind: str, amount: str, at: datetime = OLD, *, project: UUID | None = None, account: Any = None
    ) -> UUID:
        """Returns the entry's id, which is its reference as well."""
        id = UUID(int=least_uuid7(at).int | uuid4().int & (1 << 80) - 1)
        await self.db.execute(
            "INSERT INTO ledger_entries (id, account_id, kind, amount, reference, project_id, created_at)"
            " VALUES ($1, $2, $3, $4, $1, $5, $6)",
            id, account or self.account, kind, Decimal(amount), project, at,
        )  # fmt: skip
        await self.db.execute(
            "UPDATE accounts SET balance = balance + $2 WHERE id = $1",
            account or self.account,
            Decimal(amount),
        )
        return id

    async def entries(self) -> list[Any]:
        """Returns all entries but credits, oldest first."""
        return list(await self.db.fetch("SELECT * FROM ledger_entries WHERE kind <> 'credit' ORDER BY id"))

    async def shows(self) -> list[tuple[str, Decimal, int | None]]:
        return [(row["kind"], row["amount"], row["entry_count"]) for row in await self.entries()]

    async def add_up(self) -> None:
        """Runs a round, after which all sums are what they were, and each balance is its ledger."""
        before = await self.db.fetch(_SUMS)
        await ledger_sums.add_up(self.services)
        assert await self.db.fetch(_SUMS) == before
        for row in await self.db.fetch(_BALANCES):
            assert row["balance"] == row["ledger"]

    async def message(self, id: UUID, account: UUID, state: str) -> None:
        await self.db.execute(
            'INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body, price)'
            " SELECT $1, owner_id, id, 'outbound', 'sms', $3, '+14155550100', 'x', 1 FROM accounts WHERE id = $2",
            id, account, state,
        )  # fmt: skip


@pytest.fixture
async def ledger(services: Services, ada: Person) -> AsyncIterator[Ledger]:
    db = await asyncpg.connect(services.db.url)
    made = Ledger(services, db, ada)
    await made.enter("credit", "10000", NOON - timedelta(days=300))
    yield made
    await db.close()


async def test_a_day_has_one_charge_and_one_refund(ledger: Ledger, ada: Person) -> None:
    for amount in ("-1.5", "-0.25", "-0.000001"):
        await ledger.enter("charge", amount)
    await ledger.enter("refund", "0.25", OLD + timedelta(hours=11))
    await ledger.enter("charge", "-3", OLD + timedelta(days=1))
    credit = await ledger.enter("credit", "100")
    await ledger.add_up()
    charge, refund, later = sorted(await ledger.entries(), key=lambda row: (row["created_at"], row["kind"]))
    assert (charge["kind"], charge["amount"], charge["entry_count"]) == ("charge", Decimal("-1.750001"), 3)
    assert (refund["kind"], refund["amount"], refund["entry_count"]) == ("refund", Decimal("0.25"), 1)
    assert (later["amount"], later["entry_count"]) == (Decimal(-3), 1)
    assert charge["created_at"] == time_of(charge["id"]) == OLD.replace(hour=0)
    assert charge["id"].version == 7
    path = f"/accounts/{ada.account_id}/ledger"
    shown = {row["id"]: row for row in (await ada.rest("GET", path, params={"limit": 100})).json()["items"]}
    assert shown[str(charge["id"])]["entryCount"] == 3
    assert shown[str(charge["id"])]["reference"] == str(charge["id"])
    assert shown[str(credit)]["entryCount"] is None
    found = await ada.data(
        "query($id: ID!) { ledgerEntry(id: $id) { entryCount message { id } } }", {"id": str(charge["id"])}
    )
    assert found["ledgerEntry"] == {"entryCount": 3, "message": None}


async def test_accounts_are_apart(ledger: Ledger, bob: Person) -> None:
    for account in (ledger.account, bob.account_id, bob.account_id):
        await ledger.enter("charge", "-2", account=account)
    await ledger.add_up()
    assert sorted(await ledger.shows()) == [("charge", Decimal(-4), 2), ("charge", Decimal(-2), 1)]


@pytest.mark.parametrize("state", ["unknown", "failed", "queued"])
async def test_a_message_that_is_there_keeps_its_entry(ledger: Ledger, state: str) -> None:
    id = await ledger.enter("charge", "-1")
    await ledger.enter("charge", "-1")
    await ledger.message(id, ledger.account, state)
    await ledger.add_up()
    assert sorted(await ledger.shows(), key=str) == [
        ("charge", Decimal(-1), 1),
        ("charge", Decimal(-1), None),
    ]


async def test_what_was_passed_is_looked_at_again_after_a_month(ledger: Ledger) -> None:
    id = await ledger.enter("charge", "-1")
    await ledger.enter("charge", "-1", OLD + timedelta(hours=1))
    await ledger.message(id, ledger.account, "unknown")
    await ledger.add_up()
    await ledger.db.execute("DELETE FROM messages")
    await ledger.add_up()
    assert len(await ledger.entries()) == 2
    await ledger.db.execute("UPDATE ledger_progress SET begun_at = now() - interval '31 days'")
    await ledger.add_up()
    assert await ledger.shows() == [("charge", Decimal(-2), 2)]
    assert await ledger.db.fetchval("SELECT begun_at > now() - interval '1 minute' FROM ledger_progress")


async def test_days_that_are_not_wholly_old_enough_stay(ledger: Ledger) -> None:
    today = ledger.services.db.now().replace(
        hour=0, minute=0, second=0, microsecond=0
    )  # NOON may be yesterday's
    edge = today - timedelta(days=11)  # a day more than the setting
    for at in (edge + timedelta(hours=1), edge - timedelta(milliseconds=1)):
        await ledger.enter("charge", "-1", at)
    await ledger.add_up()
    assert await ledger.shows() == [("charge", Decimal(-1), 1), ("charge", Decimal(-1), None)]


@pytest.mark.settings(ledger_retention_days=1, retention_days=30)
async def test_entries_stay_for_as_long_as_messages(ledger: Ledger) -> None:
    await ledger.enter("charge", "-1")
    await ledger.add_up()
    assert await ledger.shows() == [("charge", Decimal(-1), None)]


@pytest.mark.settings(ledger_retention_days=None, retention_days=5)
async def test_nothing_is_added_up_unless_the_operator_wants_it(ledger: Ledger) -> None:
    await ledger.enter("charge", "-1")
    await ledger.add_up()
    assert await ledger.shows() == [("charge", Decimal(-1), None)]


async def test_small_bites_give_the_same_sums(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_sums, "BITE", 7)
    for number in range(60):
        at = OLD + timedelta(hours=number)
        await ledger.enter("charge", f"-{number + 1}", at)
        if number % 3 == 0:
            await ledger.enter("refund", f"{number + 1}", at)
        if number % 5 == 0:
            await ledger.enter("credit", "1", at)
    await ledger.add_up()
    rows = await ledger.entries()
    assert sorted((row["kind"], row["entry_count"]) for row in rows) == [
        ("charge", 12), ("charge", 24), ("charge", 24), ("refund", 4), ("refund", 8), ("refund", 8)
    ]  # fmt: skip
    await ledger.add_up()
    assert await ledger.entries() == rows


async def test_a_failure_at_the_last_statement_changes_nothing(ledger: Ledger) -> None:
    for _ in range(3):
        await ledger.enter("charge", "-1")
    before = await ledger.entries()
    await ledger.db.execute(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;"
        "CREATE TRIGGER refuse BEFORE UPDATE ON ledger_progress FOR EACH ROW EXECUTE FUNCTION refuse()"
    )
    with pytest.raises(asyncpg.RaiseError):
        await ledger.add_up()
    assert await ledger.entries() == before
    await ledger.db.execute("DROP TRIGGER refuse ON ledger_progress")
    await ledger.add_up()
    assert await ledger.shows() == [("charge", Decimal(-3), 3)]


async def test_rounds_at_once_add_up_each_entry_once(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_sums, "BITE", 3)
    for number in range(40):
        await ledger.enter("charge", "-1", OLD + timedelta(hours=number))
    before = await ledger.db.fetch(_SUMS)
    await asyncio.gather(*(ledger_sums.add_up(ledger.services) for _ in range(8)))
    await ledger.add_up()
    assert await ledger.db.fetch(_SUMS) == before
    assert sum(row["entry_count"] for row in await ledger.entries()) == 40


async def test_a_project_keeps_its_entries_until_its_messages_are_deleted(
    ledger: Ledger, services: Services, ada: Person, dispatcher: Any
) -> None:
    projects = Projects(services)
    project, gone = await projects.make(ada, ["a@example.com"]), uuid7()
    for each in (project, project, gone):
        await ledger.enter("charge", "-1", project=each)
    await ledger.add_up()
    assert sorted(await ledger.shows(), key=str) == [
        ("charge", Decimal(-1), 1), ("charge", Decimal(-1), None), ("charge", Decimal(-1), None)
    ]  # fmt: skip
    await ledger.db.execute("UPDATE sending_projects SET messages_deleted_at = now()")
    await ledger.db.execute("DELETE FROM message_records")
    await ledger.db.execute("UPDATE ledger_progress SET begun_at = now() - interval '31 days'")
    await ledger.add_up()
    rows = {row["project_id"]: row for row in await ledger.entries()}
    assert (rows[project]["amount"], rows[project]["entry_count"]) == (Decimal(-2), 2)
    assert (rows[gone]["amount"], rows[gone]["entry_count"]) == (Decimal(-1), 1)
