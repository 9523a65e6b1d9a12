"""Reads the text of one email, as its recipient got it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from engine import unsubscribe
from engine.blocks import ERASED
from engine.texts import bodies, project_texts, recipient_links, run_clock, web_copies
from runtime.operation import Op
from runtime.render_pool import TooComplex
from shapes.messages import MessageCategory

_OF_PROJECT: Final = """
SELECT m.id, m.owner_id, m."to", m.channel, m.variant, c.content, r.id AS recipient_id, r.name, r.variables, r.timezone,
  r.contact_id, u.locale
FROM message_records AS m JOIN users AS u ON u.id = m.owner_id
LEFT JOIN project_contents AS c ON c.project_id = m.project_id AND c.number = m.content
LEFT JOIN recipients AS r ON r.id = m.recipient_id
WHERE m.id = $1 AND m.direction = 'outbound' AND m.channel = 'email'
"""
_DIRECT: Final = """
SELECT m.id, m.owner_id, m."to", m.body, m.metadata, m.category, u.locale
FROM messages AS m JOIN users AS u ON u.id = m.owner_id
WHERE m.id = $1 AND m.direction = 'outbound' AND m.channel = 'email'
"""


@dataclass(frozen=True, slots=True)
class Letter:
    """The text of an email."""

    subject: str
    text: str
    html: str | None
    locale: str | None


async def letter_of(op: Op, id: UUID) -> tuple[UUID | None, Letter | None]:
    """Returns the owner of an email, and its text; None for what is deleted or erased. Raises RateLimited, Unavailable
    if the text can't be rendered now.
    """
    row: Any = await op.db.fetchrow(_OF_PROJECT, id)
    if row is not None:
        return row["owner_id"], await _of_project(op, row)
    row = await op.db.fetchrow(_DIRECT, id)
    return (None, None) if row is None else (row["owner_id"], _direct(op, row))


async def _of_project(op: Op, row: Any) -> Letter | None:
    """Returns the text of a project's email. Its links are those of the text, which count no clicks."""
    content = row["content"]
    if content is None or row["recipient_id"] is None or row["to"] == ERASED:
        return None
    if not unsubscribe.offered(content):  # an email that has no link to its copy
        return None
    values = run_clock.of(content, row["to"], row["timezone"])
    values |= bodies.variables(row["channel"], row["to"], row["name"], row["variables"])
    values |= recipient_links.of(
        op.services, recipient_links.variables_in(content), row["id"], row["contact_id"]
    )
    try:
        text = await _rendered(op, row["owner_id"], content, row["variant"], values)
    except (TooComplex, project_texts.TextError, project_texts.MissingVariable):
        return None
    return Letter(text.subject or "", text.body, text.html, row["locale"])


async def _rendered(
    op: Op, owner: UUID, content: Mapping[str, Any], variant: int | None, values: Mapping[str, Any]
) -> project_texts.Rendered:
    if project_texts.is_plain(content):
        return project_texts.compiled(content).render(variant, values)
    arguments = {"content": content, "variant": variant, "variables": values}
    made = await op.services.render_pool.run(owner, "render", arguments, network=op.ctx.client_network)
    if "bad" in made or "missing" in made:
        raise project_texts.TextError("The text can't be rendered again.")
    return project_texts.Rendered(made["subject"], made["body"], made["html"])


def _direct(op: Op, row: Any) -> Letter | None:
    if row["to"] == ERASED or row["category"] != MessageCategory.promotional:
        return None
    services, meta = op.services, row["metadata"]
    stop = unsubscribe.url(services.settings, services.key("unsubscribe"), row["id"])
    copy = web_copies.url(services.settings, services.key(web_copies.KEY), row["id"])

    def with_links(text: str) -> str:
        return web_copies.with_link(unsubscribe.with_link(text, stop), copy)

    html, subject = meta.get("html"), meta.get("subject")
    return Letter(
        subject if isinstance(subject, str) else "",
        with_links(row["body"]),
        with_links(html) if isinstance(html, str) and html else None,
        row["locale"],
    )
