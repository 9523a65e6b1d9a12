"""Edits, requests, decisions and starts in any order, some at the same time: no content is sent without an approval.

What a started project sends is read from the database, and compared with what a person had approved who had neither
asked for it nor changed it since the approval before.
"""

import asyncio
import hashlib
import hmac
import os
from dataclasses import dataclass, field
from random import Random
from typing import Any

import rfc8785

from core.ids import uuid7
from runtime.services import Services
from tests.approvals.made import rule
from tests.members.made import joined
from tests.support.examples import examples
from tests.support.people import People, Person

INTERLEAVINGS = int(os.environ.get("INTERLEAVINGS", examples(25)))
STEPS = 14
_KEY = "SELECT inner_block FROM audience_keys WHERE owner_id = $1"
_STARTED = """
SELECT c.content, p.status, l.document, l.hash, a.state, a.decided_by, a.asked_by, l.created_at
FROM sending_projects AS p JOIN project_contents AS c ON c.project_id = p.id AND c.number = p.content
LEFT JOIN project_plans AS l ON l.id = p.plan_id
LEFT JOIN project_approvals AS a ON a.plan_id = l.id AND a.state = 'approved'
WHERE p.id = $1 AND p.started_at IS NOT NULL
"""
_ROWS = """
SELECT jsonb_build_array(address, name, timezone, variables)::text AS text FROM recipients WHERE project_id = $1
"""


_WAY = ("plan", "ask", "approve", "approve", "start", "start")
_MOVES = ("edit", "variable", "add", "remove", "plan", "ask", "approve", "start")


@dataclass
class Game:
    """One project, and the people who change, approve and start it."""

    random: Random
    people: list[Person]
    project: str
    hashes: list[str] = field(default_factory=list)
    approvals: list[tuple[str, str]] = field(default_factory=list)
    next: int = -1

    async def step(self) -> None:
        person = self.random.choice(self.people)
        if self.random.random() < 0.7:  # the way to a start, which every other move may spoil
            self.next = (self.next + 1) % len(_WAY)
            move = getattr(self, _WAY[self.next])
        else:
            move = getattr(self, self.random.choice(_MOVES))
        await move(person)

    async def edit(self, person: Person) -> None:
        body = {"text": f"Hi {{{{ name }}}} {self.random.randrange(3)}"}
        await person.rest("PATCH", f"/sending-project/{self.project}", json=body)

    async def add(self, person: Person, code: int | None = None) -> None:
        number = self.random.randrange(4)
        variables = {"code": self.random.randrange(3) if code is None else code}
        recipient = {"phone": f"+1415555{number:04}", "name": "P", "variables": variables}
        await person.rest("POST", f"/recipient/{self.project}", json={"recipients": [recipient]})

    async def remove(self, person: Person) -> None:
        body = {"text": f"{self.random.randrange(4):04}"}
        await person.rest("POST", f"/recipient/{self.project}/remove", json=body)

    async def variable(self, person: Person) -> None:
        await self.remove(person)
        await self.add(person)

    async def plan(self, person: Person) -> None:
        answer = await person.rest("POST", f"/sending-project/{self.project}/plans")
        if answer.status_code == 201:
            self.hashes.append(answer.json()["hash"])

    async def ask(self, person: Person) -> None:
        if self.hashes:
            body = {"planHash": self.random.choice(self.hashes[-2:])}
            answer = await person.rest("POST", f"/sending-project/{self.project}/approvals", json=body)
            if answer.status_code == 201:
                self.approvals.append((answer.json()["uuid"], body["planHash"]))

    async def approve(self, person: Person) -> None:
        if self.approvals:
            uuid, plan_hash = self.random.choice(self.approvals[-2:])
            await person.rest(
                "POST", f"/approvals/{uuid}/decide", json={"planHash": plan_hash, "decision": "approved"}
            )

    async def start(self, person: Person) -> None:
        body = {"planHash": self.hashes[-1]} if self.hashes and self.random.random() < 0.5 else {}
        await person.rest("POST", f"/sending-project/start/{self.project}", json=body)


async def test_nothing_is_sent_that_was_not_approved(people: People, services: Services):
    """INTERLEAVINGS=10000 runs as many; the seed of each is its number."""
    ada = await people.make(credit="10")
    await rule(ada)
    team = [
        ada,
        *[(await joined(ada, await people.make(), role))[0] for role in ("manager", "approver", "sender")],
    ]
    token = (await ada.rest("POST", "/api-tokens", json={"name": "agent"})).json()["token"]
    team.append(Person(ada.id, "agent", ada.account_id, token, ada.client))
    started = 0
    for seed in range(INTERLEAVINGS):
        random = Random(seed)
        game = Game(random, team, await draft(services, ada))
        await game.add(random.choice(team[:2]), 0)
        for _ in range(STEPS):
            await asyncio.gather(*(game.step() for _ in range(random.choice([1, 1, 2]))))
        started += await approved_or_not_started(services, ada, game.project, seed)
    assert started > INTERLEAVINGS // 50
    print(f"{INTERLEAVINGS} interleavings, {started} started")


async def draft(services: Services, ada: Person) -> str:
    """Makes a draft by SQL, so that the owner is no editor of it."""
    project = uuid7()
    await services.db.fetch(
        "INSERT INTO sending_projects (id, owner_id, account_id, name, channel, text)"
        " VALUES ($1, $2, $3, 'p', 'sms', $4)",
        project,
        ada.id,
        ada.account_id,
        "Hi",
    )
    return str(project)


async def approved_or_not_started(services: Services, ada: Person, project: str, seed: int) -> bool:
    row: Any = await services.db.fetchrow(_STARTED, project)
    if row is None:
        return False
    assert row["document"] is not None, seed
    assert row["state"] == "approved", seed
    assert hashlib.sha256(rfc8785.dumps(row["document"])).hexdigest() == row["hash"], seed
    content = row["document"]["content"]
    assert row["content"]["text"] == content["text"], seed
    assert content["audience"] == await audience(services, ada, project), seed
    assert row["decided_by"] != row["asked_by"], seed
    # The tariff has room for a hundred projects at a time.
    await services.db.fetch("UPDATE sending_projects SET status = 'stopped' WHERE id = $1", project)
    return True


async def audience(services: Services, ada: Person, project: str) -> dict[str, Any]:
    """Returns the recipients and their digest as Python works it out from the rows."""
    inner = await services.db.fetchval(_KEY, ada.id)
    key = bytes(byte ^ 0x36 for byte in inner)
    rows = await services.db.fetch(_ROWS, project)
    total = sum(int.from_bytes(hmac.digest(key, row["text"].encode(), "sha256")) for row in rows)
    return {"recipients": len(rows), "digest": f"{total % 2**256:064x}"}
