"""Imports through the doors, read as a worker would."""

from typing import Any
from uuid import UUID

import pytest

from engine import imports
from runtime.services import Services
from tests.support.people import Person


class Lists:
    def __init__(self, services: Services) -> None:
        self.services = services

    async def upload(
        self, person: Person, content: bytes | str, name: str = "list.csv", **fields: str
    ) -> Any:
        """Uploads a list by POST /recipient-import as a form, without reading it."""
        data = content.encode() if isinstance(content, str) else content
        answer = await person.rest("POST", "/recipient-import", files={"file": (name, data)}, data=fields)
        assert answer.status_code == 202, answer.text
        return answer.json()

    async def read(self, person: Person, made: Any) -> Any:
        """Reads it; what the import looks like then."""
        await imports.read(self.services, UUID(made["uuid"]))
        return (await person.rest("GET", f"/recipient-import/{made['uuid']}")).json()

    async def rows(self, person: Person, made: Any, **query: Any) -> list[Any]:
        answer = await person.rest(
            "GET", f"/recipient-import/list/{made['uuid']}", params={"limit": 100, **query}
        )
        assert answer.status_code == 200, answer.text
        items: list[Any] = answer.json()["items"]
        return items


@pytest.fixture
def lists(services: Services) -> Lists:
    return Lists(services)
