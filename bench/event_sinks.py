"""`python -m bench.event_sinks [PART]` measures event sinks at a cluster of three servers of NATS on this machine.

`bare`: a sink in turns with a bare loop of nats-py that publishes the same bodies, with as many on their way. `replay`:
a million events again. `owners`: sixteen owners' sinks, alone and beside sinks of others whose broker takes connections
and says nothing. `sending`: a project with a feed, with and without a sink, at a provider that answers after 20 ms;
`--apart`: `postern sinks` publishes, and not the worker that sends.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

from bench.wire.contest import Baseline, Readers, Row, Run, rounds, send_project, table
from bench.wire.http import Case, http_provider
from core.ids import uuid7
from core.settings import Settings
from core.tasks import end
from engine.feed import event_feed
from engine.sinks import endpoints
from engine.sinks.rounds import Publishing
from engine.webhooks.feed import plain
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import Services, open_services
from sinks import subjects
from tests.sinks import made
from tests.support.deployment import deployment, end_in_order
from tests.support.feeds import ALL_EVENTS
from tests.support.nats import Brokers, running
from tests.support.tcp import serving

WINDOW = 256
SENDING_GOAL = 0.97
_OWNER = "INSERT INTO users (id, email, roles) VALUES ($1::uuid, $1 || '@example.com', '{user}')"
# Two events of each message, as they are stored.
_EVENTS = """
INSERT INTO events (owner_id, position, id, type, subject, subject_id, account_id, at, data)
SELECT $1::uuid, $2::bigint + n, gen_random_uuid(), CASE n % 2 WHEN 0 THEN 'message.sent' ELSE 'message.delivered' END,
  'message',
  md5(($2 + n) / 2 || $1::uuid::text)::uuid, $1, now(),
  jsonb_build_object('deliveryState', 'delivered', 'channel', 'sms',
    'to', '+1415' || lpad(n::text, 7, '0'), 'price', '0.0075', 'sentAt', now(), 'body', 'Your code is ' || n)
FROM generate_series(1, $3::bigint) AS n
"""
_READ = f"SELECT * FROM {ALL_EVENTS} WHERE owner_id = $1 AND position > $2 ORDER BY position"


class Bench:
    """A database, a cluster, and owners with sinks of streams of their own."""

    def __init__(self, services: Services, brokers: Brokers) -> None:
        self.services, self.db, self.brokers = services, services.db, brokers

    async def owner(self) -> UUID:
        await self.db.fetch(_OWNER, id := uuid7())
        await event_feed.newest(self.db, id)
        return id

    async def sink(self, owner: UUID, url: str = "") -> UUID:
        """Makes a sink with a stream of its own. Returns its id."""
        id = uuid7()
        return await made.add(
            self.services, owner, url or self.brokers.url, stream=f"S{id}", subject=f"s.{id}.{{type}}"
        )

    async def events(self, owner: UUID, count: int) -> None:
        """Adds events to a feed, without the work of making them happen."""
        begin = await self.db.fetchval(
            "SELECT COALESCE(max(position), 0) FROM events WHERE owner_id = $1", owner
        )
        for first in range(0, count, 100_000):
            await self.db.fetch(_EVENTS, owner, begin + first, min(100_000, count - first))

    async def published(self, sink: UUID, count: int) -> float:
        """Returns when so many events were published, by the steady clock."""
        while True:
            async with self.db.reading() as connection:
                status = (await endpoints.status(connection, [sink]))[sink]
            if status.published >= count and not status.replaying:
                return time.perf_counter()
            await asyncio.sleep(0.02)

    @asynccontextmanager
    async def publishing(self) -> Any:
        """Publishes as a worker does."""
        task = asyncio.create_task(Publishing(self.services).run())
        try:
            yield
        finally:
            await end((task,))

    async def bare(self, bodies: list[tuple[str, str, bytes]]) -> float:
        """Publishes bodies by the library alone. Returns the seconds that it took."""
        async with self.brokers.client() as client:
            api = client.jetstream(timeout=10, publish_async_max_pending=WINDOW)
            name = f"B{uuid7()}"
            await api.add_stream(name=name, subjects=[f"{name}.>"], num_replicas=3, duplicate_window=120)
            begun = time.perf_counter()
            waits = [
                await api.publish_async(f"{name}.{subject}", body, headers={"Nats-Msg-Id": id})
                for subject, id, body in bodies
            ]
            await asyncio.gather(*waits)
            return time.perf_counter() - begun


async def against_bare(it: Bench, count: int, events: int) -> None:
    """Compares a sink with a bare loop, in turns."""
    ratios = []
    for number in range(count):
        owner = await it.owner()
        sink = await it.sink(owner)
        await it.events(owner, events)
        rows = await it.db.fetch(_READ, owner, 0)
        published = [event_feed.event_of(row, 1) for row in rows]
        bodies = [
            (subjects.render("{type}", owner, event.type, ""), str(event.id), plain(event))
            for event in published
        ]
        size = statistics.mean(len(body) for _, _, body in bodies)

        async def ours(sink: UUID = sink) -> float:
            begun = time.perf_counter()
            async with it.publishing():
                return await it.published(sink, events) - begun

        legs: list[Callable[[], Awaitable[float]]] = [ours, lambda bodies=bodies: it.bare(bodies)]  # type: ignore[misc]
        first = number % 2
        seconds = {first: await legs[first](), 1 - first: await legs[1 - first]()}
        ratios.append(seconds[1] / seconds[0])
        print(
            f"  round {number + 1}: sink {events / seconds[0]:9,.0f}/s, bare {events / seconds[1]:9,.0f}/s,"
            f" ratio {ratios[-1]:.2f}; bodies of {size:.0f} bytes",
            flush=True,
        )
    print(f"  median {statistics.median(ratios):.2f} of a bare loop (goal 0.4)")


async def replayed(it: Bench, events: int) -> None:
    """Measures a replay."""
    owner = await it.owner()
    sink = await it.sink(owner)
    await it.events(owner, events)
    await it.db.fetch(
        "UPDATE event_sink_cursors SET position = $2 WHERE sink_id = $1", sink, events
    )  # as if published
    async with it.db.transaction() as connection:
        assert await endpoints.replay(connection, sink) == events
    begun = time.perf_counter()
    async with it.publishing():
        seconds = await it.published(sink, events) - begun
    print(f"  a replay of {events:,} events took {seconds:.1f} s, {events / seconds:,.0f}/s", flush=True)


async def sixteen(it: Bench, events: int) -> None:
    """Measures sixteen owners' sinks, alone and beside hostile ones."""

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(3600)

    async def leg(title: str) -> None:
        owners = [await it.owner() for _ in range(16)]
        sinks = [await it.sink(owner) for owner in owners]
        for owner in owners:
            await it.events(owner, events)
        begun = time.perf_counter()
        async with it.publishing():
            ends = await asyncio.gather(*(it.published(sink, events) for sink in sinks))
            seconds = [ended - begun for ended in ends]
            late = []
            for _ in range(5):  # of one event, where nothing else is to be published
                await it.events(owners[0], 1)
                began = time.perf_counter()
                events_before = events + len(late) + 1
                late.append(await it.published(sinks[0], events_before) - began)
        print(
            f"  {title}: all in {max(seconds):.1f} s, {16 * events / max(seconds):,.0f}/s; the first was done after"
            f" {min(seconds):.1f} s; a single event later took {statistics.median(late) * 1000:.0f} ms",
            flush=True,
        )

    await leg("16 owners")
    async with serving(say_nothing) as port:
        for _ in range(4):
            hostile = await it.owner()
            for _ in range(endpoints.MOST):
                await it.sink(hostile, f"nats://127.0.0.1:{port}")
            await it.events(hostile, 100)
        await leg("16 owners beside 40 silent sinks")


