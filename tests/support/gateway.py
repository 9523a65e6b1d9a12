"""A gateway under test: messages through the door, their rows, and what must hold when all is over."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

import pytest

from channels.sandbox import Effect, box
from core.ids import least_uuid7, uuid7
from core.installation import ROOT
from runtime.services import Services
from tests.support.people import Person
from tests.support.waits import PATIENCE

TO = {"sms": "+14155550100", "email": "anna@example.com", "push": "device-token"}

MAGIC = {
    "email": {effect: f"{effect}@sandbox.postern.test" for effect in Effect},
    "sms": {effect: f"+150055500{tens}0" for tens, effect in enumerate(Effect)},
    "push": {effect: f"sandbox-{effect}" for effect in Effect},
}

_WATCH = """
CREATE TABLE moves (number bigint GENERATED ALWAYS AS IDENTITY, id uuid, before text, after text,
                    status_before text, status_after text);
CREATE FUNCTION moved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO moves (id, before, after, status_before, status_after)
  VALUES (NEW.id, OLD.state, NEW.state, OLD.status, NEW.status);
  RETURN NULL;
END $$;
CREATE TRIGGER moved AFTER UPDATE ON messages FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state)
EXECUTE FUNCTION moved();
"""

_QUEUE = """
WITH made AS (
  INSERT INTO messages (id, owner_id, account_id, direction, channel, "to", body, price)
  SELECT i.id, $2, $3, 'outbound', $4, $5, 'hello', 0.01 FROM unnest($1::uuid[]) AS i (id) RETURNING id
), charge AS (
  INSERT INTO ledger_entries (id, account_id, kind, amount, reference)
  SELECT gen_random_uuid(), $3, 'charge', -0.01, id FROM made
)
UPDATE accounts SET balance = balance - 0.01 * cardinality($1::uuid[]) WHERE id = $3
"""

_BOOKS = """
SELECT a.id, a.balance, COALESCE(sum(e.amount), 0) AS ledger
FROM accounts a LEFT JOIN ledger_entries e ON e.account_id = a.id GROUP BY a.id
"""

_MONEY = """
SELECT m.id, m.state, m.direction, m.price, m.reported_by,
  (m.state = 'delivered' AND m.price > 0 AND (m.failed_at IS NOT NULL OR EXISTS (
    SELECT FROM moves WHERE moves.id = m.id AND before = 'canceled'
  )))::int AS revived,
  (SELECT array_agg(amount) FROM ledger_entries WHERE reference = m.id AND kind = 'charge') AS charges,
  (SELECT array_agg(amount) FROM ledger_entries WHERE reference = m.id AND kind = 'refund') AS refunds
