"""The cost of clicks, on real sockets of one API process, and of emails whose links are counted.

    python -m bench.clicks             a click beside GET /health: processor time of the server, in alternating rounds
    python -m bench.clicks sending     emails with counted links beside the same without, in alternating rounds

Each click is that of another recipient at another address of the network, and is stored; the time of storing it is
part of its cost. A click that is not stored any more (the same again) is measured beside it.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address
from pathlib import Path

import asyncpg

from bench.graphql import processor
from core.ids import uuid7
from engine import unsubscribe
from engine.clicks.links import LINK_KEY, MESSAGE_KEY, link_id
from runtime.services import derived_keys
from tests.support.deployment import Deployment, deployment

_CONNECTIONS = 16
_ROUNDS = 5
_URL = "https://example.com/sale"
_BROWSER = "Mozilla/5.0 (X11; Linux x64; rv:128.0) Gecko/20100101 Firefox/128.0"
_PROJECT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, subject, text, html, track_clicks, content,
  category)
SELECT $1, $2, id, 'clicks', 'email', 'Hi', 'Hello {{ name }}', $3, $4, 1, 'promotional' FROM accounts
WHERE owner_id = $2
"""
_CONTENT = """
INSERT INTO project_contents (project_id, number, content) SELECT id, 1, jsonb_strip_nulls(jsonb_build_object(
  'subject', subject, 'text', text, 'html', html, 'on_missing_variable', 'empty', 'category', category,
  'track_clicks', track_clicks)) FROM sending_projects WHERE id = $1
"""
_RECORDS = """
INSERT INTO message_records (id, project_id, owner_id, channel, "to", status, handed_at, sent_at)
SELECT i.id, $2, $3, 'email', 'p' || place || '@example.com', 'sent', now() - interval '1 hour',
  now() - interval '1 hour' FROM unnest($1::uuid[]) WITH ORDINALITY AS i (id, place)
"""
_STATE = "SELECT status FROM sending_projects WHERE id = $1"


def _request(path: str, address: int) -> bytes:
    sender = IPv4Address(0x0B000000 + address)
    return f"GET {path} HTTP/1.1\r\nHost: bench\r\nUser-Agent: {_BROWSER}\r\nX-Real-IP: {sender}\r\n\r\n".encode()


async def _ask(port: int, requests: Iterable[bytes], status: bytes) -> None:
    """Sends the requests over sixteen connections, and reads each answer."""
    waiting: Iterator[bytes] = iter(requests)

    async def one() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for request in waiting:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 " + status), head
            _, _, rest = head.lower().partition(b"content-length: ")
            await reader.readexactly(int(rest.partition(b"\r\n")[0] or 0))
        writer.close()

    await asyncio.gather(*(one() for _ in range(_CONNECTIONS)))


async def _clicks(it: Deployment, count: int) -> None:
    owner = await it.owner()
    project = uuid7()
    link = link_id(project, _URL)
    db = await asyncpg.connect(it.url)
    await db.execute(_PROJECT, project, owner, f'<a href="{_URL}">x</a>', True)
    await db.execute("INSERT INTO click_links (id, project_id, url) VALUES ($1, $2, $3)", link, project, _URL)
    key, link_key = (derived_keys(it.settings, purpose)[0] for purpose in (MESSAGE_KEY, LINK_KEY))
    end = unsubscribe.token(link_key, link)
    costs: dict[str, list[float]] = {"health": [], "click": [], "again": []}
    stored = 0
    async with it.serving() as (api, port):
        for round in range(_ROUNDS + 1):  # the first one warms up
            messages = [uuid7() for _ in range(count)]
            await db.execute(_RECORDS, messages, project, owner)
            urls = [f"/l/{unsubscribe.token(key, message)}{end}" for message in messages]
            first = round * count
            clicks = [_request(url, first + n) for n, url in enumerate(urls)]
            health = [_request("/health", first + n) for n in range(count)]
            for name, requests, status in (
                ("health", health, b"200"), ("click", clicks, b"302"), ("again", clicks, b"302"),
            ):  # fmt: skip
                before = processor(api.pid)
                await _ask(port, requests, status)
                if name == "click":
                    async with asyncio.timeout(30):
                        while (stored := await db.fetchval("SELECT count(*) FROM clicks")) < first + count:
                            await asyncio.sleep(0.02)
                if round:
                    costs[name].append((processor(api.pid) - before) * 1e6 / count)
    humans = await db.fetchval("SELECT humans FROM click_links WHERE id = $1", link)
    await db.close()
    assert humans == stored == (_ROUNDS + 1) * count, (humans, stored)
    for name, times in costs.items():
        ratios = sorted(mine / of for mine, of in zip(times, costs["health"], strict=True))
        each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        print(
            f"{name:8} {statistics.median(times):6.0f} µs   {statistics.median(ratios):.2f} of health (rounds {each})"
        )
    print(f"{humans} clicks were answered, and all are stored")


