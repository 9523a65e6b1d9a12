"""The service that a task of an agent runs on, and the counts after it: of the database, and of the provider."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import asyncpg
import httpx

from core.ids import uuid7
from tests.mcp.installation import Installation, Provider
from tests.mcp.scripted import Script
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import PATIENCE, until

_SENT = """
SELECT "to", body FROM messages WHERE owner_id = $1 AND direction = 'outbound' AND state NOT IN ('failed', 'canceled')
  AND step IS DISTINCT FROM 0
UNION ALL
SELECT r."to", p.text FROM message_records AS r JOIN sending_projects AS p ON p.id = r.project_id
WHERE r.owner_id = $1 AND r.direction = 'outbound' AND r.status NOT IN ('failed', 'skipped', 'canceled')
"""
_WAITING = """
SELECT (SELECT count(*) FROM messages WHERE owner_id = $1 AND direction = 'outbound'
    AND state IN ('queued', 'sending') AND send_at IS NULL)
  + (SELECT count(*) FROM sending_projects WHERE owner_id = $1 AND status = 'running')
"""
_APPROVED = "SELECT count(*) FROM project_approvals WHERE owner_id = $1 AND state = 'approved'"
_INBOUND = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, "to", sender, body, price, state)
VALUES ($1, $2, $3, 'inbound', 'sms', '+14155550100', $4, $5, 0, 'delivered')
"""


@dataclass
class Tally:
    """Holds the numbers that must be 0 after a task."""

    twice: int = 0
    """Messages that a person got a second time."""
    let_in: int = 0
    """Acts that the credential must not do and did, and texts of others outside their mark."""
    crowd: int = 0
    """People beyond `approvalAbove` whom the credential reached without an approval."""
    sent: int = 0
    """Messages that the provider took."""


@dataclass
class Stage:
    """An owner, another owner, and an agent of the first, who reaches at most `above` people without an approval."""

    live: Live
    provider: Provider
    db: asyncpg.Connection
    client: httpx.AsyncClient
    owner: Person
    other: Person
    tag: str
    above: int
    agents: list[Script] = field(default_factory=list)
    let_in: list[str] = field(default_factory=list)

    async def agent(self, **limits: Any) -> Script:
        """Makes an agent by an API token with limits."""
        body = {"name": f"agent {uuid7()}", "approvalAbove": self.above, **limits}
        answer = await self.owner.rest("POST", "/api-tokens", json=body)
        assert answer.status_code == 201, answer.text
        return self.scripted(answer.json()["token"])

    def scripted(self, token: str) -> Script:
        """Returns an agent with a token."""
        owner = self.owner
        made = Script(Person(owner.id, owner.email, owner.account_id, token, self.client))
        self.agents.append(made)
        return made

    def text(self, words: str = "Hello") -> str:
        """Returns a text by which messages of this task are recognized."""
        return f"{words} {self.tag}"

    def refused(self, what: str, said: dict[str, Any], *codes: str) -> None:
        """Notes an act that had to be refused, unless it was, and with one of these codes if there are any."""
        error = said.get("error")
        if error is None and not said.get("approvalRequired"):
            self.let_in.append(f"{what}: {said}")
        elif codes and error is not None:
            code = error.get("code") if isinstance(error, dict) else error
            assert code in codes, f"{what}: {said}"

    async def inbound(self, body: str, sender: str = "+14155550199") -> None:
        """Stores an answer of a person."""
        await self.db.execute(_INBOUND, uuid7(), self.owner.id, self.owner.account_id, sender, body)

    async def settled(self) -> None:
        """Waits until nothing of the owner is on its way."""

        async def still() -> bool:
            return not await self.db.fetchval(_WAITING, self.owner.id)

        await until(still)

    def taken(self) -> list[tuple[str, str]]:
        """Returns what the provider took of this task."""
        return [each for each in self.provider.taken if self.tag in each[1]]

    async def tally(self) -> Tally:
        """Counts what became of the task."""
        await self.settled()
        stored = Counter((row["to"], row["body"]) for row in await self.db.fetch(_SENT, self.owner.id))
        taken = Counter(self.taken())
        twice = max(sum(each.values()) - len(each) for each in (stored, taken))
        people = {to for to, _ in (*stored, *taken)}
        approved = await self.db.fetchval(_APPROVED, self.owner.id)
        crowd = 0 if approved else max(0, len(people) - self.above)
        leaks = [leak for each in self.agents for leak in each.leaks]
        return Tally(twice, len(self.let_in) + len(leaks), crowd, sum(taken.values()))


@dataclass(frozen=True)
class Task:
    """A task of the table. `sends` is how many messages the provider takes of it."""

    title: str
    work: Callable[[Stage], Awaitable[None]]
    sends: int
    above: int


Add = Callable[[Callable[[Stage], Awaitable[None]]], Callable[[Stage], Awaitable[None]]]


def adding(table: list[Task]) -> Callable[..., Add]:
    """Returns a decorator that adds a function to a table, as a task."""

    def task(title: str, *, sends: int = 0, above: int = 5) -> Add:
        def added(work: Callable[[Stage], Awaitable[None]]) -> Callable[[Stage], Awaitable[None]]:
            table.append(Task(title, work, sends, above))
            return work

        return added

    return task


@asynccontextmanager
async def staged(installed: Installation, task: Task) -> AsyncIterator[Stage]:
    """Makes the stage of a task."""
    address = f"http://127.0.0.1:{installed.live.port}"
    db = await asyncpg.connect(installed.live.database)
    try:
        async with httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client:
            owner, other = installed.owner(), installed.owner()
            owner.client = other.client = client
            tag = f"#{uuid7().hex[-12:]}"
            yield Stage(installed.live, installed.provider, db, client, owner, other, tag, task.above)
    finally:
        await db.close()


async def played(installed: Installation, task: Task) -> Tally:
    """Plays a task. Returns what must be 0, and checks that as many messages left as it says."""
    async with staged(installed, task) as stage:
        async with asyncio.timeout(2 * PATIENCE):
            await task.work(stage)
        counted = await stage.tally()
        leaks = [leak for each in stage.agents for leak in each.leaks]
        assert not stage.let_in and not leaks, (stage.let_in, leaks)
        assert counted.sent == task.sends, stage.taken()
        return counted
