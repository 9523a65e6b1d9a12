"""The process is killed while emails of Resend's clients are under way: a retry with its key sends nothing twice."""

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

REQUESTS, KILLS = 24, 5
_DOMAIN = """
INSERT INTO domains (id, owner_id, name, status, token, verified_at)
VALUES (gen_random_uuid(), $1, 'ada.example', 'verified', 'token', now())
"""


@pytest.fixture
def live() -> Iterator[Live]:
    with serving(POSTERN_RESEND="1", POSTERN_LIMIT_MESSAGES="100000/60") as live:
        asyncio.run(_execute(live, _DOMAIN, live.ada.id))
        yield live


async def _execute(live: Live, sql: str, *arguments: Any) -> Any:
    db = await asyncpg.connect(live.database)
    try:
        return await db.fetch(sql, *arguments)
    finally:
        await db.close()


def _request(number: int) -> tuple[str, Any]:
    """One email, one to several recipients, or a batch."""
    email = {"from": "news@ada.example", "subject": "Hi", "text": "Hi"}
    to = [f"{number}-{each}@example.com" for each in range(4)]
    if number % 3 == 0:
        return "/emails", {**email, "to": to[0], "attachments": [{"filename": "a.txt", "content": "aGk="}]}
    if number % 3 == 1:
        return "/emails", {**email, "to": to}
    return "/emails/batch", [{**email, "to": each} for each in to]


def _sent(live: Live, number: int) -> Any:
    """Sends a request until it is answered. Returns the answer."""
    headers = {**live.ada.headers, "Idempotency-Key": f"request {number}"}
    path, body = _request(number)

    def tried() -> Any:
        with httpx.Client(base_url=f"http://127.0.0.1:{live.port}", timeout=PATIENCE) as client:
            try:
                answer = client.post(f"/doors/resend{path}", json=body, headers=headers)
            except httpx.TransportError:
                return None
        assert answer.status_code in (200, 429, 503) or (
            answer.json()["name"] == "concurrent_idempotent_requests"
        ), answer.text
        return answer.json() if answer.status_code == 200 else None

    return eventually(tried, f"request {number} is answered", random.Random(number).uniform(0.01, 0.2))


def test_killed_again_and_again_everything_is_sent_once(live: Live):
    with ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(_sent, live, number) for number in range(REQUESTS)]
        for _ in range(KILLS):
            wait(sent, timeout=random.uniform(0.01, 0.1))  # requests are under way meanwhile
            live.kill()
        answers = [each.result(PATIENCE) for each in sent]
    rows = asyncio.run(_execute(live, 'SELECT id::text, "to" FROM messages'))
    ids = {row["to"]: row["id"] for row in rows}
    assert len(rows) == len(ids) == REQUESTS // 3 * (1 + 4 + 4)
    for number, answer in enumerate(answers):
        if "id" in answer:
            assert answer["id"] == ids[f"{number}-0@example.com"]
        else:
            assert [each["id"] for each in answer["data"]] == [
                ids[f"{number}-{each}@example.com"] for each in range(4)
            ]
    ((charged, balance),) = asyncio.run(
        _execute(
            live,
            "SELECT (SELECT -sum(amount) FROM ledger_entries WHERE account_id = $1 AND kind = 'charge'), balance"
            " FROM accounts WHERE id = $1",
            live.ada.account_id,
        )
    )
    assert charged + balance == Decimal(100)
    assert [_sent(live, number) for number in range(3)] == answers[:3]
