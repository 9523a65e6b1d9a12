"""`python -m bench.verifications` compares a start and its check with a plain message, over real sockets.

One API process and one worker, with PostgreSQL (fsync on) and Redis of their own. Rounds of both kinds alternate within
one run, so that what else the machine does meets both. It prints the milliseconds of each kind: from the first request
to the last answer, and to the moment at which the worker has sent everything; and the ratio of both kinds.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import asyncpg

from bench.hook_flood import _login
from core.vault import Vault
from engine.direct.withheld_codes import opened_code
from runtime.services import derived_keys
from tests.support.deployment import Deployment, deployment

_LIMITS = {
    f"POSTERN_LIMIT_{name}": "1000000/1"
    for name in ("MESSAGES", "VERIFICATIONS", "VERIFICATION_ADDRESS", "VERIFICATION_IP")
}
_CODES = "SELECT id, code_encrypted FROM verification_codes"
_WAITING = "SELECT count(*) FROM messages WHERE state IN ('queued', 'sending')"


class Took(NamedTuple):
    """Milliseconds for each message: until the answers, and until everything was sent as well."""

    answered: float
    sent: float


class Contest:
    """Sends rounds of both kinds."""

    def __init__(
        self, it: Deployment, http: aiohttp.ClientSession, db: asyncpg.Connection, size: int
    ) -> None:
        self._vault = Vault(*derived_keys(it.settings, "vault"))
        self._http, self._db, self._size = http, db, size
        self._numbers = iter(range(10_000_000))

    def _to(self) -> str:
        return f"+4915{next(self._numbers):09d}"

    async def _post(self, path: str, body: dict[str, Any]) -> Any:
        async with self._http.post(path, json=body) as answer:
            answer.raise_for_status()
            return await answer.json()

    async def _timed(
        self, at_once: int, work: Callable[[Any], Awaitable[Any]], items: Sequence[Any]
    ) -> float:
        """Returns the seconds of all items, so many at a time."""
        waiting = iter(items)

        async def one_after_another() -> None:
            for item in waiting:
                await work(item)

        begun = time.perf_counter()
        await asyncio.gather(*(one_after_another() for _ in range(at_once)))
        return time.perf_counter() - begun

    async def _sent(self) -> float:
        """Returns the seconds until the worker has sent everything."""
        begun = time.perf_counter()
        while await self._db.fetchval(_WAITING):
            await asyncio.sleep(0.005)
        return time.perf_counter() - begun

    async def messages(self, at_once: int) -> Took:
        """Sends a round of plain messages."""
        bodies = [
            {"to": self._to(), "channel": "sms", "body": "Your code is 123456. Don't share it."}
            for _ in range(self._size)
        ]
        answered = await self._timed(at_once, lambda body: self._post("/messages", body), bodies)
        return self._took(answered, answered + await self._sent())

    async def codes(self, at_once: int) -> Took:
        """Sends a round of codes, and enters them."""
        bodies = [{"to": self._to(), "channel": "sms"} for _ in range(self._size)]
        answered = await self._timed(at_once, lambda body: self._post("/verifications", body), bodies)
        sent = answered + await self._sent()
        rows = await self._db.fetch(_CODES)  # the person reads it, which is no work of ours
        codes = [(row["id"], opened_code(self._vault, row["id"], row["code_encrypted"])) for row in rows]
        assert len(codes) == self._size
        checked = await self._timed(at_once, self._check, codes)
        return self._took(answered + checked, sent + checked)

    async def _check(self, entered: tuple[Any, str]) -> None:
        id, code = entered
        answer = await self._post(f"/verifications/{id}/check", {"code": code})
        assert answer["status"] == "approved"

    def _took(self, answered: float, sent: float) -> Took:
        return Took(1000 * answered / self._size, 1000 * sent / self._size)


async def main(arguments: argparse.Namespace) -> None:
    """Runs the measurement on servers of its own."""
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        async with (
            deployment(Path(folder)) as it,
            it.serving(**_LIMITS) as (_, port),
            it.workers(1, **_LIMITS),
        ):
            db = await asyncpg.connect(it.url)
            bounds = aiohttp.TCPConnector(limit=max(arguments.at_once))
            async with aiohttp.ClientSession(f"http://127.0.0.1:{port}", connector=bounds) as http:
                http.headers.update(await _login(http))
                await db.execute("UPDATE accounts SET balance = 1000000")
                contest = Contest(it, http, db, arguments.size)
                for at_once in arguments.at_once:
                    await contest.messages(at_once)
                    await contest.codes(at_once)  # both are warm
                    rounds = [
                        (await contest.messages(at_once), await contest.codes(at_once))
                        for _ in range(arguments.rounds)
                    ]
                    print(f"{at_once} at once, {arguments.rounds} rounds of {arguments.size}:", flush=True)
                    for name in Took._fields:
                        plain, code = (
                            statistics.median(getattr(pair[kind], name) for pair in rounds) for kind in (0, 1)
                        )
                        ratio = statistics.median(getattr(b, name) / getattr(a, name) for a, b in rounds)
                        print(
                            f"  {name:9} message {plain:6.2f} ms, code {code:6.2f} ms, ratio {ratio:.2f}",
                            flush=True,
                        )
            await db.close()


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.verifications")
    parse.add_argument("--size", type=int, default=200, help="messages of a round")
    parse.add_argument("--rounds", type=int, default=9)
    parse.add_argument("--at-once", type=int, nargs="+", default=[1, 16])
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))
