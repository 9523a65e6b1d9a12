"""A series with its topic, templates and people, worked by hand."""

from collections import Counter
from datetime import timedelta
from typing import Any
from uuid import UUID

from engine.jobs import JobName, enqueue
from tests.consent.made import contact, subscribe, topic, withdraw
from tests.support.people import Person
from tests.support.projects import Projects

DAY = 86_400
_EARLIER = """
UPDATE series_entries SET entered_at = entered_at - $2::interval, begun_at = begun_at - $2::interval,
  due_at = due_at - $2::interval
WHERE series_id = $1
"""
_SENT_EARLIER = """
UPDATE message_records SET sent_at = sent_at - $2::interval, handed_at = handed_at - $2::interval,
  queued_at = queued_at - $2::interval
WHERE project_id = ANY($1)
"""


async def template(person: Person, key: str) -> None:
    answer = await person.rest("POST", "/templates", json={"key": key, "name": key})
    text = {"locale": "en", "subject": f"{key} for {{{{ name }}}}", "text": f"{key}: hello {{{{ name }}}}"}
    path = f"/templates/{answer.json()['id']}/versions"
    draft = (await person.rest("POST", path, json={"texts": [text]})).json()["id"]
    answer = await person.rest("POST", f"/template-versions/{draft}/publish")
    assert answer.status_code == 200, answer.text


class Made:
    """A series of one person."""

    def __init__(self, projects: Projects, person: Person) -> None:
        self.projects, self.db, self.person = projects, projects.db, person
        self.topic = self.id = ""

    async def begin(
        self, steps: list[dict[str, Any]] | None = None, *, start: bool = True, **fields: Any
    ) -> None:
        """Makes a series, and starts it."""
        if not self.topic:
            self.topic = await topic(self.person)
        steps = steps or [{}, {"delay": DAY}]
        for number, step in enumerate(steps, 1):
            if "templateKey" not in step:
                await template(self.person, f"step{number}")
        steps = [{"channel": "email", "templateKey": f"step{n}", **step} for n, step in enumerate(steps, 1)]
        body = {"name": "Welcome", "topicId": self.topic, "steps": steps, **fields}
        answer = await self.person.rest("POST", "/series", json=body)
        assert answer.status_code == 201, answer.text
        self.id = answer.json()["id"]
        if start:
            await self.start()

    async def plan(self) -> Any:
        answer = await self.person.rest("POST", f"/series/{self.id}/plan")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def start(self) -> Any:
        plan = await self.plan()
        answer = await self.person.rest("POST", f"/series/{self.id}/start", json={"planHash": plan["hash"]})
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def act(self, what: str, expected: int = 200) -> Any:
        answer = await self.person.rest("POST", f"/series/{self.id}/{what}")
        assert answer.status_code == expected, answer.text
        return answer.json()

    async def row(self) -> Any:
        return (await self.person.rest("GET", f"/series/{self.id}")).json()

    async def numbers(self) -> Any:
        return (await self.person.rest("GET", f"/series/{self.id}/statistics")).json()

    async def enter(self, address: str = "anna@example.com", **values: Any) -> str:
        """Adds a contact, and subscribes it."""
        id = await contact(self.person, address, name=address.partition("@")[0], **values)
        await self.subscribe(id)
        return id

    async def subscribe(self, *contacts: str, **values: Any) -> None:
        await subscribe(self.person, contacts, [self.topic], evidence="form", **values)

    async def withdraw(self, *contacts: str) -> None:
        await withdraw(self.person, contacts, [self.topic])

    async def pass_time(self, seconds: int) -> None:
        """All that has happened was so much earlier."""
        earlier = timedelta(seconds=seconds)
        projects = [UUID(id) for id in (await self.row())["projectIds"]]
        await self.execute(_EARLIER, UUID(self.id), earlier)
        await self.execute(_SENT_EARLIER, projects, earlier)

    async def work(self, rounds: int = 2) -> None:
        """Does all that is due now."""
        for _ in range(rounds):
            async with self.db.reading() as db:
                await enqueue(db, JobName.enter_series, UUID(self.id))
                await enqueue(db, JobName.step_series, UUID(self.id))
            await self.execute("DELETE FROM leases WHERE name LIKE 'series.%'")
            await self.projects.work()

    async def later(self, seconds: int) -> None:
        await self.pass_time(seconds)
        await self.work()

    async def execute(self, sql: str, *arguments: Any) -> None:
        async with self.db.reading() as db:
            await db.execute(sql, *arguments)

    async def sent(self) -> list[tuple[int, str]]:
        """Returns which steps were sent to whom, in their order."""
        steps = (await self.row())["projectIds"]
        rows = [
            (number, row["to"])
            for number, project in enumerate(steps, 1)
            for row in await self.projects.records(UUID(project))
            if row["status"] in ("sent", "delivered") and row["direction"] == "outbound"
        ]
        return sorted(rows)

    async def skipped(self) -> Counter[str]:
        codes = Counter[str]()
        for project in (await self.row())["projectIds"]:
            rows = await self.projects.records(UUID(project))
            codes.update(row["failure_code"] for row in rows if row["status"] == "skipped")
        return codes

    async def entries(self, **where: str) -> list[tuple[str, int, str | None]]:
        """Returns state, step and reason of the people, oldest first."""
        answer = await self.person.rest("GET", f"/series/{self.id}/entries", params={"limit": "100", **where})
        assert answer.status_code == 200, answer.text
        return [(row["state"], row["step"], row["stopReason"]) for row in reversed(answer.json()["items"])]
