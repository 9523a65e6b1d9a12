"""`python -m bench.resend`: the door for Resend's clients against `POST /messages`, with the same email, in turns."""

import argparse
import asyncio
import statistics
import time

import asyncpg
import httpx

from tests.support import servers
from tests.support.arguments import integer
from tests.support.live import Live, serving

_DOMAIN = """
INSERT INTO domains (id, owner_id, name, status, token, verified_at)
VALUES (gen_random_uuid(), $1, 'ada.example', 'verified', 'token', now())
"""
FROM, TO, HTML = "Ada <news@ada.example>", "anna@example.com", "<p>Hi Anna</p>" * 100
CALLS = {
    "/messages": {
        "channel": "email",
        "from": FROM,
        "to": TO,
        "body": "Hi Anna",
        "metadata": {"subject": "Hello", "html": HTML},
    },
    "/doors/resend/emails": {"from": FROM, "to": TO, "subject": "Hello", "text": "Hi Anna", "html": HTML},
}
AT_ONCE = 16


async def _round(client: httpx.AsyncClient, path: str, count: int) -> float:
    """Returns the emails a second of one round."""
    left = iter(range(count))

    async def sender() -> None:
        for _ in left:
            (await client.post(path, json=CALLS[path])).raise_for_status()

    begun = time.perf_counter()
    await asyncio.gather(*(sender() for _ in range(AT_ONCE)))
    return count / (time.perf_counter() - begun)


async def _compare(live: Live, rounds: int, count: int) -> None:
    db = await asyncpg.connect(live.database)
    await db.execute(_DOMAIN, live.ada.id)
    await db.execute("UPDATE accounts SET balance = 1000000")
    await db.close()
    rates: dict[str, list[float]] = {path: [] for path in CALLS}
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{live.port}", headers=live.ada.headers, timeout=60
    ) as client:
        for number in range(rounds + 1):
            for path in CALLS:
                rate = await _round(client, path, count)
                if number:  # the first round warms up
                    rates[path].append(rate)
    ratios = [door / own for own, door in zip(*rates.values(), strict=True)]
    for path, each in rates.items():
        print(f"{path}: {statistics.median(each):.0f}/s")
    print(
        f"ratio: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) of {rounds} rounds"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=integer(1, 100), default=5)
    parser.add_argument("--emails", type=integer(1, 10_000), default=300)
    options = parser.parse_args()
    with servers.running(), serving(POSTERN_RESEND="1", POSTERN_LIMIT_MESSAGES="1000000/60") as live:
        live.until_up()
        asyncio.run(_compare(live, options.rounds, options.emails))
