"""Clicks on the links of projects' emails: the links themselves, and what was recorded of them."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from cachetools import TTLCache

from core.errors import NotFound
from engine import unsubscribe
from engine.clicks.hrefs import location
from engine.clicks.links import LINK_KEY, MESSAGE_KEY
from engine.clicks.recorder import ClickRecorder, Request
from resolvers.brands.pages import answers_here
from resolvers.sending_projects.project_rows import visible
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.services import Services
from shapes.clicks import MOST_LINKS, MOST_TARGETS, Click, ClickedLink

_TARGET: Final = """
SELECT l.url, p.owner_id FROM click_links AS l JOIN sending_projects AS p ON p.id = l.project_id
JOIN users AS u ON u.id = p.owner_id AND u.status = 'active' WHERE l.id = $1
"""
_LINKS: Final = """
SELECT l.id, l.project_id, l.url, l.humans, l.machines, l.anonymous FROM sending_projects AS p
CROSS JOIN LATERAL (
  SELECT * FROM click_links WHERE project_id = p.id ORDER BY humans DESC, machines DESC, created_at, url LIMIT $4
) AS l
WHERE p.id = ANY($1) AND ($2 OR p.owner_id = $3) ORDER BY l.humans DESC, l.machines DESC, l.created_at, l.url
"""
_CLICKS: Final = """
SELECT c.message_id AS message_uuid, c.project_id AS sending_project_uuid, m.recipient_id AS recipient_uuid, m."to",
  c.link_id AS link_uuid, l.url, c.machine, c.at
FROM unnest($1::uuid[]) AS a (id) CROSS JOIN LATERAL (
  SELECT * FROM clicks WHERE message_id = a.id ORDER BY at, link_id LIMIT $4
) AS c
JOIN click_links AS l ON l.id = c.link_id JOIN message_records AS m ON m.id = c.message_id
WHERE $2 OR c.owner_id = $3
ORDER BY c.message_id, c.at, c.link_id
"""
MOST_CLICKS: Final = 100
"""Clicks that a message shows."""

_CACHED: Final = 10_000
_CACHED_SECONDS: Final = 60
_HALF: Final = 43  # characters of each token


class _Links:
    """Holds what each click of a process needs: the keys, the recorder, and the links that were read."""

    def __init__(self, services: Services) -> None:
        self.message_keys, self.link_keys = services.keys(MESSAGE_KEY), services.keys(LINK_KEY)
        self.recorder = ClickRecorder.of(services)
        # By their tokens: the id, the target and the owner, which a row never changes. It ends with its project, and
        # while its owner is suspended.
        self.links: TTLCache[str, tuple[bytes, str, UUID]] = TTLCache(_CACHED, _CACHED_SECONDS)

    @classmethod
    def of(cls, services: Services) -> "_Links":
        return services.single(cls, lambda: cls(services))


@operation(Permission.public, "read")
async def follow(op: Op, token: str, *, is_head: bool = False) -> str:
    """Leads a recipient on to the target of a link in an email. The click is recorded afterwards.

    Raises NotFound (`link_invalid`).
    """
    shared = _Links.of(op.services)
    message = unsubscribe.read(shared.message_keys, token[:_HALF])
    link = shared.links.get(token[_HALF:]) or await _read(op, shared, token[_HALF:])
    if message is None or link is None:
        raise _unknown()
    id, target, owner = link
    if not await answers_here(op, owner):
        raise _unknown()
    ids = message.bytes + id
    headers = op.ctx.connection.headers
    is_private = headers.get("sec-gpc") == "1"
    if not is_private and shared.recorder.is_stored(ids):
        return target
    request = Request(
        ids, op.services.db.now(), is_head, is_private, op.ctx.user_agent or "", op.ctx.client_address
    )
    shared.recorder.record(request)
    return target


async def _read(op: Op, shared: _Links, token: str) -> tuple[bytes, str, UUID] | None:
    """Returns id, target and owner of a link; None if none of our keys signed it, its project is gone, or its owner is
    suspended.
    """
    id = unsubscribe.read(shared.link_keys, token)
    row = None if id is None else await op.db.fetchrow(_TARGET, id)
    if id is None or row is None:
        return None
    link = shared.links[token] = id.bytes, location(row["url"]), row["owner_id"]
    return link


@operation(Permission.projects_read, "read")
async def of_project(op: Op, id: UUID) -> Sequence[ClickedLink]:
    """Returns the links of a project's emails whose clicks are counted, the most clicked first: those of all of its
    texts. It is empty before the first email is sent. Raises NotFound.
    """
    await visible(op, id)
    rows: Any = await op.db.fetch(_LINKS, [id], op.viewer.admin, op.viewer.id, MOST_TARGETS)
    return [_as_link(row) for row in rows]


@operation(Permission.projects_read, "read")
async def of_projects(op: Op, projects: Sequence[UUID]) -> Sequence[Sequence[ClickedLink]]:
    """Returns the same for each project, at most 100 of each."""
    rows: Any = await op.db.fetch(_LINKS, [*projects], op.viewer.admin, op.viewer.id, MOST_LINKS)
    return [[_as_link(row) for row in rows if row["project_id"] == project] for project in projects]


@operation(Permission.recipients_read, "read")
async def of_messages(op: Op, messages: Sequence[UUID]) -> Sequence[Sequence[Click]]:
    """Returns the clicks on the links of each message, the first one first, at most 100 of each."""
    rows: Any = await op.db.fetch(_CLICKS, [*messages], op.viewer.admin, op.viewer.id, MOST_CLICKS)
    return [
        [Click.model_validate(dict(row)) for row in rows if row["message_uuid"] == message]
        for message in messages
    ]


def _as_link(row: Any) -> ClickedLink:
    return ClickedLink.model_validate({name: row[name] for name in ClickedLink.model_fields})


def _unknown() -> NotFound:
    return NotFound("This link is invalid. Open it again from the email.", code="link_invalid")
