"""An export from its start to the bytes of its file, without a worker."""

import io
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import pytest

from engine.exports import export_links
from runtime.services import Services
from tests.support.people import Person


class Exports:
    def __init__(self, services: Services) -> None:
        self.services = services

    async def start(self, who: Person, source: str, **options: Any) -> dict[str, Any]:
        answer = await who.rest("POST", "/export-link/start", json={"source": source, **options})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    async def get(self, who: Person, link: dict[str, Any]) -> dict[str, Any]:
        answer = await who.rest("GET", f"/export-link/{link['uuid']}")
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body

    async def write(self, link: dict[str, Any]) -> None:
        await export_links.write(self.services, UUID(link["uuid"]))

    async def fetched(self, who: Person, link: dict[str, Any]) -> bytes:
        """Downloads the file without a login, by its link alone."""
        body = await self.get(who, link)
        assert (body["status"], body["statusReason"]) == ("ready", None), body
        url = urlsplit(body["url"])
        answer = await who.client.get(f"{url.path}?{url.query}")
        assert answer.status_code == 200, answer.text
        return answer.content

    async def complete(self, who: Person, source: str, **options: Any) -> bytes:
        link = await self.start(who, source, **options)
        await self.write(link)
        return await self.fetched(who, link)


@pytest.fixture
def written(services: Services) -> Exports:
    return Exports(services)


@pytest.fixture
def sheets() -> Callable[[bytes], list[list[tuple[Any, ...]]]]:
    """The cells of every sheet of a workbook."""
    import openpyxl

    def read(content: bytes) -> list[list[tuple[Any, ...]]]:
        book = openpyxl.load_workbook(io.BytesIO(content))
        return [[*sheet.iter_rows(values_only=True)] for sheet in book.worksheets]

    return read
