"""Events as they happen: subscriptions, and programs that follow a feed, through kills of the service."""

import asyncio
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

import aiohttp
import asyncpg
import pytest

from core.installation import ROOT
from engine.feed import event_feed, event_watch, rounds
from engine.feed.event_watch import watch_of
from runtime.services import Services
from tests.event_feed.test_event_feed import SMS, opened, read
from tests.support.examples import examples
from tests.support.live import Live, serving
from tests.support.people import Person
from tests.support.sockets import PROTOCOL, live
from tests.support.waits import PATIENCE, eventually, until

pytestmark = pytest.mark.servers

EVENTS = "subscription($a:String,$t:[String!]){events(after:$a,types:$t){uuid cursor type data}}"
_BLOCK = "INSERT INTO blocked_phones (id, owner_id, phone) VALUES (gen_random_uuid(), $1, $2)"


async def emitted(socket: Any) -> dict[str, Any]:
    answer = await socket.next()
    assert "errors" not in answer, answer
    event: dict[str, Any] = answer["data"]["events"]
    return event


async def test_events_are_told_as_they_happen_and_from_a_cursor_on(app: Any, ada: Person):
    await ada.rest("PUT", "/events/feed")
    await ada.rest("POST", "/block/+14155550100")  # before the subscription
    async with live(app, f"Bearer {ada.token}") as socket:
        await socket.subscribe(EVENTS)
        await asyncio.sleep(
            1.0
        )  # there is no sign of a subscription that has begun, and a busy machine takes a while
        await ada.rest("POST", "/block/+14155550101")
        first = await emitted(socket)
        assert first["data"]["phone"] == "+14155550101"
        await ada.rest("POST", "/messages", json={**SMS, "to": "+14155550199"})
        assert (await emitted(socket))["type"] == "message.queued"
    await ada.rest("POST", "/block/+14155550102")  # while nobody listens
    async with live(app, f"Bearer {ada.token}") as socket:
        await socket.subscribe(EVENTS, {"a": first["cursor"], "t": ["block.added"]})
        assert (await emitted(socket))["data"]["phone"] == "+14155550102"
        await ada.rest("POST", "/block/+14155550103")
        assert (await emitted(socket))["data"]["phone"] == "+14155550103"


async def test_a_reader_of_the_feed_takes_nothing_from_a_subscriber(app: Any, ada: Person):
    cursor = await opened(ada)
    async with live(app, f"Bearer {ada.token}") as socket:
        await socket.subscribe(EVENTS, {"a": cursor})
        for number in range(10):
            await ada.rest("POST", f"/block/+141555501{number:02}")
            await read(ada, cursor)  # gives the event its position
            assert (await emitted(socket))["data"]["phone"] == f"+141555501{number:02}"


@pytest.mark.parametrize(
    ("variables", "code"),
    [({"a": "nonsense"}, "bad_cursor"), ({"t": ["message.exploded"]}, "unknown_event_type")],
)
async def test_bad_subscriptions_are_refused(variables: Any, code: str, app: Any, ada: Person):
    async with live(app, f"Bearer {ada.token}") as socket:
        await socket.subscribe(EVENTS, variables)
        (error,) = (await socket.next())["errors"]
        assert error["extensions"]["code"] == code


