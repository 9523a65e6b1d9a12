"""A pooler and the server behind it are killed under load: what was accepted is sent, once."""

import asyncio
from pathlib import Path

import aiohttp
import pytest

from postern import operator
from runtime.services import services
from tests.support.deployment import Deployment, deployment
from tests.support.pgbouncer import Pooler, pgbouncer
from tests.support.receiving import receiving
from tests.support.waits import until

pytestmark = pytest.mark.rotating

EMAIL, MAILS, SENDERS = "ada@example.com", 240, 6


async def _submit(port: int, token: str, numbers: list[int], done: list[int]) -> None:
    """Submits a mail for each number, each again with its key until it is accepted."""
    headers = {"Authorization": f"Bearer {token}"}
    async with aiohttp.ClientSession(headers=headers, timeout=aiohttp.ClientTimeout(30)) as session:
        for number in numbers:
            body = {
                "to": f"person{number}@example.net",
                "channel": "email",
                "body": "x",
                "metadata": {"subject": "x"},
            }
            while True:
                try:
                    async with session.post(
                        f"http://127.0.0.1:{port}/messages",
                        json=body,
                        headers={"Idempotency-Key": f"k{number}"},
                    ) as answer:
                        assert answer.status in (202, 503), await answer.text()
                        if answer.status == 202:
                            done.append(number)
                            break
                except (aiohttp.ClientError, TimeoutError):
                    pass
                await asyncio.sleep(0.2)


async def _kill(it: Deployment, pooler: Pooler, done: list[int]) -> None:
    """Kills the pooler, and the server, each twice, at every fifth of the mails."""
    for part, what in enumerate(("pooler", "server", "pooler", "server"), 1):
        await until(lambda bound=part * MAILS // 5: len(done) >= bound)
        if what == "pooler":
            await asyncio.to_thread(pooler.kill)
            await asyncio.sleep(1)
            await asyncio.to_thread(pooler.start)
        else:
            it.postgres.kill()
            await asyncio.to_thread(it.postgres.ensure)


async def test_what_was_accepted_is_sent_once(tmp_path: Path):
    async with receiving(delay=0.02) as server:
        dsn = f"smtp://127.0.0.1:{server.port}?from=news@example.com&starttls=off&pool=8"
        async with deployment(tmp_path, channel_email=dsn) as it:
            async with services(it.settings) as opened:
                await operator.create_user(opened, EMAIL, admin=True, password="a long password of this test")
                await operator.credit(opened, EMAIL, "1000", account_id=None, note="test")
                token = str(await operator.create_token(opened, EMAIL, "test", [], []))
            with pgbouncer(it.url, "transaction", size=3) as pooler:
                it.environment |= {
                    "DB_STRING": pooler.url,
                    "DB_DIRECT_STRING": it.url,
                    "POSTERN_CHANNEL_EMAIL": dsn,
                    "POSTERN_LIMIT_MESSAGES": "1000000/60",
                }
                async with it.serving() as (_, port), it.workers(2):
                    done: list[int] = []
                    numbers = list(range(MAILS))
                    await asyncio.gather(
                        _kill(it, pooler, done),
                        *(_submit(port, token, numbers[sender::SENDERS], done) for sender in range(SENDERS)),
                    )
                    async with services(it.settings) as opened:

                        async def ended() -> bool:
                            return not await opened.db.fetchval(
                                "SELECT count(*) FROM messages WHERE state IN ('queued', 'sending')"
                            )

                        await until(ended)
                        states = dict(
                            await opened.db.fetch("SELECT state, count(*) FROM messages GROUP BY state")
                        )
    assert sum(states.values()) == MAILS, "a repetition with its key is the same message"
    assert set(states) <= {"sent", "unknown"}
    assert max(server.taken.values()) == 1
    assert len(server.taken) >= states["sent"]
    assert states.get("unknown", 0) <= 2 * 2 * 8, "what two workers had in flight when the server died, twice"
