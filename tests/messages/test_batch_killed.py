"""Batches whose process is killed before it has answered: a retry with a key loses nothing, and repeats nothing."""

import asyncio
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from decimal import Decimal
from typing import Any

import asyncpg
import httpx
import pytest

from tests.support.live import Live, serving
from tests.support.waits import PATIENCE, eventually

pytestmark = [pytest.mark.servers, pytest.mark.rotating, pytest.mark.slow]

BATCHES, ITEMS, KILLS = 8, 60, 6


@pytest.fixture
def live() -> Iterator[Live]:
    with serving() as live:
        yield live


def _body(number: int) -> dict[str, Any]:
    """Some batches have keys of their items alone."""
    keys = [{"key": f"{number}-{item}"} if number % 2 else {} for item in range(ITEMS)]
    return {
        "messages": [
            {"to": f"{number}-{item}@example.com", "channel": "email", "body": "hi", **key}
            for item, key in enumerate(keys)
        ]
    }


def _sent(live: Live, number: int) -> dict[str, str]:
    """Sends a batch until it is answered. Returns the ids of its messages by recipient."""
    headers = {**live.ada.headers, **({} if number % 2 else {"Idempotency-Key": f"batch {number}"})}
    seed = random.Random(number)

    def tried() -> Any:
        with httpx.Client(base_url=f"http://127.0.0.1:{live.port}", timeout=PATIENCE) as client:
            try:
                answer = client.post("/messages/batch", json=_body(number), headers=headers)
            except httpx.TransportError:
                return None
        assert answer.status_code in (200, 409, 429, 503), answer.text
        results = answer.json()["results"] if answer.status_code == 200 else []
        return results if results and all(result["message"] for result in results) else None

    results = eventually(tried, f"batch {number} is answered", seed.uniform(0.01, 0.2))
    return {result["message"]["to"]: result["message"]["id"] for result in results}


async def _rows(live: Live) -> tuple[list[Any], Decimal, Decimal]:
    db = await asyncpg.connect(live.database)
    try:
        rows = await db.fetch('SELECT id::text, "to" FROM messages')
        charged = await db.fetchval(
            "SELECT -sum(amount) FROM ledger_entries WHERE account_id = $1 AND kind = 'charge'",
            live.ada.account_id,
        )
        balance = await db.fetchval("SELECT balance FROM accounts WHERE id = $1", live.ada.account_id)
        return rows, charged, balance
    finally:
        await db.close()


def test_killed_again_and_again_everything_is_sent_once(live: Live):
    with ThreadPoolExecutor(BATCHES) as pool:
        sent = [pool.submit(_sent, live, number) for number in range(BATCHES)]
        for _ in range(KILLS):
            wait(sent, timeout=random.uniform(0.01, 0.08))  # requests are under way meanwhile
            live.kill()
        ids: dict[str, str] = {}
        for each in sent:
            ids |= each.result(PATIENCE)
    rows, charged, balance = asyncio.run(_rows(live))
    assert {row["to"]: row["id"] for row in rows} == ids
    assert len(rows) == len(ids) == BATCHES * ITEMS
    assert charged + balance == 100
    again = _sent(live, 0) | _sent(live, 1)
    assert again.items() <= ids.items()
