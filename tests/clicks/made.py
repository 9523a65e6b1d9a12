"""Emails of projects whose links are counted."""

import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

import httpx

from channels.sandbox import box
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.waits import until

BROWSER: Final = "Mozilla/5.0 (X11; Linux x64; rv:128.0) Gecko/20100101 Firefox/128.0"
SCANNER: Final = "Barracuda Sentinel (EE)"
SALE: Final = "https://example.com/sale?a=1&b=2"
HTML: Final = (
    '<p>Hello {{ name }}</p><a href="https://example.com/sale?a=1&amp;b=2">Sale</a>'
    " <a href='http://example.org/'>Home</a>"
)
_HREF = re.compile(r"""href=["']([^"']*)["']""")


async def mailed(
    projects: Projects, owner: Person, people: Sequence[str], html: str = HTML, **fields: Any
) -> tuple[UUID, dict[str, list[str]]]:
    """Returns a project whose emails were sent, and the addresses of the links of each of these, by recipient.

    They were sent a minute ago, so that a click is not too early.
    """
    box().outbox.clear()
    project = await projects.make(owner, people, **{"html": html, "track_clicks": True, **fields})
    await projects.work()
    await projects.db.fetch(
        "UPDATE message_records SET handed_at = handed_at - interval '1 min', sent_at = sent_at - interval '1 min'"
        " WHERE project_id = $1", project,
    )  # fmt: skip
    return project, {sent.message.to: _HREF.findall(sent.message.html or "") for sent in box().outbox}


def path(url: str) -> str:
    """Returns the path of an address of ours."""
    return urlsplit(url).path


async def click(client: httpx.AsyncClient, url: str, method: str = "GET", **headers: str) -> httpx.Response:
    """Asks for a link, as a browser does unless a header says otherwise."""
    sent = {"User-Agent": BROWSER, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return await client.request(method, path(url), headers=sent, follow_redirects=False)


async def links(owner: Person, project: UUID) -> dict[str, tuple[int, int, int]]:
    """Returns humans, machines and anonymous clicks of each link."""
    rows = (await owner.rest("GET", f"/sending-project/{project}/links")).json()
    return {row["url"]: (row["humans"], row["machines"], row["anonymous"]) for row in rows}


async def counted(owner: Person, project: UUID, url: str, *counts: int) -> None:
    """Waits until a link has these counts of humans, machines and anonymous clicks."""

    async def are_there() -> bool:
        return (await links(owner, project)).get(url) == counts

    await until(are_there)
