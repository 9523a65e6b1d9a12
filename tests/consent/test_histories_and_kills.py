"""Random histories of consent go on while a project for their topics is sent, whose workers die again and again.

`EXAMPLES=10000` makes so many histories; a usual run makes a hundred. The database's clock tells when each step was
asked for and answered.
"""

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.rate_limits import Limit
from engine.faultpoints import AUDIENCE_POINTS, PROJECT_POINTS
from resolvers import preferences as preference_pages
from resolvers import signups
from runtime.services import Services
from tests.consent.histories import Histories, Model
from tests.consent.test_audience import project, start
from tests.faults.channels import Channel
from tests.faults.world import World, shared_world
from tests.support.people import People

pytestmark = pytest.mark.rotating

HISTORIES = int(os.environ.get("EXAMPLES", "100"))
ROUND = 1000  # contacts of one project
BEFORE, MEANWHILE = 3, 6  # steps of each contact before the start, and after it
STEADY = 10  # every so many contacts keep the subscription that they have at the start
AT_ONCE = 4
KILLS = 6  # of each round, at least
# An intent has the time at which its transaction began, and asks for the subscription a moment later.
TRANSACTION = timedelta(seconds=5)
MAIL = Channel(
    "http", "email", "http", 20,
    "post://127.0.0.1:{port}/send?scheme=http&timeout=3&connections=20&idempotent={honours}",
)  # fmt: skip
EVER, NEVER = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
_NOW = "SELECT clock_timestamp()"
_MESSAGES = """
SELECT m.id, m.status, m.handed_at, m.failure_code, r.contact_id::text AS contact_id
FROM message_records AS m JOIN recipients AS r ON r.id = m.recipient_id WHERE m.project_id = $1
"""


@pytest.fixture
async def it(database: str, tmp_path: Path) -> AsyncIterator[World]:
    async with shared_world(tmp_path, database) as made:
        yield made


@dataclass
class Times:
    """The time spans in which a contact was subscribed to nothing, whatever was on its way just then."""

    since: datetime | None = EVER  # None: it is subscribed
    spans: list[tuple[datetime, datetime]] = field(default_factory=list)

    def note(self, begun: datetime, ended: datetime, *, active: bool) -> None:
        """Notes that a step has made the contact active, or not."""
        if active and self.since is not None:
            self.spans.append((self.since, begun - TRANSACTION))
            self.since = None
        elif not active and self.since is None:
            self.since = ended

    def without_consent(self, at: datetime) -> bool:
        spans = [*self.spans, *([] if self.since is None else [(self.since, NEVER)])]
        return any(first < at < last for first, last in spans)


@dataclass
class Round:
    """Contacts of one owner with their models, and the project that is sent to them."""

    histories: Histories
    models: dict[str, Model]
    times: dict[str, Times]
    chance: random.Random

    async def steps(self, count: int, contacts: list[tuple[int, str]]) -> None:
        """Takes so many steps of each contact, in any order."""
        order = contacts * count
        self.chance.shuffle(order)
        now = self.histories.services.db.fetchval
        for number, uuid in order:
            model, begun = self.models[uuid], await now(_NOW)
            await self.histories.step(self.chance, number, uuid, model)
            active = "active" in model.states.values()
            self.times[uuid].note(begun, await now(_NOW), active=active)

    async def all_steps(self, count: int, contacts: list[tuple[int, str]]) -> None:
        await asyncio.gather(*(self.steps(count, contacts[each::AT_ONCE]) for each in range(AT_ONCE)))


async def kill_workers(
    it: World, chance: random.Random, mutant: str, meanwhile: "asyncio.Task[None]"
) -> Counter[str]:
    """Starts worker after worker, each of which dies at a random point or moment. Returns how they died."""
    deaths: Counter[str] = Counter()
    while not meanwhile.done() or deaths.total() < KILLS:
        point = chance.choice([*AUDIENCE_POINTS, *PROJECT_POINTS, ""])
        worker = await it.worker(mutant, FAULT_AT=point)
        try:
            await asyncio.wait_for(worker.wait(), chance.uniform(0.5, 5))
        except TimeoutError:
            worker.kill()
            point = "a moment"
        assert await worker.wait() == -signal.SIGKILL
        deaths[point] += 1
    return deaths


