"""`python -m bench.templates` compares messages by a template with plain ones, over real sockets, and times the lists,
the search and the previews of templates.

One API process with PostgreSQL (fsync on) and Redis of their own. Rounds of the kinds alternate within one run, each
time in another order, so that what else the machine does meets all of them; the ratios are medians of the rounds'.
Beside the milliseconds stands the processor time of the API's processes, which other load on the machine changes less.
A ratio of 1 is as fast as a plain message, of the same text.
"""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import aiohttp
import asyncpg
import psutil

from bench.hook_flood import _login
from tests.support.deployment import deployment, end_in_order

_LIMITS = {"POSTERN_LIMIT_MESSAGES": "1000000/1"}
_LONG = " ".join(f"Line {number} of a letter that says something." for number in range(20))
_SIMPLE = f"Dear {{{{ name }}}}, your order {{{{ order }}}} has left. {_LONG}"
_LOGIC = (
    f"Dear {{{{ name | default: 'customer' | capitalize }}}}, {{% if order %}}your order {{{{ order }}}} has left."
    f"{{% endif %}} {_LONG}"
)
_KINDS = ("plain", "simple", "filters")
_TEMPLATES = """
INSERT INTO templates (id, owner_id, key, name, version)
SELECT gen_random_uuid(), $1, 'k' || n, 'Letter ' || n || ' for customers', 20 FROM generate_series(1, $2::int) AS n
"""
_VERSIONS = """
INSERT INTO template_versions (id, owner_id, template_id, number, locales, default_locale, published_at)
SELECT gen_random_uuid(), $1, t.id, v, '{en,pt}', 'en', now() FROM templates AS t CROSS JOIN generate_series(1, 20) AS v
WHERE t.owner_id = $1 AND t.key ~ '^k[0-9]+$'
"""
_TEXTS = """
INSERT INTO template_texts (version_id, owner_id, locale, subject, text)
SELECT v.id, $1, locale, 'Subject ' || v.number, $2 || v.number
FROM template_versions AS v CROSS JOIN unnest(v.locales) AS locale WHERE v.owner_id = $1
ON CONFLICT DO NOTHING
"""


class Took(NamedTuple):
    """Milliseconds of a request: by the clock, and of the API's processes."""

    wall: float
    processor: float


class Bench:
    """Calls the API, and sees what it takes."""

    def __init__(self, http: aiohttp.ClientSession, api: int) -> None:
        self._http, self._api = http, psutil.Process(api)
        self._numbers = iter(range(10_000_000))

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        async with self._http.request(method, path, json=body) as answer:
            assert answer.status < 300, await answer.text()
            return await answer.json()

    async def publish(self, key: str, **fields: Any) -> str:
        """Publishes a template. Returns its id."""
        id = str((await self.call("POST", "/templates", {"key": key, "name": key}))["id"])
        version = (await self.call("POST", f"/templates/{id}/versions", fields))["id"]
        await self.call("POST", f"/template-versions/{version}/publish")
        return id

    def message(self, kind: str) -> dict[str, Any]:
        number = next(self._numbers)
        to = {"channel": "email", "to": f"c{number}@example.com"}
        if kind == "plain":
            body = f"Dear Customer {number}, your order {number} has left. {_LONG}"
            return {**to, "body": body, "metadata": {"subject": f"Order {number}"}}
        return {**to, "templateKey": kind, "variables": {"name": f"Customer {number}", "order": number}}

    async def timed(self, count: int, at_once: int, work: Callable[[], Awaitable[Any]]) -> Took:
        """Returns what each of `count` calls took, so many at a time."""
        left = iter(range(count))

        async def one_after_another() -> None:
            for _ in left:
                await work()

        processor, begun = self._processor(), time.perf_counter()
        await asyncio.gather(*(one_after_another() for _ in range(at_once)))
        wall = time.perf_counter() - begun
        return Took(1000 * wall / count, 1000 * (self._processor() - processor) / count)

    def _processor(self) -> float:
        each = [self._api, *self._api.children(recursive=True)]
        return sum(sum(process.cpu_times()[:2]) for process in each)

    async def round(self, kind: str, size: int, at_once: int) -> Took:
        return await self.timed(size, at_once, lambda: self.call("POST", "/messages", self.message(kind)))


async def _messages(bench: Bench, arguments: argparse.Namespace) -> None:
    await bench.publish("simple", texts=[{"locale": "en", "subject": "Order {{ order }}", "text": _SIMPLE}])
    await bench.publish("filters", texts=[{"locale": "en", "subject": "Order {{ order }}", "text": _LOGIC}])
    for at_once in arguments.at_once:
        rounds: list[dict[str, Took]] = []
        for number in range(arguments.rounds + 1):
            turn = number % len(_KINDS)
            order = (*_KINDS[turn:], *_KINDS[:turn])
            rounds.append({kind: await bench.round(kind, arguments.size, at_once) for kind in order})
        del rounds[0]  # all are warm
        print(f"messages, {at_once} at once, {arguments.rounds} rounds of {arguments.size}:", flush=True)
        for kind in _KINDS:
            wall, processor = (
                statistics.median(getattr(each[kind], name) for each in rounds) for name in Took._fields
            )
            ratios = [
                statistics.median(getattr(each["plain"], name) / getattr(each[kind], name) for each in rounds)
                for name in Took._fields
            ]
            print(
                f"  {kind:8} {wall:6.2f} ms, processor {processor:6.2f} ms;"
                f" rate of the plain one: {ratios[0]:.2f}, by processor time {ratios[1]:.2f}",
                flush=True,
            )


