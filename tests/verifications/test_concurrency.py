"""Guesses at once, and processes that are killed."""

import asyncio
import signal
from collections import Counter
from contextlib import suppress
from typing import Any

import asyncpg
import httpx
import pytest

from engine.direct.dispatch import Dispatcher
from engine.faultpoints import VERIFICATION_POINTS
from engine.verifications import codes
from runtime.services import Services
from tests.support.live import Live, serving
from tests.support.people import Person
from tests.support.waits import PATIENCE
from tests.verifications.codes import CHANNELS, RATES, check, code_of, other, start

LIMITS = {f"POSTERN_{name.upper()}": value for name, value in RATES.items()}


@pytest.mark.settings(**CHANNELS, **RATES)
async def test_five_of_many_guesses_are_compared(
    ada: Person, dispatcher: Dispatcher, services: Services, monkeypatch: pytest.MonkeyPatch
):
    id = (await start(ada))["id"]
    code = await code_of(dispatcher)
    compared, is_right = [], codes.is_right
    monkeypatch.setattr(codes, "is_right", lambda *args: compared.append(args) or is_right(*args))
    answers = await asyncio.gather(*(check(ada, id, other(code)) for _ in range(300)))
    assert len(compared) == 5
    assert Counter(answer["status"] for answer in answers) == {"wrong": 4, "too_many": 296}
    assert await services.db.fetchval("SELECT tries FROM verifications") == 5


@pytest.mark.settings(**CHANNELS, **RATES)
async def test_a_code_is_right_once(ada: Person, dispatcher: Dispatcher):
    id = (await start(ada))["id"]
    code = await code_of(dispatcher)
    answers = await asyncio.gather(*(check(ada, id, code) for _ in range(50)))
    assert Counter(answer["status"] for answer in answers) == {"approved": 1, "used": 49}


@pytest.mark.settings(**CHANNELS, **RATES)
async def test_starts_and_checks_at_once_never_wait_for_each_other(ada: Person, services: Services):
    """Whatever comes first, an address has one pending code, and each code at most five tries."""

    async def step(number: int) -> None:
        if number % 3:
            rows = await services.db.fetch("SELECT id FROM verifications ORDER BY id DESC LIMIT 1")
            for row in rows:
                await ada.rest("POST", f"/verifications/{row['id']}/check", json={"code": f"{number:06d}"})
        else:
            await services.db.fetch("UPDATE verifications SET resend_at = now() WHERE status = 'pending'")
            answer = await ada.rest("POST", "/verifications", json={"to": "+14155550100", "channel": "sms"})
            assert answer.status_code in (202, 429), answer.text

    await asyncio.gather(*map(step, range(90)))
    rows = await services.db.fetch("SELECT status, tries, sends FROM verifications")
    assert sum(row["status"] == "pending" for row in rows) <= 1
    assert max(row["tries"] for row in rows) <= 5 and sum(row["tries"] for row in rows) <= 15
    assert (
        sum(row["sends"] for row in rows) == await services.db.fetchval("SELECT count(*) FROM messages") <= 10
    )


@pytest.mark.servers
@pytest.mark.rotating
def test_ten_thousand_guesses_by_a_hundred_connections() -> None:
    statuses: Counter[str] = Counter()

    async def attack(url: str, headers: dict[str, str]) -> None:
        bounds = httpx.Limits(max_connections=100)
        async with httpx.AsyncClient(
            base_url=url, headers=headers, limits=bounds, timeout=PATIENCE
        ) as client:
            body = {"to": "+14155550100", "channel": "sms", "length": 4}
            id = (await client.post("/verifications", json=body)).json()["id"]

            async def guess(first: int) -> None:
                for number in range(first, 10_000, 100):
                    answer = await client.post(f"/verifications/{id}/check", json={"code": f"{number:04d}"})
                    statuses[answer.json()["status"]] += 1

            await asyncio.gather(*map(guess, range(100)))

    with serving(**LIMITS) as live:
        asyncio.run(attack(f"http://127.0.0.1:{live.port}", live.ada.headers))
        (row,) = asyncio.run(read(live.database, "SELECT status, tries FROM verifications"))
    assert statuses.total() == 10_000 and statuses["wrong"] <= 4 and statuses["approved"] <= 1
    assert row["tries"] <= 5 and row["status"] in ("too_many", "approved")


_HALVES = """
SELECT (SELECT count(*) FROM verifications) AS verifications, (SELECT count(*) FROM verification_codes) AS codes,
  (SELECT count(*) FROM messages) AS messages,
  (SELECT count(*) FROM ledger_entries WHERE kind = 'charge') AS charges,
  (SELECT count(*) FROM verifications AS v JOIN messages AS m ON v.message_ids = ARRAY[m.id]) AS whole
"""


async def read(database: str, sql: str) -> list[Any]:
    connection = await asyncpg.connect(database)
    rows = await connection.fetch(sql)
    await connection.close()
    return list(rows)


@pytest.mark.servers
@pytest.mark.rotating
@pytest.mark.parametrize("point", VERIFICATION_POINTS)
def test_a_process_dies_between_code_and_message(point: str) -> None:
    with serving(**LIMITS, FAULT_AT=point) as live:
        body = {"to": "+14155550100", "channel": "sms"}
        with suppress(httpx.TransportError):
            live.client.post("/verifications", json=body, headers=live.ada.headers)
        assert live.process.wait(PATIENCE) == -signal.SIGKILL
        (counts,) = asyncio.run(read(live.database, _HALVES))
    assert set(counts.values()) == {0}


@pytest.mark.servers
@pytest.mark.rotating
def test_kills_at_any_moment() -> None:
    async def flood(live: Live, numbers: range) -> None:
        url = f"http://127.0.0.1:{live.port}"
        async with httpx.AsyncClient(base_url=url, headers=live.ada.headers, timeout=PATIENCE) as client:

            async def begin(number: int) -> None:
                with suppress(httpx.TransportError):
                    await client.post(
                        "/verifications", json={"to": f"+1415555{number:04d}", "channel": "sms"}
                    )

            starts = [asyncio.create_task(begin(number)) for number in numbers]
            await asyncio.wait(starts, return_when=asyncio.FIRST_COMPLETED)
            live.process.kill()
            await asyncio.gather(*starts)

    with serving(**LIMITS) as live:
        for first in range(0, 240, 30):
            asyncio.run(flood(live, range(first, first + 30)))
            live.process.wait(PATIENCE)
            live.process = live._start()
            live.until_up()
        (counts,) = asyncio.run(read(live.database, _HALVES))
    assert len(set(counts.values())) == 1, counts
    assert 8 <= counts["whole"] <= 240
