"""Repeatable projects for tests, and a clock that can be set."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from core.ids import uuid7
from runtime.services import Services
from tests.support.people import Person

PATH = "/repeatable-sending-project"
TEMPLATE = {"channel": "sms", "text": "Hello {{ name }}"}
DAILY = {"cron": "0 9 * * *", "timezone": "Europe/Berlin"}


@dataclass
class Schedules:
    services: Services

    async def audience(self, person: Person, count: int = 3) -> str:
        """A ready import of so many people, one invalid line among them."""
        id = uuid7()
        async with self.services.db.reading() as db:
            await db.execute(
                "INSERT INTO recipient_imports (id, owner_id, status, region) VALUES ($1, $2, 'ready', 'US')",
                id,
                person.id,
            )
            await db.execute(
                "INSERT INTO import_rows (import_id, line, address, name, variables) SELECT $1, n,"
                """ '+1415555' || to_char(n, 'FM0000'), 'N' || n, '{"x": 1}' FROM generate_series(1, $2::int) AS n""",
                id,
                count,
            )
            await db.execute(
                "INSERT INTO import_rows (import_id, line, error_code, error_message)"
                " VALUES ($1, $2, 'bad_phone', 'no phone')",
                id,
                count + 1,
            )
        return str(id)

    async def make(
        self, person: Person, *, source: Any = None, start: bool = True, template: Any = None, **schedule: Any
    ) -> str:
        """An active one, with an audience of three; its uuid. Once a day, and not while a test runs."""
        far = (datetime.now(UTC).hour + 12) % 24
        body = {
            "name": "Morning",
            "template": template or TEMPLATE,
            "schedule": {"cron": f"0 {far} * * *", "timezone": "UTC", **schedule},
            "source": source or {"importUuid": await self.audience(person)},
        }
        made = await person.rest("POST", PATH, json=body)
        assert made.status_code == 201, made.text
        uuid: str = made.json()["uuid"]
        if start:
            assert (await person.rest("POST", f"{PATH}/{uuid}/start")).json()["status"] == "active"
        return uuid

    async def due(self, uuid: str, ago: str = "1 second") -> datetime:
        """Makes it due so long ago; when exactly."""
        at: datetime = await self.services.db.fetchval(
            "UPDATE repeatable_projects SET next_run_at = date_trunc('second', now() - $2::text::interval)"
            " WHERE id = $1 RETURNING next_run_at",
            UUID(uuid),
            ago,
        )
        return at

    async def row(self, uuid: str) -> Any:
        return await self.services.db.fetchrow("SELECT * FROM repeatable_projects WHERE id = $1", UUID(uuid))

    async def runs(self, uuid: str) -> list[Any]:
        return await self.services.db.fetch(
            "SELECT p.*, (SELECT count(*) FROM recipients WHERE project_id = p.id) AS recipients"
            " FROM sending_projects AS p WHERE repeatable_uuid = $1 ORDER BY fire_at",
            UUID(uuid),
        )

    async def jobs(self, name: str) -> list[UUID]:
        rows = await self.services.db.fetch(
            "SELECT convert_from(payload, 'UTF8') AS id FROM pgqueuer WHERE entrypoint = $1", name
        )
        return [UUID(row["id"]) for row in rows]
