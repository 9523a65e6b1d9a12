"""Stores the events of a stream in an SQLite table, and goes on where it was after a crash: `consume_events.py FILE`."""

import asyncio
import json
import os
import sqlite3
import sys

import nats
import nats.errors


async def main() -> None:
    db = sqlite3.connect(sys.argv[1])
    db.execute("CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, type TEXT, at TEXT, data TEXT)")
    connection = await nats.connect(os.environ["NATS_URL"].split(","), max_reconnect_attempts=-1)
    consumer = await connection.jetstream().pull_subscribe_bind("warehouse", "POSTERN")
    while True:
        try:
            messages = await consumer.fetch(500, timeout=5)
        except nats.errors.TimeoutError:
            continue  # there is nothing new
        except nats.errors.Error:  # the cluster is away, or elects a leader
            await asyncio.sleep(1)
            continue
        events = [json.loads(message.data) for message in messages]
        rows = [(event["id"], event["type"], event["at"], json.dumps(event["data"])) for event in events]
        with db:  # an event that comes twice has the same id
            db.executemany("INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?)", rows)
        await asyncio.gather(*(message.ack() for message in messages))  # when they are stored


asyncio.run(main())
