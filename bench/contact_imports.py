"""`python -m bench.contact_imports` measures how fast lists become contacts, beside lists of recipients.

Each row has an external id, a name, two addresses and three fields. The same file is imported in turns as recipients
and as contacts: of an owner without a feed of events, and of one who has one. `--rows` sets the number.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import UUID

import orjson

from core.ids import uuid7
from core.settings import Settings
from engine import imports
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import Services, open_services

_OWNER = "INSERT INTO users (id, email, roles) VALUES ($1::uuid, $1 || '@example.com', '{user}')"
_FEED = "INSERT INTO event_feeds (owner_id) VALUES ($1)"
_IMPORT = """
INSERT INTO recipient_imports (id, owner_id, file_uuid, region, options, contacts)
VALUES ($1, $2, $3, 'US', $4::text::jsonb, $5::text::jsonb)
"""
_NOTHING = '{"mapping": {}, "created": 0, "changed": 0, "unchanged": 0}'
_KINDS = ("recipients", "contacts", "contacts, with a feed")


def _write(path: Path, rows: int, salt: int) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("id;name;email;phone;city;birthday;points\n")
        for n in range(rows):
            phone = f"+1415{salt:01}{n:06}"
            file.write(
                f"c{salt}-{n};Person {n};p{salt}.{n}@example.com;{phone};City {n % 2000};1990-02-{n % 28 + 1:02};{n}\n"
            )


async def _import(services: Services, owner: UUID, path: Path, kind: str) -> float:
    """Imports the file as a worker does. Returns the seconds that it took."""
    id, file = uuid7(), uuid7()

    async def chunks() -> Any:
        with path.open("rb") as source:
            while piece := source.read(1024 * 1024):
                yield piece

    await services.files.put(file, chunks())
    into_contacts = kind != "recipients"
    options = {"contacts": {"mapping": None, "createFields": True}} if into_contacts else {}
    progress = _NOTHING if into_contacts else None
    await services.db.fetch(_IMPORT, id, owner, file, orjson.dumps(options).decode(), progress)
    began = time.perf_counter()
    await imports.read(services, id)
    took = time.perf_counter() - began
    row = await services.db.fetchrow("SELECT status, status_reason FROM recipient_imports WHERE id = $1", id)
    assert row["status"] == "ready", row["status_reason"]
    await services.files.delete(file)
    return took


async def _rounds(services: Services, folder: Path, arguments: argparse.Namespace) -> None:
    spent: dict[str, list[float]] = {kind: [] for kind in _KINDS}
    for turn in range(arguments.rounds):
        path = folder / "list.csv"
        _write(path, arguments.rows, turn)
        for kind in _KINDS[turn % 3 :] + _KINDS[: turn % 3]:
            owner = uuid7()  # a new one each time: its tables are as empty as those of the others
            await services.db.fetch(_OWNER, owner)
            if kind == _KINDS[2]:
                await services.db.fetch(_FEED, owner)
            spent[kind].append(await _import(services, owner, path, kind))
            print(f"round {turn + 1}: {kind:22} {arguments.rows / spent[kind][-1]:9,.0f} rows/s", flush=True)
    for kind, seconds in spent.items():
        print(
            f"{kind:22} {arguments.rows / statistics.median(seconds):9,.0f} rows/s, median of {len(seconds)}"
        )


async def _measure(arguments: argparse.Namespace, folder: Path, url: str, redis: str) -> None:
    settings = Settings(
        _env_file=None,
        db_string=url,
        redis_url=redis,
        secret_key="s" * 32,
        jwt_key="j" * 32,
        data_dir=folder / "data",
    )
    await prepare(settings)
    services = open_services(settings)
    try:
        await _rounds(services, folder, arguments)
    finally:
        await services.close()


async def main(arguments: argparse.Namespace) -> None:
    """Runs the measurement on servers of its own."""
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as name:
        folder = Path(name)
        with EmbeddedPostgres(folder) as postgres, EmbeddedRedis(folder) as redis:
            await _measure(arguments, folder, postgres.url, redis.url)


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.contact_imports")
    parse.add_argument("--rows", type=int, default=200_000)
    parse.add_argument("--rounds", type=int, default=3)
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))
