"""`python -m bench.consent_sending` sends a project to subscribers of a topic, and to the same people by a list.

Both have the same addresses and texts, and their recipients are there before the start, so that what differs is the
question for consent: when a batch is read, and in the statement that records the intents. Workers, an HTTP provider
that answers after 20 ms over 32 connections, and alternating rounds. Reading an audience is measured by
`bench.consent`.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
from pathlib import Path
from uuid import UUID

import asyncpg

from bench.wire.contest import Load, Run, describe, measure
from bench.wire.http import Case, HttpProvider, http_provider
from bench.wire.samples import TEXT, recipient
from core.ids import uuid7
from tests.support.deployment import Deployment, deployment

GOAL = 0.97
CASE = Case(20, 32)
_CONTACTS = """
WITH made AS (
  INSERT INTO contacts (id, owner_id, name) SELECT r.id, $1, r.name FROM recipients AS r WHERE project_id = $2
), addresses AS (
  INSERT INTO contact_addresses (id, owner_id, contact_id, channel, address, "primary")
  SELECT gen_random_uuid(), $1, id, 'sms', address, true FROM recipients WHERE project_id = $2
), topic AS (
  INSERT INTO topics (id, owner_id, key, name, category) VALUES ($3, $1, 'news', 'News', 'transactional')
), subscribed AS (
  INSERT INTO topic_subscriptions (id, owner_id, contact_id, topic_id, channel, state)
  SELECT gen_random_uuid(), $1, id, $3, 'sms', 'active' FROM recipients WHERE project_id = $2
), kept AS (
  UPDATE recipients SET contact_id = id WHERE project_id = $2
)
UPDATE sending_projects SET audience = $4::text::jsonb WHERE id = $2
"""
_STATUS = "SELECT status FROM sending_projects WHERE id = $1"


async def _run(it: Deployment, provider: HttpProvider, count: int, *, audience: bool) -> Run:
    owner = await it.owner()
    recipients = (recipient("sms", number) for number in range(count))
    project: UUID = await it.make_project(owner, "sms", TEXT, recipients)
    db = await asyncpg.connect(it.url)
    if audience:
        topic = uuid7()
        await db.execute(_CONTACTS, owner, project, topic, json.dumps({"topicUuids": [str(topic)]}))
    await db.execute("VACUUM ANALYZE")
    await provider.reset()

    async def start() -> None:
        await it.start_project(project)

    async def finished(db: asyncpg.Connection) -> bool:
        return bool(await db.fetchval(_STATUS, project) == "finished")

    channel = {"POSTERN_CHANNEL_SMS": provider.dsn(CASE.connections)}
    run = await measure(it, db, Load(provider, count, start, finished, 1, channel, project))
    await db.close()
    return run


async def main(arguments: argparse.Namespace) -> None:
    """Runs the measurement on servers of its own."""
    runs: dict[bool, list[Run]] = {False: [], True: []}
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        async with (
            deployment(Path(folder)) as it,
            http_provider(it, "--latency", str(CASE.latency)) as provider,
        ):
            for number in range(arguments.rounds):
                for audience in (False, True) if number % 2 == 0 else (True, False):
                    run = await _run(it, provider, arguments.messages, audience=audience)
                    runs[audience].append(run)
                    print(f"  {'a topic' if audience else 'a list':8} {describe(run)}", flush=True)
    pairs = list(zip(runs[True], runs[False], strict=True))
    for what, ratios in (
        ("a second", [mine.finished / other.finished for mine, other in pairs]),
        ("a processor second", [_cost(other) / _cost(mine) for mine, other in pairs]),
    ):
        each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        print(
            f"with consent {statistics.median(ratios):.2f} of the messages {what} (goal {GOAL}; rounds {each})"
        )


def _cost(run: Run) -> float:
    return run.worker + run.postgres


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    asyncio.run(main(parser.parse_args()))
