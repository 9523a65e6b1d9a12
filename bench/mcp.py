"""`python -m bench.mcp [NAME …]` measures reads by the door for agents against the same reads by REST.

One API process serves both, so they share its database, its Redis and its processor. They are asked alternately, in
rounds, and each round gives one ratio. The processor's time a request is printed too, because it depends less on what
else the machine does. A page has 20 rows; that of MCP has the fields that a model needs, and is text within JSON.
"""

import argparse
import asyncio
import re
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import orjson

from bench import contest
from bench.gateway import login
from bench.graphql import Contestant, Unfair, own_servers, processor, serving
from bench.load import Answers, in_turns, request
from core.ids import uuid7
from core.installation import ROOT
from core.settings import Settings
from postern import operator
from postern.process import prepare
from runtime.services import services

PORT = 3934
GOAL = 0.9
LEVELS = (1, 8, 32)
REVISION = "2026-07-28"
_META = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
_CONTACTS = """
INSERT INTO contacts (id, owner_id, name)
SELECT gen_random_uuid(), $1, 'Contact ' || n FROM generate_series(1, 200) AS n
"""


@dataclass(frozen=True)
class Read:
    """A read by both doors. `{message}` and `{project}` are filled in."""

    tool: str
    arguments: dict[str, Any]
    path: str


READS = (
    Read("who_am_i", {}, "/auth/me"),
    Read("get_message", {"id": "{message}"}, "/messages/{message}"),
    Read("list_messages", {}, "/messages?limit=20"),
    Read("list_accounts", {}, "/accounts?limit=20"),
    Read("find_contacts", {}, "/contacts?limit=20"),
    Read("get_project", {"id": "{project}"}, "/sending-project/{project}"),
    Read("list_projects", {}, "/sending-project/list?limit=20"),
)


def _bytes(read: Read, headers: dict[str, str], ids: dict[str, str]) -> tuple[bytes, bytes]:
    """Returns the requests of MCP and of REST."""
    path = read.path.format(**ids)
    arguments = {name: value.format(**ids) for name, value in read.arguments.items()}
    params = {"name": read.tool, "arguments": arguments, "_meta": _META}
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    names = {
        "content-type": "application/json", "accept": "application/json, text/event-stream",
        "mcp-protocol-version": REVISION, "mcp-method": "tools/call", "mcp-name": read.tool,
    }  # fmt: skip
    return request("/mcp", {**headers, **names}, body), request(path, headers)


async def _check(raw: bytes, what: str) -> None:
    """Raises Unfair unless a request is answered by what was asked for."""
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    writer.write(raw)
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(re.search(rb"content-length: (\d+)", head, re.IGNORECASE)[1])  # type: ignore[index]
    body = await reader.readexactly(length)
    writer.close()
    if not head.startswith(b"HTTP/1.1 200") or b'"isError":true' in body or b'"error":' in body:
        raise Unfair(f"{what}: {head[:100]!r} {body[:500]!r}")


async def _compare(
    server: Contestant, read: Read, ids: dict[str, str], level: int, arguments: argparse.Namespace
) -> tuple[float, float]:
    """Prints the ratios of a read with so many connections: of the rates, and of the processor's time. Returns them."""
    both = _bytes(read, server.headers, ids)
    for raw in both:
        await _check(raw, read.tool)
        await in_turns(PORT, [raw] * level, arguments.seconds / 2)
    rates: list[list[float]] = [[], []]
    work: list[list[float]] = [[], []]
    failed = 0
    for number in range(arguments.rounds):
        for which in (0, 1) if number % 2 == 0 else (1, 0):
            before = processor(server.pid)
            answers: Answers = await in_turns(PORT, [both[which]] * level, arguments.seconds)
            failed += answers.failed
            rates[which].append(len(answers.times) / answers.took)
            work[which].append((processor(server.pid) - before) * 1e6 / max(1, len(answers.times)))
    ratios = [mine / other for mine, other in zip(*rates, strict=True)]
    ratio = statistics.median(ratios)
    less = statistics.mean(work[1]) / statistics.mean(work[0])
    print(
        f"  {read.tool:14} {level:3} at once {ratio:5.2f} of REST's rate"
        f" ({', '.join(f'{each:.2f}' for each in ratios)})"
        f"   {statistics.median(rates[0]):6,.0f}/s and {statistics.median(rates[1]):6,.0f}/s,"
        f" {statistics.mean(work[0]):5,.0f} and {statistics.mean(work[1]):5,.0f} µs of the processor ({less:.2f})"
        + (f", {failed} FAILED" if failed else ""),
        flush=True,
    )
    return ratio, less


async def _fill(url: str, owner: UUID, other: UUID) -> dict[str, str]:
    message = await contest.fill(url, owner, other)
    connection = await asyncpg.connect(url)
    await connection.execute(_CONTACTS, owner)
    await connection.execute(
        'INSERT INTO contact_addresses (id, owner_id, contact_id, channel, address, "primary")'
        " SELECT gen_random_uuid(), owner_id, id, 'sms', '+1415' || (5550000 + row_number() OVER ()), true"
        " FROM contacts"
    )
    project = await connection.fetchval("SELECT id FROM sending_projects WHERE owner_id = $1 LIMIT 1", owner)
    await connection.execute("VACUUM ANALYZE")
    await connection.close()
    return {"message": str(message), "project": str(project)}


async def _measure(arguments: argparse.Namespace, folder: Path, url: str, redis: str) -> None:
    environment = {
        "DB_STRING": url, "REDIS_URL": redis, "POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32,
        "POSTERN_ACCESS_TOKEN_SECONDS": "86400", "POSTERN_MCP": "1", "POSTERN_DATA_DIR": str(folder),
        "IP_ALLOWLIST_FILE": str(folder / "allow.conf"), "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    settings = Settings(_env_file=None, db_string=url, redis_url=redis, secret_key="s" * 32, jwt_key="j" * 32)
    await prepare(settings)
    async with services(settings) as opened:
        owner, other = [
            (await operator.create_user(opened, f"{who}@example.com", admin=False, password="bench bench")).id
            for who in ("bench", "other")
        ]
    ids = await _fill(url, owner, other)
    command = (sys.executable, "-m", "postern", "serve", "--no-worker", "--port", str(PORT))
    server = Contestant("api", "API", PORT, command, environment)
    async with serving(server, folder):
        headers = await login(PORT, "bench@example.com")
        made = httpx.post(
            f"http://127.0.0.1:{PORT}/api-tokens", headers=headers, json={"name": f"bench {uuid7()}"}
        )
        server.headers = {"authorization": f"Bearer {made.json()['token']}"}
        ratios = [
            await _compare(server, read, ids, level, arguments)
            for read in READS
            if read.tool in (arguments.names or [each.tool for each in READS])
            for level in arguments.levels
        ]
    rate, work = (statistics.geometric_mean(each) for each in zip(*ratios, strict=True))
    print(
        f"All reads: {rate:.2f} of REST's rate (goal {GOAL}), {work:.2f} by the processor's time (geometric means)"
    )


async def main(arguments: argparse.Namespace) -> None:
    with own_servers() as (folder, url, redis):
        await _measure(arguments, folder, url, redis)


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.mcp")
    parse.add_argument("names", nargs="*", metavar="NAME", help="of tools; default: all")
    parse.add_argument("--seconds", type=float, default=0.4, help="of load, for each door in each round")
    parse.add_argument("--rounds", type=int, default=5)
    parse.add_argument("--levels", type=int, nargs="*", default=LEVELS, help="connections at once")
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))
