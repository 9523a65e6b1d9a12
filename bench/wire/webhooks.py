"""Webhooks: events to one HTTP receiver, against a bare aiohttp loop; and how soon a message reaches its webhook.

The messages whose way is timed go from one sandbox account to another, through all that a live account does, and are
reported to the other's webhook.
"""

import asyncio
import statistics
import time
from uuid import UUID

import aiohttp
import asyncpg

from bench.wire.contest import LONGEST, Load, Row, bare, measure, python, rounds
from bench.wire.http import HttpProvider, http_provider
from bench.wire.samples import event
from core.ids import uuid7
from engine.jobs import JobName, enqueue
from engine.messengers import call_client
from engine.webhooks import endpoints, outbox
from engine.webhooks.delivery_loop import WORKERS
from engine.webhooks.outbox import OutboxEvent
from postern import operator
from runtime.services import Services, services
from tests.support.deployment import Deployment

GOAL = 0.8
MESSAGES = 20_000
ONE_BY_ONE = 500  # messages whose way is timed
LOGINS = ("4915112345671", "4915112345672")

_LEFT = "SELECT count(*) FROM webhook_deliveries WHERE state = 'waiting'"
_OFF = "UPDATE webhooks SET enabled = false WHERE account_id = $1"
_BOTH_WORK = """
SELECT count(*) = 2 FROM messenger_accounts AS a JOIN messenger_holds AS h ON h.account_id = a.id
  AND h.expires_at > now()
WHERE a.id = ANY($1::uuid[]) AND a.state = 'working' AND a.checked_at > now() - interval '5 seconds'
"""


async def run(it: Deployment, table: list[Row], count: int, messages: int | None) -> None:
    size = messages or MESSAGES
    async with services(it.settings) as opened:
        async with http_provider(it) as receiver:
            pair = await _accounts(opened, receiver.url)
            words = python("bench.wire.bare_http", receiver.url, str(size), str(WORKERS), "webhook")
            table += await rounds(
                f"webhooks, {WORKERS} at once",
                {"aiohttp": (GOAL, lambda: bare(it, *words))},
                lambda: _deliver(it, opened, pair[1], receiver, size),
                count,
            )
        old = receiver.url
        async with http_provider(it, "--ages") as receiver:
            async with opened.db.reading() as db, db.transaction():
                await endpoints.remove(db, pair[1], old)
                await endpoints.save(db, opened, pair[1], receiver.url, ["message"])
            async with it.workers(1):
                ages = await _chat(opened, pair, receiver)
            alone = await _one_by_one(receiver)
    p50, p99 = (statistics.quantiles(ages, n=100)[part - 1] * 1000 for part in (50, 99))
    print(
        f"  a sandbox message to its webhook: p50 {p50:.1f} ms, p99 {p99:.1f} ms; a bare POST takes {alone:.1f} ms"
    )


async def _deliver(it: Deployment, opened: Services, account: UUID, receiver: HttpProvider, count: int):
    """Delivers events that are stored before the time begins."""
    async with opened.db.reading() as db:
        await endpoints.save(db, opened, account, receiver.url, ["message"])
        for first in range(0, count, 500):
            events = [event(number) for number in range(first, min(first + 500, count))]
            async with db.transaction():
                await outbox.put(
                    db, account, [OutboxEvent("message", event, str(event["thread"])) for event in events]
                )
        await db.execute(_OFF, account)
    await receiver.reset()

    async def start() -> None:
        async with opened.db.reading() as db, db.transaction():
            await endpoints.save(db, opened, account, receiver.url, ["message"])
            await enqueue(db, JobName.deliver_webhooks, account)

    async def finished(db: asyncpg.Connection) -> bool:
        return not await db.fetchval(_LEFT)

    db = await asyncpg.connect(it.url)
    try:
        return await measure(it, db, Load(receiver, count, start, finished))
    finally:
        await db.close()


async def _accounts(opened: Services, url: str) -> tuple[UUID, UUID]:
    """Makes two sandbox accounts, switched on; the second one's messages are reported to `url`."""
    user = await operator.create_user(opened, "bench@example.com", admin=False, password="bench bench")
    pair = (uuid7(), uuid7())
    async with opened.db.reading() as db, db.transaction():
        for id, login in zip(pair, LOGINS, strict=True):
            await db.execute(
                "INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver, wanted)"
                " VALUES ($1, $2, 'telegram', $3, $3, 'sandbox', true)", id, user.id, login,
            )  # fmt: skip
        await endpoints.save(db, opened, pair[1], url, ["message"])
    return pair


async def _chat(opened: Services, pair: tuple[UUID, UUID], receiver: HttpProvider) -> list[float]:
    """Returns the seconds from the call of one account to the other's webhook, of messages one after the other."""

    async def say(number: int) -> None:
        message = {"item": str(uuid7()), "to": f"+{LOGINS[1]}", "text": str(event(number)["text"])}
        await call_client.ask(opened, pair[0], "send", message)

    async with asyncio.timeout(LONGEST):
        while not await opened.db.fetchval(_BOTH_WORK, pair):
            await asyncio.sleep(0.1)
        await asyncio.sleep(2)  # what they do once after their start is done
        for number in range(ONE_BY_ONE):
            await say(number)
            await asyncio.sleep(0.02)
        while (await receiver.received()).messages < ONE_BY_ONE:
            await asyncio.sleep(0.1)
    ages: list[float] = (await receiver.report())["ages"]  # type: ignore[assignment]
    return ages


async def _one_by_one(receiver: HttpProvider) -> float:
    """Returns the milliseconds of a bare POST."""
    async with aiohttp.ClientSession() as session:
        begun = time.perf_counter()
        for number in range(ONE_BY_ONE):
            async with session.post(receiver.url, json=event(number)) as answer:
                await answer.read()
    return (time.perf_counter() - begun) / ONE_BY_ONE * 1000
