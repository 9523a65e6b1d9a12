"""Sending Projects under test: made by SQL, worked by hand, counted by a recount."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from core.ids import uuid7
from engine.jobs import JOBS, JobName, enqueue
from runtime.services import Services
from shapes.addresses import stored_key
from tests.support.people import Person

CONTENT = (
    "track_clicks",
    "subject",
    "html",
    "text",
    "variants",
    "template",
    "attachment_uuids",
    "on_missing_variable",
    "category",
)
STATES = ("queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown", "canceled")

_NEXT = """
DELETE FROM pgqueuer WHERE id = (
  SELECT id FROM pgqueuer WHERE status = 'queued' AND execute_after <= now() AND entrypoint = ANY($1)
  ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
) RETURNING entrypoint, convert_from(payload, 'UTF8') AS row
"""


class Projects:
    def __init__(self, services: Services) -> None:
        self.services, self.db = services, services.db

    async def make(
        self,
        person: Person,
        recipients: Sequence[str | dict[str, Any]],
        *,
        channel: str = "email",
        **fields: Any,
    ) -> UUID:
        """A project that has just been started; nothing has run yet. Recipients are addresses or columns."""
        project = uuid7()
        texts = {"subject": "Hi", "text": "Hello {{ name }}!", "on_missing_variable": "empty"}
        if channel != "email":
            texts.pop("subject")
        row = {
            "id": project, "owner_id": person.id, "account_id": person.account_id, "name": "test", "channel": channel,
            "status": "running", "preparation": "freeze", "content": 1, **texts, **fields,
        }  # fmt: skip
        values = [
            orjson.dumps(v).decode() if isinstance(v, dict) or (k == "variants") else v
            for k, v in row.items()
        ]
        marks = [
            f"${n}::text::jsonb" if isinstance(v, dict) or k == "variants" else f"${n}"
            for n, (k, v) in enumerate(row.items(), 1)
        ]
        names = ", ".join(f'"{name}"' for name in row)
        async with self.db.reading() as db:
            await db.execute(f"INSERT INTO sending_projects ({names}) VALUES ({', '.join(marks)})", *values)
            content = {name: row.get(name) for name in CONTENT if name in row}
            if "attachment_uuids" in content:
                content["attachment_uuids"] = [str(uuid) for uuid in content["attachment_uuids"]]
            await db.execute(
                "INSERT INTO project_contents (project_id, number, content) VALUES ($1, 1, $2)",
                project,
                content,
            )
            for recipient in recipients:
                recipient_fields = recipient if isinstance(recipient, dict) else {"address": recipient}
                await db.execute(
                    "INSERT INTO recipients (id, project_id, address, address_key, name, variables, timezone)"
                    " VALUES ($1, $2, $3, $4, $5, $6, $7)",
                    uuid7(), project, recipient_fields["address"], stored_key(recipient_fields["address"]),
                    recipient_fields.get("name"), recipient_fields.get("variables", {}),
                    recipient_fields.get("timezone"),
                )  # fmt: skip
            await enqueue(db, JobName.prepare_project, project)
        return project

    async def work(self, most: int = 1000) -> int:
        """Runs the jobs that are due, in their order, until there are none. How many."""
        for done in range(most):
            if not await self.step():
                return done
        raise AssertionError("there is no end to the jobs")

    async def step(self) -> bool:
        """The next job that is due; whether there was one."""
        async with self.db.reading() as db:
            job = await db.fetchrow(_NEXT, list(JOBS))
        if job is not None:
            await JOBS[job["entrypoint"]].work(self.services, UUID(job["row"]))
        return job is not None

    async def hurry(self) -> None:
        """Whatever waits for its time is due now."""
        async with self.db.reading() as db:
            await db.execute("UPDATE sending_units SET due_at = now() WHERE due_at > now()")
            await db.execute("UPDATE pgqueuer SET execute_after = now() WHERE execute_after > now()")
            await db.execute(
                "UPDATE leases SET expires_at = now() WHERE owner_id IS NULL AND name LIKE 'projects.%'"
            )
            await db.execute("UPDATE sending_projects SET resume_at = now() WHERE resume_at > now()")

    async def row(self, project: UUID) -> Any:
        return await self.db.fetchrow("SELECT * FROM sending_projects WHERE id = $1", project)

    async def records(self, project: UUID) -> list[Any]:
        return await self.db.fetch(
            "SELECT * FROM message_records WHERE project_id = $1 ORDER BY seq", project
        )

    async def states(self, project: UUID) -> Counter[str]:
        return Counter(row["status"] for row in await self.records(project) if row["direction"] == "outbound")

    async def sound(self, project: UUID) -> None:
        """Counters are what a recount of the same moment says; the money adds up."""
        sums = ", ".join(f"COALESCE(sum({state}), 0)::bigint AS {state}" for state in ("total", *STATES))
        async with self.db.reading() as db, db.transaction(isolation="repeatable_read"):
            counted = await db.fetchrow(f"SELECT {sums} FROM sending_counters WHERE project_id = $1", project)
            rows = await db.fetch(
                "SELECT status FROM message_records WHERE project_id = $1 AND direction = 'outbound'", project
            )
        states = Counter(row["status"] for row in rows)
        assert {state: counted[state] for state in STATES} == {state: states[state] for state in STATES}
        assert counted["total"] == sum(states.values())
        money = await self.db.fetchrow(
            "SELECT (SELECT sum(balance) FROM accounts) AS balance, (SELECT sum(amount) FROM ledger_entries) AS ledger"
        )
        assert money["balance"] == money["ledger"]

    async def time(self) -> datetime:
        return await self.db.fetchval("SELECT now()")
