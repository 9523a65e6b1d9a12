"""`python -m bench.templates` compares `POST /messages` by a template with plain ones, over real sockets.

All go to one API process, in turns: messages with a body, messages by a template with `{{ name }}` alone, and messages
by one with Liquid logic, which the render pool fills in. It prints the messages a second of each, and the ratio to the
plain ones, of which we want 0.9 at least for the first kind. Then it reads lists of 1,000 templates with 20 versions
each, and a preview.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import orjson

from bench.gateway import child, login
from bench.load import CONNECTIONS, in_turns, request
from core.installation import ROOT
from core.settings import Settings
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services

PORT = 3913
TEMPLATES, VERSIONS = 1_000, 20
GOAL = 0.9
SMS = {"to": "+14155550100", "channel": "sms"}
_TEXTS = {
    "plain": "Dear {{ name }}, your code is {{ code }}",
    "logic": "Dear {{ name | upcase }}, {{ code }}",
}
_VARIABLES = {"name": "Ada", "code": "424242"}
_MANY = """
WITH t AS (
  INSERT INTO templates (id, owner_id, key, name, version)
  SELECT gen_random_uuid(), $1, 'k' || n, 'Template ' || n, $3 FROM generate_series(1, $2::int) AS n
  RETURNING id, owner_id
), v AS (
  INSERT INTO template_versions (id, owner_id, template_id, number, locales, default_locale, published_at)
  SELECT gen_random_uuid(), t.owner_id, t.id, n, '{en}', 'en', now() FROM t, generate_series(1, $3::int) AS n
  RETURNING id, owner_id
)
INSERT INTO template_texts (version_id, owner_id, locale, text) SELECT id, owner_id, 'en', repeat('x', 2000) FROM v
"""


async def _publish(client: httpx.AsyncClient, key: str) -> str:
    made = (await client.post("/templates", json={"key": key, "name": key})).json()["id"]
    texts = {"texts": [{"locale": "en", "text": _TEXTS[key]}]}
    version = (await client.post(f"/templates/{made}/versions", json=texts)).json()["id"]
    (await client.post(f"/template-versions/{version}/publish")).raise_for_status()
    return str(version)


async def _timed(client: httpx.AsyncClient, method: str, path: str, **options: Any) -> float:
    """Returns the median of the milliseconds that a request takes."""
    times = []
    for _ in range(50):
        begun = time.perf_counter()
        (await client.request(method, path, **options)).raise_for_status()
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


async def _measure(folder: Path, url: str, redis: str, rounds: int, seconds: float) -> None:
    allowlist = folder / "allow.conf"
    allowlist.write_text("127.0.0.0/8\n")
    environment = {
        "DB_STRING": url, "REDIS_URL": redis, "POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32,
        "POSTERN_PORT": str(PORT), "POSTERN_LIMIT_MESSAGES": "1000000000/60", "PYTHONPATH": str(ROOT),
        "IP_ALLOWLIST_FILE": str(allowlist),
    }  # fmt: skip
    settings = Settings(_env_file=None, db_string=url, redis_url=redis, secret_key="s" * 32, jwt_key="j" * 32)
    await prepare(settings)
    async with services(settings) as opened:
        await operator.create_user(opened, "ada@example.com", admin=False, password="bench bench")
    connection = await asyncpg.connect(url)
    await connection.execute("UPDATE accounts SET balance = 100000000")
    owner: UUID = await connection.fetchval("SELECT id FROM users WHERE email = 'ada@example.com'")
    async with child(PORT, "/", environment, "postern", "serve", "--no-worker"):
        headers = {**await login(PORT, "ada@example.com"), "Content-Type": "application/json"}
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{PORT}", headers=headers, timeout=30
        ) as client:
            versions = {key: await _publish(client, key) for key in _TEXTS}
            asked = {"body": {**SMS, "body": "Dear Ada, your code is 424242"}} | {
                key: {**SMS, "templateKey": key, "variables": _VARIABLES} for key in _TEXTS
            }
            ratios: dict[str, list[float]] = {key: [] for key in _TEXTS}
            for number in range(rounds):
                rates = {}
                kinds = [*asked] if number % 2 else [*asked][::-1]
                for kind in kinds:
                    message = request("/messages", headers, orjson.dumps(asked[kind]))
                    answers = await in_turns(PORT, [message] * CONNECTIONS, seconds)
                    rates[kind] = (len(answers.times) - answers.failed) / answers.took
                for key in _TEXTS:
                    ratios[key].append(rates[key] / rates["body"])
                print(", ".join(f"{kind} {rate:,.0f}/s" for kind, rate in sorted(rates.items())))
            for key, each in ratios.items():
                print(
                    f"{key}: {statistics.median(each):.2f} of a message with a body (goal for plain {GOAL:g})"
                )
            await connection.execute(_MANY, owner, TEMPLATES, VERSIONS)
            await connection.execute("ANALYZE templates, template_versions, template_texts")
            print(
                f"list of {TEMPLATES} templates: {await _timed(client, 'GET', '/templates?limit=100'):.1f} ms"
            )
            print(f"list of versions: {await _timed(client, 'GET', '/template-versions?limit=100'):.1f} ms")
            for key, version in versions.items():
                body = {"channel": "sms", "variables": _VARIABLES}
                took = await _timed(client, "POST", f"/template-versions/{version}/preview", json=body)
                print(f"preview of {key}: {took:.1f} ms")
    await connection.close()


async def main(rounds: int, seconds: float) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="postern-bench-") as folder,
        EmbeddedPostgres(Path(folder)) as postgres,
        EmbeddedRedis(Path(folder)) as redis,
    ):
        await _measure(Path(folder), postgres.url, redis.url, rounds, seconds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=4.0)
    chosen = parser.parse_args()
    asyncio.run(main(chosen.rounds, chosen.seconds))
