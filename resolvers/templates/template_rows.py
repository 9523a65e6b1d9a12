"""The rows of templates that the operations share: who sees a template, and what is published under a key."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from cachetools import LRUCache

from core.errors import BadRequest, NotFound
from db import models
from db.lists import Listing
from db.query import Reads, p
from db.session import Database
from engine.texts import project_texts
from runtime.group_commit import GroupCommit
from runtime.operation import Op
from shapes.messages import MessageChannel
from shapes.sending_projects import ProjectChannel

TEMPLATES = Listing(
    models.Template,
    filters={("archived", "eq"): models.Template.archived_at.is_not(None) == p("archived_eq_")},
)
MINE = models.Template.owner_id == p("owner_id")
VERSIONS = Listing(
    models.TemplateVersion,
    filters={("published", "eq"): models.TemplateVersion.number.is_not(None) == p("published_eq_")},
)
VERSIONS_MINE = models.TemplateVersion.owner_id == p("owner_id")

_CACHED = 32 * 2**20  # characters of the texts of published versions that a process remembers
_PUBLISHED = """
SELECT t.id, t.key, t.archived_at IS NOT NULL AS archived, t.version AS newest,
  v.id AS version_id, v.number, v.locales, v.default_locale
FROM templates AS t LEFT JOIN template_versions AS v ON v.template_id = t.id AND v.number = COALESCE($3::int, t.version)
WHERE t.owner_id = $1 AND t.key = $2
"""
_TEXT = """
SELECT subject, COALESCE(sent_text, text) AS text, COALESCE(sent_html, html) AS html FROM template_texts
WHERE version_id = $1 AND locale = $2
"""


class PublishedText(NamedTuple):
    """The text of a published version in one language. It never changes."""

    template_id: UUID
    number: int
    locale: str
    version_id: UUID
    subject: str | None
    text: str | None
    html: str | None


class TextSource(NamedTuple):
    """Says from which text of a template a message comes."""

    template_id: UUID
    version: int
    locale: str


class _CompiledText(NamedTuple):
    """Holds a compiled text, and about how many characters it has."""

    plain: project_texts.Compiled | None  # None: it has Liquid logic, and is rendered elsewhere
    size: int


class Published:
    """Reads published versions for messages. What never changes is remembered, up to a bound."""

    def __init__(self, db: Database) -> None:
        self._db = db
        # Concurrent requests for one template share a read that begins after they have arrived.
        self.heads: GroupCommit[tuple[UUID, str, int | None], Any] = GroupCommit(self._heads)
        self._texts: LRUCache[tuple[UUID, str], PublishedText] = LRUCache(_CACHED, _size)
        self._compiled: LRUCache[tuple[UUID, str, str], _CompiledText] = LRUCache(
            _CACHED, lambda text: text.size
        )

    async def _heads(self, requests: Sequence[tuple[UUID, str, int | None]]) -> Sequence[Any]:
        """Reads the version of requests that are all the same: owner, key, number."""
        row = await self._db.fetchrow(_PUBLISHED, *requests[0])
        return [row] * len(requests)

    async def text(self, head: Any, locale: str) -> PublishedText:
        """Returns the text of a version in a language that it has."""
        key = (head["version_id"], locale)
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = await _text_of(self._db, head, locale)
        return text

    def plain(self, text: PublishedText, name: str, content: dict[str, Any]) -> project_texts.Compiled | None:
        """Returns the compiled content of a text, of which `name` names the parts; None: it has Liquid logic."""
        key = (text.version_id, text.locale, name)
        compiled = self._compiled.get(key)
        if compiled is None:
            plain = project_texts.Compiled(content) if project_texts.is_plain(content) else None
            compiled = self._compiled[key] = _CompiledText(plain, _size(text) if plain else 1_000)
        return compiled.plain

    async def close(self) -> None:
        """Ends the reads at work."""
        await self.heads.close()


def _size(text: PublishedText) -> int:
    return 1_000 + sum(len(part) for part in (text.subject, text.text, text.html) if part)


async def published(
    db: Reads | Database, owner: UUID, key: str, number: int | None, locale: str | None
) -> PublishedText:
    """Returns the published text of an owner's template in the language that fits best.

    Raises NotFound (`template_not_found`, `template_version_not_found`), BadRequest (`template_archived`,
    `template_not_published`).
    """
    head = await db.fetchrow(_PUBLISHED, owner, key, number)
    require_published(head, key, number)
    return await _text_of(db, head, best_locale(locale, head["locales"], head["default_locale"]))


async def _text_of(db: Reads | Database, head: Any, locale: str) -> PublishedText:
    row = await db.fetchrow(_TEXT, head["version_id"], locale)
    return PublishedText(
        head["id"],
        head["number"],
        locale,
        head["version_id"],
        row["subject"],
        row["text"],
        row["html"],
    )


def require_published(head: Any, key: str, number: int | None) -> None:
    """Raises NotFound or BadRequest unless a version of a template can be used."""
    if head is None:
        raise NotFound(
            f"You have no template {key!r}. Make one with POST /templates, or check the key.",
            code="template_not_found",
        )
    if head["archived"]:
        raise BadRequest(
            f"The template {key!r} is archived. Name another one, or take it back into use.",
            code="template_archived",
        )
    if head["newest"] is None:
        raise BadRequest(
            f"No version of the template {key!r} is published. Publish one first.",
            code="template_not_published",
        )
    if head["version_id"] is None:
        raise NotFound(
            f"The template {key!r} has no version {number}; the newest one is {head['newest']}. Check the number.",
            code="template_version_not_found",
        )


def parts_of(
    channel: MessageChannel | ProjectChannel,
    subject: str | None,
    text: str | None,
    html: str | None,
    key: str,
) -> dict[str, Any]:
    """Returns the parts of a text that a channel sends. Raises BadRequest (`template_lacks_part`)."""
    email = channel.value == ProjectChannel.email
    parts = {"subject": None, "html": html if email else None, "text": text}
    if email or channel.value == ProjectChannel.push:
        parts["subject"] = subject
    lacks = (
        "subject" if email and subject is None else "text" if text is None and parts["html"] is None else None
    )
    if lacks is not None:
        raise BadRequest(
            f"The template {key!r} has no {lacks}, which {channel.value} needs. Publish a version that has it.",
            code="template_lacks_part",
            details={"part": lacks},
        )
    return parts


def best_locale(asked: str | None, locales: Sequence[str], default: str) -> str:
    """Returns the language that is taken: the one asked for, else one of its shorter tags, else the default."""
    by_tag = {locale.lower(): locale for locale in locales}
    tag = (asked or "").lower()
    while tag:
        if tag in by_tag:
            return by_tag[tag]
        tag = tag.rpartition("-")[0]
    return default


async def visible(op: Op, id: UUID, db: Any = None) -> models.Template:
    """Returns one of the caller's templates, or any for an administrator. Raises NotFound."""
    (row,) = await TEMPLATES.by_ids(db or op.db, [id], None, *op.own(MINE), owner_id=op.viewer.id)
    if row is None:
        raise unknown()
    return row


async def visible_version(op: Op, id: UUID, db: Any = None) -> models.TemplateVersion:
    """Returns one of the caller's versions, or any for an administrator. Raises NotFound."""
    (row,) = await VERSIONS.by_ids(db or op.db, [id], None, *op.own(VERSIONS_MINE), owner_id=op.viewer.id)
    if row is None:
        raise unknown_version()
    return row


def unknown() -> NotFound:
    """Returns the error for a template that is not there, or another owner's."""
    return NotFound("There is no template with this id among yours. Check the id.", code="template_not_found")


def unknown_version() -> NotFound:
    """Returns the error for a version that is not there, or another owner's."""
    return NotFound(
        "There is no version with this id among those of your templates. Check the id.",
        code="template_version_not_found",
    )
