"""Rows of Sending Projects, made by SQL: what the engine would leave, without sending anything."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from core.ids import uuid7
from runtime.services import Services
from tests.support.people import Person

CONTENT = {
    "subject": None,
    "html": None,
    "text": "Hi {{ name }} of {{ city }}",
    "variants": [],
    "template": None,
    "attachment_uuids": [],
    "on_missing_variable": "empty",
}


async def project(services: Services, who: Person, **values: Any) -> UUID:
    values = {
        "id": uuid7(),
        "owner_id": who.id,
        "account_id": who.account_id,
        "name": "p",
        "channel": "sms",
        **values,
    }
    names = ", ".join(f'"{name}"' for name in values)
    places = ", ".join(f"${place}" for place in range(1, len(values) + 1))
    sql = f"INSERT INTO sending_projects ({names}) VALUES ({places})"
    async with services.db.reading() as db:
        await db.execute(sql, *values.values())
    return values["id"]


async def content(services: Services, project_id: UUID, number: int = 1, **changes: Any) -> None:
    async with services.db.reading() as db:
        await db.execute(
            "INSERT INTO project_contents (project_id, number, content) VALUES ($1, $2, $3)",
            project_id,
            number,
            {**CONTENT, **changes},
        )


async def recipient(
    services: Services, project_id: UUID, address: str, name: str | None = None, **variables: Any
) -> UUID:
    id = uuid7()
    async with services.db.reading() as db:
        await db.execute(
            "INSERT INTO recipients (id, project_id, address, name, variables) VALUES ($1, $2, $3, $4, $5)",
            id,
            project_id,
            address,
            name,
            variables,
        )
    return id


async def messages(services: Services, who: Person, project_id: UUID, *rows: dict[str, Any]) -> list[UUID]:
    """Inserts one message a row, in their order; a missing value is what the engine would begin with."""
    made = []
    async with services.db.reading() as db, db.transaction():
        for number, row in enumerate(rows):
            values = {
                "id": uuid7(),
                "project_id": project_id,
                "owner_id": who.id,
                "channel": "sms",
                "to": f"+1415555{number:04}",
                **row,
            }
            if values.get("status") in ("failed", "skipped", "unknown"):
                values.setdefault("failure_code", "rejected")
            names = ", ".join(f'"{name}"' for name in values)
            places = ", ".join(f"${place}" for place in range(1, len(values) + 1))
            await db.execute(f"INSERT INTO message_records ({names}) VALUES ({places})", *values.values())
            made.append(values["id"])
    return made


async def many(
    services: Services, who: Person, project_id: UUID, number: int, status: str = "queued"
) -> None:
    """Inserts many messages in one statement."""
    async with services.db.reading() as db:
        await db.execute(
            """
            INSERT INTO message_records (id, project_id, owner_id, channel, "to", status, failure_code)
            SELECT gen_random_uuid(), $1, $2, 'sms', '+1415' || (1000000 + n), $4,
              CASE WHEN $4 IN ('failed', 'skipped', 'unknown') THEN 'rejected' END
            FROM generate_series(1, $3::int) AS n
            """,
            project_id,
            who.id,
            number,
            status,
        )


async def bucket(
    services: Services, who: Person, project_id: UUID, at: datetime, shard: int = 0, **events: int
) -> None:
    """Inserts the counters of a quarter of an hour, as the trigger would have counted it then."""
    values = {"project_id": project_id, "bucket": at, "shard": shard, "owner_id": who.id, **events}
    names = ", ".join(values)
    places = ", ".join(f"${place}" for place in range(1, len(values) + 1))
    async with services.db.reading() as db:
        await db.execute(f"INSERT INTO statistics_buckets ({names}) VALUES ({places})", *values.values())


async def unit(
    services: Services,
    project_id: UUID,
    *,
    due: timedelta = timedelta(),
    worker: str | None = None,
    expires: timedelta | None = None,
) -> UUID:
    id = uuid7()
    async with services.db.reading() as db:
        await db.execute(
            """
            INSERT INTO sending_units (id, project_id, due_at, first_due_at, claim_id, worker, expires_at)
            VALUES ($1, $2, now() + $3, LEAST(now(), now() + $3), $4, $5, now() + $6::interval)
            """,
            id,
            project_id,
            due,
            uuid7() if worker else None,
            worker,
            expires,
        )
    return id
