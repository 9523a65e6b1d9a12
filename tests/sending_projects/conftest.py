"""Projects as a test needs them: made through the door, put into a state by SQL."""

from typing import Any
from uuid import UUID

import pytest

from core.ids import uuid7
from runtime.services import Services
from tests.support.people import Person


class Projects:
    def __init__(self, services: Services) -> None:
        self.db = services.db

    async def make(self, person: Person, *, recipients: int = 0, status: str = "", **fields: Any) -> str:
        """Makes a project and returns its uuid."""
        body = {"name": "p", "channel": "sms", "text": "Hi {{ name }}", **fields}
        answer = await person.rest("POST", "/sending-project", json=body)
        assert answer.status_code == 201, answer.text
        project = str(answer.json()["uuid"])
        for number in range(recipients):
            await self.recipient(project, f"+1415555{number:04}")
        if status:
            await self.put(project, status)
        return project

    async def recipient(self, project: str, address: str, **variables: Any) -> UUID:
        made = uuid7()
        async with self.db.reading() as db:
            await db.execute(
                "INSERT INTO recipients (id, project_id, address, name, variables) VALUES ($1, $2, $3, $4, $5)",
                made, UUID(project), address, variables.pop("name", None), variables,
            )  # fmt: skip
        return made

    async def put(self, project: str, status: str) -> None:
        await self.execute(
            "UPDATE sending_projects SET status = $2, status_reason = CASE $2 WHEN 'paused' THEN 'balance_used_up' END"
            " WHERE id = $1",
            UUID(project),
            status,
        )

    async def messages(self, project: str, *statuses: str) -> None:
        """Messages in these states; the trigger counts them."""
        owner = (await self.row(project))["owner_id"]
        for number, status in enumerate(statuses):
            await self.execute(
                'INSERT INTO message_records (id, project_id, owner_id, channel, "to", status, failure_code)'
                " VALUES ($1, $2, $3, 'sms', $4, $5, CASE WHEN $5 IN ('failed', 'unknown') THEN 'x' END)",
                uuid7(), UUID(project), owner, f"+1415556{number:04}", status,
            )  # fmt: skip

    async def row(self, project: str) -> Any:
        return await self.db.fetchrow("SELECT * FROM sending_projects WHERE id = $1", UUID(project))

    async def execute(self, sql: str, *arguments: Any) -> None:
        async with self.db.reading() as db:
            await db.execute(sql, *arguments)

    async def jobs(self, project: str) -> int:
        """Preparations that wait."""
        return await self.db.fetchval(
            "SELECT count(*) FROM pgqueuer WHERE entrypoint = 'projects.prepare' AND payload = convert_to($1, 'UTF8')",
            project,
        )


@pytest.fixture
def projects(services: Services) -> Projects:
    return Projects(services)