async def run(it: World, made: Round, mutant: str) -> tuple[list[Any], set[str], Counter[str]]:
    """Sends a project while steps are taken and workers die. Returns its messages, who was subscribed all the time,
    and how the workers died.
    """
    contacts = [*enumerate(made.models)]
    await made.all_steps(BEFORE, contacts)
    subscribed = {uuid for uuid, model in made.models.items() if "active" in model.states.values()}
    speed = {"perMinute": max(60, len(contacts) * 2)}
    id = it.project = await project(made.histories.person, made.histories.topics, speed=speed)
    await start(made.histories.person, id)
    restless = [(number, uuid) for number, uuid in contacts if number % STEADY]
    steps = asyncio.create_task(made.all_steps(MEANWHILE, restless))
    deaths = await kill_workers(it, made.chance, mutant, steps)
    await steps
    final = await it.worker(mutant)
    await it.quiet()
    await it.stop(final)
    rows = await made.histories.services.db.fetch(_MESSAGES, id)
    return rows, {uuid for number, uuid in contacts if number % STEADY == 0} & subscribed, deaths


def violations(rows: list[Any], made: Round) -> list[Any]:
    """Returns the messages whose intent was recorded when their contact was subscribed to nothing."""
    handed = [row for row in rows if row["handed_at"] is not None]
    return [row for row in handed if made.times[row["contact_id"]].without_consent(row["handed_at"])]


@pytest.fixture
async def prepared(
    it: World, services: Services, client: httpx.AsyncClient, people: People, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Any]:
    """A function that makes a round of so many contacts."""
    for module in (signups, preference_pages):
        monkeypatch.setattr(module, "PAGES", Limit("signup-pages", 1_000_000, 1.0))
    it.environment["POSTERN_PUBLIC_URL"] = "https://postern.example.com"
    await it.provider(honours=True, seed=1, trouble=0, channel=MAIL)

    async def make(count: int, seed: int) -> Round:
        histories = await Histories.make(await people.make(credit="1000"), client, services)
        uuids = await histories.contacts(count)
        return Round(
            histories,
            {uuid: Model() for uuid in uuids},
            {uuid: Times() for uuid in uuids},
            random.Random(seed),
        )

    yield make


limits = pytest.mark.settings(
    limit_signups="100000/1", limit_signup_address="100000/1", limit_signup_owner="100000/1",
    public_url="https://postern.example.com",
)  # fmt: skip


@limits
async def test_nobody_is_written_to_without_consent(it: World, prepared: Any):
    total: Counter[str] = Counter()
    for first in range(0, HISTORIES, ROUND):
        made = await prepared(
            min(ROUND, HISTORIES - first), first + int(os.environ.get("HISTORIES_SEED", "7"))
        )
        rows, steady, deaths = await run(it, made, "small_pages")
        assert not violations(rows, made)
        assert {row["failure_code"] for row in rows} <= {None, "not_subscribed"}
        by_contact = {row["contact_id"]: row for row in rows}
        assert len(by_contact) == len(rows)
        assert {by_contact[uuid]["status"] for uuid in steady} == ({"sent"} if steady else set())
        ids = {str(row["id"]): row["status"] for row in rows}
        effects = Counter(effect[1] for effect in it.effects() if effect[1] in ids)
        assert {*effects.values()} == {1}
        sent = {id for id, status in ids.items() if status == "sent"}
        assert sent <= {*effects} <= sent | {id for id, status in ids.items() if status == "unknown"}
        total += Counter(row["status"] for row in rows) + deaths
        total["histories"] += len(made.models)
        total["steady"] += len(steady)
        print(dict(total), flush=True)
    assert total["sent"]
    # In a single round it may happen that nobody withdraws between the audience and the intents.
    assert total["skipped"] or HISTORIES <= ROUND


@limits
async def test_an_engine_that_does_not_ask_is_found_out(it: World, prepared: Any):
    # In a single round it may happen that nobody withdraws between the audience and the intents.
    for seed in (3, 4, 5):
        made = await prepared(100, seed)
        rows, _, _ = await run(it, made, "no_consent")
        if violations(rows, made):
            return
    pytest.fail("three rounds without a message to somebody who had withdrawn")