async def _send(it: Deployment, worker: int, html: str, count: int, *, tracked: bool) -> tuple[float, float]:
    """Returns the messages a second of a project from its start to its end, and those for a second of the worker's
    processor.
    """
    owner = await it.owner()
    project = uuid7()
    db = await asyncpg.connect(it.url)
    await db.execute(_PROJECT, project, owner, html, tracked)
    await db.execute(_CONTENT, project)
    await db.copy_records_to_table(
        "recipients",
        records=[(uuid7(), project, f"u{n}@example.com", f"Name {n}", "{}") for n in range(count)],
        columns=["id", "project_id", "address", "name", "variables"],
    )
    begun, before = time.perf_counter(), processor(worker)
    await it.start_project(project)
    while await db.fetchval(_STATE, project) != "finished":
        await asyncio.sleep(0.02)
    took, worked = time.perf_counter() - begun, processor(worker) - before
    await db.close()
    return count / took, count / worked


async def _sending(it: Deployment, count: int, links: int) -> None:
    html = "<p>Hello {{ name }}</p>" + "".join(
        f'<p>Something new, for everybody who reads it.</p><a href="https://example.com/{n}">Look</a>'
        for n in range(links)
    )
    rates: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    async with it.workers(1) as (worker,):
        for round in range(_ROUNDS + 1):
            for tracked in (False, True) if round % 2 else (True, False):
                rate = await _send(it, worker.pid, html, count, tracked=tracked)
                if round:
                    rates[tracked].append(rate)
    for at, name in enumerate(("a second", "a second of the worker's processor")):
        ratios = sorted(mine[at] / of[at] for mine, of in zip(rates[True], rates[False], strict=True))
        each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        plain, counted = (statistics.median(rate[at] for rate in rates[tracked]) for tracked in (False, True))
        print(f"{links} links: {plain:,.0f} emails {name}, counted {counted:,.0f}:")
        print(f"  {statistics.median(ratios):.3f} of it (rounds {each}; goal 0.95)")


async def main() -> None:
    parse = argparse.ArgumentParser(prog="python -m bench.clicks")
    parse.add_argument("what", nargs="?", choices=("clicks", "sending"), default="clicks")
    parse.add_argument("--count", type=int, default=5_000)
    parse.add_argument("--links", type=int, default=10)
    arguments = parse.parse_args()
    settings = {"channel_email": "sandbox://?deliver=0"}
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        async with deployment(Path(folder), **settings) as it:
            it.environment["POSTERN_CHANNEL_EMAIL"] = settings["channel_email"]
            it.environment["POSTERN_TRUSTED_PROXIES"] = "127.0.0.0/8"
            if arguments.what == "clicks":
                await _clicks(it, arguments.count)
            else:
                await _sending(it, arguments.count, arguments.links)


if __name__ == "__main__":
    asyncio.run(main())
