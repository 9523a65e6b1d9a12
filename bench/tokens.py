"""`python -m bench.tokens` measures API tokens: how fast they cost to check, and how soon a limit holds elsewhere.

1. Two API processes share a database and Redis. A token is narrowed, or revoked, through the first; the second, whose
   caches know the token and a login that it has opened, is asked until it refuses both.
2. The first process alone is asked with a login, with a token, with a token that has scopes and networks, and with one
   that also has limits of money, in alternating rounds. Each round gives one ratio to the token without limits.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import asyncpg
import httpx

from bench.gateway import child, login
from bench.load import drive
from core.installation import ROOT
from core.settings import Settings
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services

PORTS = (3905, 3906)
SMS = b'{"to":"+15005550080","channel":"sms","body":"Your code is 424242"}'
LONGEST = 5.0  # seconds that a token may go on working; then the measurement gives up
NEAR = ["127.0.0.0/8"]


def _client(port: int, headers: dict[str, str]) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=10)


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}", "x-real-ip": "127.0.0.1"}


async def _token(owner: httpx.AsyncClient, **limits: Any) -> tuple[str, str]:
    made = (await owner.post("/api-tokens", json={"name": "bench", **limits})).raise_for_status().json()
    return made["token"], made["apiToken"]["id"]


async def _refused_after(client: httpx.AsyncClient, credential: str, since: float) -> float:
    """Returns how many seconds after `since` the last answer began that was not a refusal yet; 0: there was none."""
    last = 0.0
    while (began := time.monotonic()) - since < LONGEST:
        answer = await client.get("/messages?limit=1", headers=_bearer(credential))
        if answer.status_code in (401, 403):
            return last
        last = max(last, began - since)
    return LONGEST


async def _ends(owner: httpx.AsyncClient, other: httpx.AsyncClient, times: int) -> None:
    for what in ("narrowed", "revoked"):
        worked: list[float] = []
        for _ in range(times):
            token, id = await _token(owner)
            pair = (await other.post("/auth", json={"token": token})).raise_for_status().json()
            credentials = (token, pair["accessToken"])
            for credential in credentials:  # from now on the second process has it in its caches
                (await other.get("/messages?limit=1", headers=_bearer(credential))).raise_for_status()
            if what == "narrowed":
                await owner.patch(f"/api-tokens/{id}", json={"scopes": ["accounts:read"]})
            else:
                await owner.delete(f"/api-tokens/{id}")
            since = time.monotonic()
            worked += await asyncio.gather(*(_refused_after(other, each, since) for each in credentials))
            await owner.delete(f"/api-tokens/{id}")
        soon = sum(seconds <= 1 for seconds in worked)
        print(
            f"  {what}: {soon} of {len(worked)} refused within 1 s; at most {max(worked) * 1000:.1f} ms,"
            f" median {statistics.median(worked) * 1000:.1f} ms after the answer",
            flush=True,
        )


async def _speed(
    port: int, callers: dict[str, dict[str, str]], path: str, body: bytes | None, rounds: int
) -> None:
    rates: dict[str, list[float]] = {title: [] for title in callers}
    failed = 0
    for number in range(-1, rounds):  # the first one warms up
        for title in callers if number % 2 == 0 else [*callers][::-1]:
            headers = callers[title] | ({} if body is None else {"Content-Type": "application/json"})
            measured = await drive(port, path, headers, 3, body)
            failed += measured.failed
            if number >= 0:
                rates[title].append(measured.per_second)
    base, *others = callers
    for title in others:
        ratios = [mine / plain for mine, plain in zip(rates[title], rates[base], strict=True)]
        print(
            f"  {title:28} {statistics.median(ratios):5.2f} of {base} ({', '.join(f'{each:.2f}' for each in ratios)})"
            + (f", {failed} FAILED" if failed else ""),
            flush=True,
        )


async def _measure(arguments: argparse.Namespace, folder: Path, url: str, redis: str) -> None:
    allowlist = folder / "allow.conf"
    allowlist.write_text("127.0.0.0/8\n")
    environment = {
        "DB_STRING": url, "REDIS_URL": redis, "POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32,
        "POSTERN_LIMIT_MESSAGES": "1000000000/60", "POSTERN_LIMIT_LOGIN": "1000000/60", "PYTHONPATH": str(ROOT),
        "POSTERN_TRUSTED_PROXIES": "127.0.0.1", "IP_ALLOWLIST_FILE": str(allowlist), "IP_ALLOWLIST_MODE": "Enforce",
    }  # fmt: skip
    settings = Settings(_env_file=None, db_string=url, redis_url=redis, secret_key="s" * 32, jwt_key="j" * 32)
    await prepare(settings)
    async with services(settings) as opened:
        user = await operator.create_user(opened, "bench@example.com", admin=False, password="bench bench")
    connection = await asyncpg.connect(url)
    await connection.execute("UPDATE accounts SET balance = 100000000")
    await connection.close()
    async with AsyncExitStack() as stack:
        for port in PORTS:
            await stack.enter_async_context(
                child(port, "/", environment, "postern", "serve", "--no-worker", "--port", str(port))
            )
        mine = await login(PORTS[0], "bench@example.com")
        owner = await stack.enter_async_context(_client(PORTS[0], mine))
        other = await stack.enter_async_context(_client(PORTS[1], {"x-real-ip": "127.0.0.1"}))
        print("A token is changed in one process, and used in another:")
        await _ends(owner, other, arguments.times)
        plain, _ = await _token(owner)
        scopes = ["users:read", "messages:send", "accounts:read"]
        scoped, _ = await _token(owner, scopes=scopes, networks=NEAR)
        payer, _ = await _token(owner, scopes=scopes, networks=NEAR, spendPerDay=100_000_000)
        login_of = (
            (await owner.post("/auth", json={"token": scoped})).raise_for_status().json()["accessToken"]
        )
        logins = {"a login": mine, "a login of a limited token": _bearer(login_of)}
        tokens = {"a token": _bearer(plain), "with scopes and networks": _bearer(scoped)}
        for title, path, body, callers in (
            ("GET /users/{id}, logins", f"/users/{user.id}", None, logins),
            ("GET /users/{id}, tokens", f"/users/{user.id}", None, tokens),
            ("POST /messages, logins", "/messages", SMS, logins),
            ("POST /messages, tokens", "/messages", SMS, tokens | {"with spendPerDay": _bearer(payer)}),
        ):
            print(f"{title}:")
            await _speed(PORTS[0], callers, path, body, arguments.rounds)


async def main(arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as name:
        folder = Path(name)
        with EmbeddedPostgres(folder) as postgres, EmbeddedRedis(folder) as redis:
            await _measure(arguments, folder, postgres.url, redis.url)


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.tokens")
    parse.add_argument(
        "--times", type=int, default=50, help="tokens that are narrowed, and tokens that are revoked"
    )
    parse.add_argument("--rounds", type=int, default=5)
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))
