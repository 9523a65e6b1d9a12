"""A project with messages in all states, and one that follows it."""

from typing import Any
from uuid import UUID

from core.ids import uuid7
from engine.jobs import JobName, enqueue
from shapes.addresses import stored_key
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.waits import until

_RECIPIENT = """
INSERT INTO recipients (id, project_id, address, address_key, name, variables, contact_id)
VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
_RECORD = """
INSERT INTO message_records (id, project_id, owner_id, recipient_id, channel, "to", status, sent_at, handed_at,
  failure_code, failure_reason, replied_at, complained_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, now() - $8 * interval '1 second', now() - $8 * interval '1 second', $9, $10,
  CASE WHEN $11 THEN now() END, CASE WHEN $12 THEN now() END)
"""
BLOCK = "INSERT INTO blocked_phones (id, owner_id, phone, reason) VALUES (gen_random_uuid(), $1, $2, $3)"
WITHIN = 3600


CONTACT = """
WITH made AS (INSERT INTO contacts (id, owner_id, name) VALUES ($1, $2, 'x'))
INSERT INTO contact_addresses (id, owner_id, contact_id, channel, address, address_key, "primary")
SELECT gen_random_uuid(), $2, $1, a.channel, a.address, a.key, true
FROM unnest($3::text[], $4::text[], $5::text[]) AS a (channel, address, key)
"""


class Followed:
    """A project with messages in all states, and one that follows it."""

    def __init__(self, projects: Projects, person: Person) -> None:
        self.projects, self.db, self.person = projects, projects.db, person
        self.first = self.second = UUID(int=0)

    async def begin(
        self,
        channel: str = "email",
        to: str = "sms",
        until: str = "delivered",
        status: str = "finished",
        **fields: Any,
    ) -> None:
        make = self.projects.make
        self.first = await make(self.person, [], channel=channel, status=status, preparation=None)
        audience = {
            "topicUuids": [],
            "follows": {"projectUuid": str(self.first), "until": until, "within": WITHIN},
        }
        values = {"audience": audience, "follows_uuid": self.first, **fields}
        self.second = await make(self.person, [], channel=to, preparation=None, **values)

    async def message(
        self,
        address: str,
        status: str,
        variables: dict[str, Any] | None = None,
        *,
        contact: UUID | None = None,
        channel: str = "email",
        **state: Any,
    ) -> UUID:
        """Makes a message. `state`: ago (seconds), code, reason, replied, complained."""
        recipient, id = uuid7(), uuid7()
        state = {"ago": 0, "code": None, "reason": None, "replied": False, "complained": False, **state}
        async with self.db.reading() as db:
            await db.execute(
                _RECIPIENT,
                recipient,
                self.first,
                address,
                stored_key(address),
                None,
                variables or {},
                contact,
            )
            await db.execute(
                _RECORD, id, self.first, self.person.id, recipient, channel, address, status, *state.values(),
            )  # fmt: skip
        return id

    async def execute(self, sql: str, *arguments: Any) -> None:
        async with self.db.reading() as db:
            await db.execute(sql, *arguments)

    async def follow(self, rounds: int = 2) -> None:
        """Follows all that is due now, and sends it."""
        for _ in range(rounds):
            await self.execute(
                "UPDATE sending_projects SET follow_due_at = now() WHERE id = $1 AND audience_read_at IS NULL",
                self.second,
            )
            async with self.db.reading() as db:
                await enqueue(db, JobName.follow_project, self.second)
            await self.execute("DELETE FROM leases WHERE name LIKE 'projects.follow%'")
            await self.projects.work()

    async def pause(self) -> None:
        await self.execute(
            "UPDATE sending_projects SET status = 'paused', status_reason = 'tariff_used_up' WHERE id = $1",
            self.second,
        )

    async def resume(self) -> None:
        """Sends what waits."""
        await self.execute(
            "UPDATE sending_projects SET status = 'running', status_reason = NULL WHERE id = $1", self.second
        )
        async with self.db.reading() as db:
            await enqueue(db, JobName.run_project, self.second)
        await self.projects.work()

    async def erase(self, address: str) -> None:
        """Erases the person with this email, to the end: it waits for all transactions that were open before."""
        body = {"channel": "email", "address": address}
        assert (await self.person.rest("POST", "/persons/erase", json=body)).status_code == 202

        async def over() -> bool:
            await self.projects.hurry()
            await self.projects.work()
            return not await self.db.fetchval("SELECT count(*) FROM erasures WHERE state <> 'done'")

        await until(over)

    async def written_to(self) -> list[str]:
        rows = await self.db.fetch(
            "SELECT address FROM recipients WHERE project_id = $1 ORDER BY seq", self.second
        )
        return [row["address"] for row in rows]