async def test_a_subscriber_that_is_too_slow_hears_that_events_are_gone(
    app: Any, ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    cursor = await opened(ada)
    async with live(app, f"Bearer {ada.token}") as socket:
        await socket.subscribe(EVENTS, {"a": cursor})
        await ada.rest("POST", "/block/+14155550100")
        await emitted(socket)
        async with services.db.transaction() as db:  # nobody can read the feed meanwhile
            await event_feed.lock(db, ada.id)
            await db.execute(_BLOCK, ada.id, "+1 pruned")
            feed = await event_feed.lock(db, ada.id)
            assert feed is not None
            await event_feed.store_positions(db, feed)
            await db.execute("DELETE FROM events WHERE owner_id = $1", ada.id)
            await db.execute(
                "UPDATE event_feeds SET pruned_position = last_position WHERE owner_id = $1", ada.id
            )
        (error,) = (await socket.next())["errors"]
        assert error["extensions"]["code"] == "cursor_expired"


@pytest.mark.parametrize("ended_by", ["the owner", "nobody reads it"])
async def test_a_subscriber_hears_that_the_recording_has_ended(
    ended_by: str, app: Any, ada: Person, services: Services
):
    async with live(app, f"Bearer {ada.token}") as socket:
        await socket.subscribe(EVENTS, {"a": await opened(ada)})
        # A first read that comes after the end would begin to record again, as for each cursor that has expired.
        await until(lambda: watch_of(services)._followers[ada.id])
        if ended_by == "the owner":
            await ada.rest("DELETE", "/events/feed")
        else:
            await services.db.fetch("UPDATE event_feeds SET used_at = now() - interval '31 days'")
            await rounds.maintain(services)
        (error,) = (await socket.next())["errors"]
        assert error["extensions"]["code"] == "cursor_expired"
    assert not (await ada.data("{eventFeed{recording}}"))["eventFeed"]["recording"]


async def test_a_follower_keeps_the_feed_in_use(app: Any, ada: Person, services: Services):
    async with live(app, f"Bearer {ada.token}") as socket:
        start = await opened(ada)
        await services.db.fetch("UPDATE event_feeds SET used_at = now() - interval '31 days'")
        await socket.subscribe(EVENTS, {"a": start})
        used = "SELECT used_at > now() - interval '1 hour' FROM event_feeds"
        await until(lambda: services.db.fetchval(used))


async def test_a_follower_does_not_make_the_others_look_all_the_time(ada: Person, services: Services):
    """One waits at the newest position; others come with older and newer ones."""
    await opened(ada)
    watch = watch_of(services)
    for _ in range(3):
        await ada.rest("POST", f"/block/+1415555{random.randint(1000, 9999)}")
        await read(ada)
    newest = await services.db.fetchval("SELECT max(position) FROM events")
    waiting = asyncio.create_task(watch.wait(ada.id, newest))
    await asyncio.sleep(3 * event_watch.STEP)
    await asyncio.wait_for(watch.wait(ada.id, newest - 1), PATIENCE)  # at once: there is one
    ahead = asyncio.create_task(watch.wait(ada.id, newest + 1))  # a position that it has read meanwhile
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not ahead.done()
    await asyncio.wait_for(
        ahead, PATIENCE
    )  # a look that began after that has seen less: as after a restored backup
    assert not waiting.done()
    await ada.rest("POST", "/block/+14155550001")
    await asyncio.wait_for(waiting, PATIENCE)


@pytest.fixture
def service() -> Iterator[Live]:
    with serving() as made:
        yield made


async def write(service: Live, count: int, done: list[str]) -> None:
    """Blocks phones in transactions that take different times and overlap."""
    pool = await asyncpg.create_pool(service.database, min_size=4, max_size=4)

    async def one(number: int) -> None:
        async with pool.acquire() as db, db.transaction():
            await db.execute(_BLOCK, service.ada.id, f"+{number}")
            await asyncio.sleep(random.random() * 0.03)
        done.append(f"+{number}")

    for begin in range(0, count, 8):
        await asyncio.gather(*(one(number) for number in range(begin, min(begin + 8, count))))
        await asyncio.sleep(0.01)
    await pool.close()


async def follow(service: Live, cursor: str | None) -> AsyncIterator[dict[str, Any]]:
    """A client that connects again with the cursor of the last event, whatever happens."""
    url = f"http://127.0.0.1:{service.port}/graphql"
    async with aiohttp.ClientSession() as session:
        while True:
            with suppress(aiohttp.ClientError, ConnectionError, EOFError):
                async with session.ws_connect(url, protocols=[PROTOCOL]) as socket:
                    token = f"Bearer {service.ada.token}"
                    await socket.send_json({"type": "connection_init", "payload": {"Authorization": token}})
                    payload = {"query": EVENTS, "variables": {"a": cursor}}
                    async for message in socket:
                        body = json.loads(message.data)
                        if body["type"] == "connection_ack":
                            await socket.send_json({"type": "subscribe", "id": "1", "payload": payload})
                        elif body["type"] == "next":
                            cursor = body["payload"]["data"]["events"]["cursor"]
                            yield body["payload"]["data"]["events"]
                        else:
                            assert body["type"] == "ping", body
            await asyncio.sleep(0.02)


async def test_a_client_misses_nothing_and_hears_nothing_twice_through_kills(service: Live):
    """The number of kills is `examples(5)`: EXAMPLES=4 makes twenty."""
    kills = examples(5)
    answer = await asyncio.to_thread(service.client.get, "/events", headers=service.ada.headers)
    phones: list[str] = []
    done: list[str] = []

    async def listen() -> None:
        async with aclosing(follow(service, answer.json()["next"])) as events:
            async for event in events:
                phones.append(event["data"]["phone"])  # noqa: PERF401  the list is read meanwhile

    listening = asyncio.create_task(listen())
    writing = asyncio.create_task(write(service, 120 * kills, done))
    for _ in range(kills):
        await asyncio.sleep(0.3 + random.random() * 0.7)
        await asyncio.to_thread(service.kill)
    await writing
    try:
        async with asyncio.timeout(PATIENCE):
            while len(phones) < len(done):
                await asyncio.sleep(0.05)
    finally:
        listening.cancel()
    assert sorted(phones) == sorted(done)
    assert len(done) == 120 * kills


def test_the_program_of_the_docs_can_be_killed_at_any_moment(service: Live, tmp_path: Path):
    file = tmp_path / "events.sqlite"
    words = [sys.executable, str(ROOT / "docs/examples/follow_events.py"), str(file)]
    token = service.ada.token
    environment = {**os.environ, "URL": f"http://127.0.0.1:{service.port}", "TOKEN": token}

    def stored() -> list[str]:
        with suppress(sqlite3.OperationalError):
            db = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
            return [
                json.loads(data)["phone"] for (data,) in db.execute("SELECT data FROM events ORDER BY rowid")
            ]
        return []

    service.client.get("/events", headers=service.ada.headers)  # begins the recording
    done: list[str] = []
    program = subprocess.Popen(words, env=environment)
    try:
        for _ in range(4):
            asyncio.run(write(service, 100, []))
            asyncio.run(_unblock(service, done))
            program.send_signal(signal.SIGKILL)
            program.wait()
            program = subprocess.Popen(words, env=environment)
        service.kill()
        eventually(lambda: len(stored()) >= len(done), "the program has everything", 0.1)
    finally:
        program.kill()
        program.wait()
    assert sorted(stored()) == sorted(done)


async def _unblock(service: Live, done: list[str]) -> None:
    """Removes all blocks; `done` gets both events of each."""
    db = await asyncpg.connect(service.database)
    gone = await db.fetch("DELETE FROM blocked_phones WHERE owner_id = $1 RETURNING phone", service.ada.id)
    done += [row["phone"] for row in gone for _ in range(2)]
    await db.close()
