"""Workers die while mails wait for their receivers: none is lost or sent twice, and no day's allowance is exceeded."""

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from core.ids import uuid7
from resolvers.receivers import lifting
from tests.faults.world import World, shared_world
from tests.support.receiving import BY_POLICY, Receiving
from tests.support.waits import until

pytestmark = pytest.mark.rotating

EACH = 60
POINTS = ("unit.marked", "unit.sent", "unit.recorded", "unit.closed")
REFUSES, LIMITED, WARMED = "gmail.com", "outlook.com", "yahoo.com"
ALLOWED = 25  # a worker that dies leaves what it had counted unused
WAITS = {"receiver_paused", "receiver_limited", "receiver_refused"}
_RULE = """
INSERT INTO receiver_rules (id, domain, provider_class, in_flight, warm_up_from, warm_up, pauses)
VALUES ($1, 'example.com', $2, $3, CASE WHEN $4::int[] IS NOT NULL THEN now() END, $4, true)
"""


@pytest.fixture
async def it(database: str, tmp_path: Path) -> AsyncIterator[World]:
    async with shared_world(tmp_path, database) as made:
        yield made


async def test_nothing_is_lost_and_nothing_goes_twice(it: World, server: Receiving) -> None:
    server.delay = 0.005
    server.refuses[REFUSES] = BY_POLICY
    db = await asyncpg.connect(it.url)
    for provider, in_flight, warm_up in (
        ("gmail", None, None),
        ("microsoft", 2, None),
        ("yahoo", None, [ALLOWED]),
    ):
        await db.execute(_RULE, uuid7(), provider, in_flight, warm_up)
    people = [f"u{number}@{domain}" for number in range(EACH) for domain in (REFUSES, LIMITED, WARMED)]
    project = await it.make_project(
        await it.owner(), "email", "Hello.", ((address, "A", "{}") for address in people), subject="Hi"
    )
    await it.start_project(project)
    settings = {
        "POSTERN_LEASE_SECONDS": "2",
        "POSTERN_CHANNEL_EMAIL": f"smtp://127.0.0.1:{server.port}?from=news@example.com&starttls=off&pool=4",
    }
    for point in POINTS:
        dying = await it.start_worker("postern", "worker", FAULT_AT=point, **settings)
        assert await asyncio.wait_for(dying.wait(), 120) == -signal.SIGKILL
        await db.execute("UPDATE sending_units SET due_at = now() WHERE due_at > now()")
    await it.start_worker("postern", "worker", **settings)

    async def rows() -> dict[str, tuple[str, str | None]]:
        fetched = await db.fetch(
            'SELECT "to", status, failure_code FROM message_records WHERE project_id = $1', project
        )
        return {row["to"]: (row["status"], row["failure_code"]) for row in fetched}

    async def settled() -> bool:
        """Returns whether the rest waits for a receiver."""
        left = [row for row in (await rows()).values() if row[0] in ("queued", "sending")]
        return (
            {"receiver_paused", "receiver_limited"} <= {code for _, code in left} <= WAITS
            and all(status == "queued" for status, _ in left)
            and server.taken_by(LIMITED) >= EACH - 16
        )

    await until(settled)
    server.refuses.clear()
    async with db.transaction():
        await db.execute("DELETE FROM receiver_pauses")
        await lifting.make_due(db, None)
        # Those that were refused before the pause began wait as after any failure.
        await db.execute(
            "UPDATE sending_units SET due_at = now() + interval '3 s' WHERE due_at < now() + interval '1 h'"
        )

    async def sent() -> bool:
        left = [row for row in (await rows()).values() if row[0] in ("queued", "sending")]
        return {code for _, code in left} == {"receiver_limited"}

    await until(sent)
    states = await rows()
    await db.close()
    assert len(states) == len(people)
    assert max(server.taken.values()) == 1
    assert server.taken_by(WARMED) <= ALLOWED
    assert server.most[LIMITED] <= 2
    assert {status for status, _ in states.values()} <= {"sent", "queued", "unknown"}
    # What a worker had handed over when it died is `unknown`: a mail server drops no second mail.
    assert Counter(status for status, _ in states.values())["unknown"] <= 6 * len(POINTS)
    for address, (status, _) in states.items():
        if status != "unknown":
            assert server.taken[address] == (status == "sent"), (address, status)