FROM messages m
"""


@cache
def allowed() -> set[tuple[str, str]]:
    """The moves of a message that docs/states.md draws."""
    page = (ROOT / "docs/states.md").read_text().partition("\n## Messages")[2]
    return {(start, end) for start, end in re.findall(r"^    (\w+) --> (\w+)", page, re.MULTILINE)}


class Gateway:
    def __init__(self, services: Services) -> None:
        self.services, self.db = services, services.db

    async def send(
        self, person: Person, to: str | None = None, channel: str = "sms", body: str = "hi", **metadata: Any
    ) -> UUID:
        """Sends a message by POST /messages and returns its id. Repeats it while the account is busy, as clients do."""
        new = {"to": to or TO[channel], "channel": channel, "body": body, "metadata": metadata}
        async with asyncio.timeout(PATIENCE):
            while (answer := await person.rest("POST", "/messages", json=new)).status_code == 429:
                assert answer.json()["code"] == "account_busy", answer.text
        assert answer.status_code == 202, answer.text
        return UUID(answer.json()["id"])

    async def reached(self, person: Person, to: str | None = None, channel: str = "sms") -> UUID:
        """Makes a message that the provider has, without a provider."""
        id = await self.send(person, to, channel)
        await self.set("state = 'sending', handed_at = now()", id)
        await self.set("state = 'sent'", id)
        return id

    async def queue(
        self, person: Person, count: int, channel: str = "sms", *, age: timedelta | None = None
    ) -> list[UUID]:
        """Many at once, as POST /messages leaves them (or left them then), but with no job that would send them."""
        least = least_uuid7(datetime.now(UTC) - age).int if age else 0
        ids = (
            [UUID(int=least + number) for number in range(count)] if age else [uuid7() for _ in range(count)]
        )
        await self.db.fetch(_QUEUE, ids, person.id, person.account_id, channel, TO[channel])
        return ids

    async def row(self, id: UUID) -> Any:
        return await self.db.fetchrow("SELECT * FROM messages WHERE id = $1", id)

    async def state(self, id: UUID) -> str:
        return str((await self.row(id))["state"])

    async def states(self) -> Counter[str]:
        return Counter(row["state"] for row in await self.db.fetch("SELECT state FROM messages"))

    async def until(self, wanted: dict[UUID, str], within: float = PATIENCE) -> None:
        """Waits until each of these messages is in its state."""
        deadline = time.monotonic() + within
        while True:
            now = {id: await self.state(id) for id in wanted}
            if now == wanted:
                return
            assert time.monotonic() < deadline, now
            await asyncio.sleep(0.01)

    async def count(self, sql: str, *arguments: Any) -> int:
        return int(await self.db.fetchval(f"SELECT count(*) FROM {sql}", *arguments))

    async def set(self, change: str, *ids: UUID) -> None:
        """`UPDATE messages SET change`, of these or of all."""
        await self.db.fetch(f"UPDATE messages SET {change} WHERE $1 OR id = ANY($2)", not ids, ids)

    async def hasten(self) -> None:
        """Time passes until everything is due."""
        await self.set("due_at = now()")

    async def refunds(self, id: UUID) -> int:
        return await self.count("ledger_entries WHERE kind = 'refund' AND reference = $1", id)

    async def moves(self, id: UUID) -> list[str]:
        """The states that it went through after `queued`."""
        rows = await self.db.fetch("SELECT after FROM moves WHERE id = $1 ORDER BY number", id)
        return [row["after"] for row in rows]

    async def books(self) -> None:
        """Checks that every balance is its ledger, that only messages that were canceled, or whose way says that they
        failed, were refunded, once, and that all moves are legal.
        """
        for row in await self.db.fetch(_BOOKS):
            assert row["balance"] == row["ledger"], dict(row)
        for row in await self.db.fetch(_MONEY):
            paid = row["direction"] == "outbound" and row["price"] > 0
            back = paid and row["state"] in ("failed", "canceled") and row["reported_by"] is None
            revived = row["revived"]  # its refund was taken back
            charged = sum(row["charges"]) if row["charges"] else None
            assert charged == (-row["price"] * (1 + revived) if paid else None), dict(row)
            assert row["refunds"] == ([row["price"]] if back or revived else None), dict(row)
        rank = {"queued": 0, "sent": 1, "delivered": 2, "failed": 2}
        for row in await self.db.fetch("SELECT * FROM moves"):
            assert (row["before"], row["after"]) in allowed(), dict(row)
            assert rank[row["status_before"]] <= rank[row["status_after"]], dict(row)
            assert row["status_before"] not in {"delivered", "failed"} or row["after"] == "delivered", dict(
                row
            )


@pytest.fixture
async def gateway(services: Services) -> AsyncIterator[Gateway]:
    made = Gateway(services)
    async with services.db.reading() as connection:
        await connection.execute(_WATCH)
    yield made
    await made.books()


def hand_overs(id: UUID) -> list[tuple[str, int]]:
    """The keys under which the sandbox took a message, and how often it was handed each."""
    return [
        (accepted.message.key, accepted.hand_overs) for accepted in box().outbox if accepted.message.id == id
    ]


def smpp_receipt(id: str, stat: str = "DELIVRD") -> bytes:
    """Appendix B of SMPP 3.4."""
    dates = "submit date:2601011200 done date:2601011201"
    return f"id:{id} sub:001 dlvrd:001 {dates} stat:{stat} err:000 text:hi".encode()