async def sending(count: int, messages: int, *, apart: bool) -> None:
    """Measures a project with a feed, with and without a sink."""
    end_in_order()
    rows: list[Row] = []
    case = Case(20, 32)
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as name:
        folder = Path(name)
        async with (
            running(folder, 3) as brokers,
            deployment(folder, outbound_allow=["127.0.0.0/8"]) as it,
            http_provider(it, "--latency", str(case.latency)) as provider,
        ):
            it.environment["POSTERN_OUTBOUND_ALLOW"] = "127.0.0.0/8"
            dsn = provider.dsn(case.connections)

            async def without() -> Baseline:
                run = await send_project(it, provider, "sms", dsn, messages, readers=Readers(feed=True))
                return Baseline(run.finished, run.worker)

            async def with_sink() -> Run:
                readers = Readers(feed=True, sink=brokers.url)
                if not apart:
                    return await send_project(it, provider, "sms", dsn, messages, readers=readers)
                publishing = await it.spawn("postern", "sinks", "--child")
                try:
                    return await send_project(it, provider, "sms", dsn, messages, readers=readers)
                finally:
                    await it.stop(publishing)

            rows += await rounds(
                "event sink", {"a feed without a sink": (SENDING_GOAL, without)}, with_sink, count
            )
    table(rows)


async def main(arguments: argparse.Namespace) -> None:
    """Runs the parts on servers of their own."""
    if arguments.part == "sending":
        await sending(arguments.rounds, arguments.messages, apart=arguments.apart)
        return
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as name:
        folder = Path(name)
        with EmbeddedPostgres(folder) as postgres, EmbeddedRedis(folder) as redis:
            settings = Settings(
                _env_file=None, db_string=postgres.url, redis_url=redis.url, secret_key="s" * 32, jwt_key="j" * 32,
                data_dir=folder / "data", outbound_allow=["127.0.0.0/8"],
            )  # fmt: skip
            await prepare(settings)
            services = open_services(settings)
            try:
                async with running(folder, 3) as brokers:
                    it = Bench(services, brokers)
                    if arguments.part in ("bare", "all"):
                        await against_bare(it, arguments.rounds, arguments.events)
                    if arguments.part in ("owners", "all"):
                        await sixteen(it, arguments.events // 16)
                    if arguments.part in ("replay", "all"):
                        await replayed(it, arguments.replay)
            finally:
                await services.close()


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.event_sinks")
    parse.add_argument(
        "part", nargs="?", choices=("bare", "owners", "replay", "sending", "all"), default="all"
    )
    parse.add_argument("--rounds", type=int, default=3)
    parse.add_argument("--events", type=int, default=50_000)
    parse.add_argument("--replay", type=int, default=1_000_000)
    parse.add_argument("--messages", type=int, default=10_000, help="of a project")
    parse.add_argument("--apart", action="store_true", help="`sending`: `postern sinks` publishes")
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))
