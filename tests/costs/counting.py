"""Counts traffic as a worker's round does, and compares it with the ledger."""

from decimal import Decimal
from typing import Any

from runtime.services import Services
from tests.support.people import Person
from tests.support.rounds import run_round

DUE = "UPDATE traffic_progress SET next_at = now()"
LEDGER = """
SELECT COALESCE(-sum(e.amount), 0) FROM ledger_entries AS e WHERE e.kind <> 'credit'
"""
COUNTED = "SELECT COALESCE(sum(charged), 0) FROM traffic"


async def count(services: Services) -> None:
    """Counts all hours that are due now."""
    await services.db.fetch(DUE)
    await run_round(services, "count")


async def traffic(person: Person, **query: Any) -> list[dict[str, Any]]:
    """Returns the rows of traffic that a person sees."""
    answer = await person.rest("GET", "/traffic", params=query)
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


async def is_exact(db: Any) -> bool:
    """Returns whether the sum of what was charged is that of the ledger, to the digit."""
    charged, ledger = [Decimal(await db.fetchval(sql)) for sql in (COUNTED, LEDGER)]
    assert charged == ledger, (charged, ledger)
    return ledger > 0