async def _lists(bench: Bench, db: asyncpg.Connection, owner: UUID) -> None:
    await db.execute(_TEMPLATES, owner, 900)
    await db.execute(_VERSIONS, owner)
    await db.execute(_TEXTS, owner, _LONG)
    for row in await db.fetch("SELECT id, key FROM templates WHERE key ~ '^k[0-9]+$' ORDER BY id LIMIT 900"):
        await bench.call(
            "PATCH", f"/templates/{row['id']}", {"name": f"Letter {row['key']}"}
        )  # its words are written
    await db.execute("ANALYZE")
    template = await db.fetchval("SELECT id FROM templates WHERE key = 'k7'")
    query = "{templates(first:20){nodes{key versions(first:20){nodes{number}}} totalCount}}"
    for name, method, path, body in (
        ("GET /health", "GET", "/health", None),
        ("list, 20 templates", "GET", "/templates", None),
        ("list, 100 templates", "GET", "/templates?limit=100", None),
        ("versions of one", "GET", f"/template-versions?templateId={template}&limit=20", None),
        ("search, in one", "GET", "/templates?text=k777", None),
        ("search, in all", "GET", "/templates?text=letter+something", None),
        ("search, in none", "GET", "/templates?text=nowhere", None),
        ("GraphQL, 20 with 20", "POST", "/graphql", {"query": query}),
    ):
        await _each(bench, name, 40, lambda m=method, p=path, b=body: bench.call(m, p, b))  # type: ignore[misc]


async def _previews(bench: Bench) -> None:
    block = "<table><tr><td><a href='https://a.example/{{ name }}'>Read {{ name | upcase }}</a></td></tr></table>\n"
    html = "<h1>{{ name }}</h1>" + block * 200
    await bench.publish("frame", texts=[{"locale": "en", "html": "<html><body>{{ content }}</body></html>"}])
    version = {"texts": [{"locale": "en", "subject": "Hi", "html": html}], "layoutKey": "frame"}
    id = (await bench.call("POST", "/templates", {"key": "long", "name": "Long"}))["id"]
    saved = (await bench.call("POST", f"/templates/{id}/versions", version))["id"]
    body = {"version": version, "preview": {"variables": {"name": "Ann"}}}
    print(f"previews of {len(html) / 1000:.0f} kB of HTML with a layout:")
    await _each(bench, "not saved", 40, lambda: bench.call("POST", f"/templates/{id}/preview", body))
    path = f"/template-versions/{saved}/preview"
    await _each(bench, "draft", 40, lambda: bench.call("POST", path, body["preview"]))
    await bench.call("POST", f"/template-versions/{saved}/publish")
    await _each(bench, "published", 40, lambda: bench.call("POST", path, body["preview"]))


async def _each(bench: Bench, name: str, count: int, work: Callable[[], Awaitable[Any]]) -> None:
    for _ in range(5):
        await work()
    each = [await bench.timed(1, 1, work) for _ in range(count)]
    walls = sorted(took.wall for took in each)
    processor = statistics.fmean(took.processor for took in each)
    print(
        f"  {name:20} {statistics.median(walls):6.2f} ms (best {walls[0]:.2f}), processor {processor:.2f} ms",
        flush=True,
    )


async def main(arguments: argparse.Namespace) -> None:
    """Runs the measurement on servers of its own."""
    end_in_order()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        async with deployment(Path(folder)) as it, it.serving(**_LIMITS) as (api, port):
            db = await asyncpg.connect(it.url)
            bounds = aiohttp.TCPConnector(limit=max(arguments.at_once))
            async with aiohttp.ClientSession(f"http://127.0.0.1:{port}", connector=bounds) as http:
                http.headers.update(await _login(http))
                await db.execute("UPDATE accounts SET balance = 1000000")
                bench = Bench(http, api.pid)
                await _messages(bench, arguments)
                print("1,000 templates with 20 versions of two texts each:")
                await _lists(bench, db, await db.fetchval("SELECT owner_id FROM templates LIMIT 1"))
                await _previews(bench)
            await db.close()
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.templates")
    parse.add_argument("--size", type=int, default=150, help="messages of a round")
    parse.add_argument("--rounds", type=int, default=9)
    parse.add_argument("--at-once", type=int, nargs="+", default=[1, 16])
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))
