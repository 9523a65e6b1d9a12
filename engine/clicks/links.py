"""The counted links of a text. Of an address the first part is the same for all links of an email, and the last part is
the same in all emails: so the text has one variable, and a message costs one signature, however many links it has.

    https://postern.example.com/l/<token of the message><token of the link>
    └───────── {{ postern_link }}, by message ─────────┘└── in the text ──┘
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID, uuid5

from db.session import Database
from engine import unsubscribe
from engine.clicks.hrefs import Link, links_in
from runtime import link_domains, links
from runtime.services import Services
from shapes.clicks import MOST_LINKS, MOST_TARGETS

MESSAGE_KEY: Final = "clicks of messages"
LINK_KEY: Final = "click links"
"""The purposes of the keys that sign the two tokens of an address."""

VARIABLE: Final = "postern_link"
"""The variable that stands before the token of a link in a counted text."""

_IDS: Final = UUID("2f4f1f6e-53b5-5c7b-9c0e-0a8a54a3c9d1")
# Links that are the recipient's own, or work without a browser's redirect.
_OURS: Final = ("l", "unsubscribe", "preferences", "your-data", "opt-in", "web-copy", "undo")

IS_COUNTED: Final = """({project}.category = 'promotional' AND {project}.channel = 'email'
  AND ({project}.html IS NOT NULL OR {project}.languages IS NOT NULL) AND COALESCE({project}.track_clicks, (
    SELECT b.track_clicks FROM brands AS b WHERE b.owner_id = {project}.owner_id), false))"""
"""The SQL that says whether the links of a project are counted: of advertising by email, if the project says so, or
else the brand of its owner.
"""

_STORE: Final = """
INSERT INTO click_links (id, project_id, url)
SELECT a.id, $1, a.url FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS a (id, url, place)
WHERE NOT EXISTS (SELECT FROM click_links AS l WHERE l.id = a.id)
ORDER BY a.place LIMIT GREATEST(0, $4 - (SELECT count(*) FROM click_links WHERE project_id = $1))
ON CONFLICT (id) DO NOTHING
"""
_STORED: Final = "SELECT id FROM click_links WHERE id = ANY($1)"


def url(base: str, key: bytes, message_id: UUID) -> str:
    """Returns the value of the variable for a message; `key` is `services.key(MESSAGE_KEY)`, and `base` the address of
    the owner's links (`link_domains.base_of`).
    """
    return f"{base}/l/{unsubscribe.token(key, message_id)}"


def link_id(project: UUID, url: str) -> UUID:
    """Returns the id of a target, which every worker makes without asking."""
    return uuid5(_IDS, f"{project}\n{url}")


async def counted(
    services: Services, project: UUID, owner: UUID, content: dict[str, Any]
) -> dict[str, Any] | None:
    """Returns the content of a project with counted links; None if it has none. The targets are stored before the first
    message has an address of ours.
    """
    if not content.get("track_clicks"):
        return None
    bases = {links.base(services.settings), await link_domains.base_of(services, owner)}
    ours = tuple(f"{base}/{path}/" for base in bases for path in _OURS)
    parts = [content, *(content.get("languages") or {}).get("texts", ())]
    every = [
        [link for link in links_in(part.get("html") or "") if not link.url.startswith(ours)] for part in parts
    ]
    targets = [*dict.fromkeys(link.url for of_part in every for link in of_part)][:MOST_LINKS]
    if not targets:
        return None
    stored = await _stored(services.db, project, {url: link_id(project, url) for url in targets})
    key = services.key(LINK_KEY)
    tokens = {url: unsubscribe.token(key, id) for url, id in stored.items()}
    made, *texts = (_counted(part, of_part, tokens) for part, of_part in zip(parts, every, strict=True))
    if texts:
        made["languages"] = {**content["languages"], "texts": texts}
    return made


def _counted(part: Mapping[str, Any], every: Sequence[Link], tokens: Mapping[str, str]) -> dict[str, Any]:
    """Returns a part of a content with the tokens of its links in their place."""
    html, pieces, at = part.get("html") or "", list[str](), 0
    for link in every:
        if link.url in tokens:
            pieces += [html[at : link.start], "{{ ", VARIABLE, " }}", tokens[link.url]]
            at = link.end
    return {**part, "html": "".join((*pieces, html[at:]))} if pieces else dict(part)


async def _stored(db: Database, project: UUID, ids: Mapping[str, UUID]) -> Mapping[str, UUID]:
    """Returns the targets that have a row, with their ids: all, unless the project has too many."""
    rows = await db.fetch(_STORED, [*ids.values()])
    if len(rows) < len(ids):
        async with db.transaction() as connection:
            await connection.execute(_STORE, project, [*ids.values()], [*ids], MOST_TARGETS)
        rows = await db.fetch(_STORED, [*ids.values()])
    stored = {row["id"] for row in rows}
    return {url: id for url, id in ids.items() if id in stored}
