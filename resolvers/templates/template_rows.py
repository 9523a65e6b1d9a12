"""The rows of templates that the operations share: who sees a template, and what is published under a key."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias
from uuid import UUID

from cachetools import LRUCache
from sqlalchemy import func, select

from core.errors import BadRequest, NotFound, RateLimited, Unavailable
from db import models
from db.lists import Listing
from db.query import Reads, p
from db.session import Database
from engine.texts import plain_part, project_texts
from engine.texts.choices import best_locale
from runtime.group_commit import SharedReads
from runtime.operation import Op
from runtime.render_pool import TooComplex
from shapes.messages import MessageChannel
from shapes.sending_projects import ProjectChannel

_WORDS = models.TemplateWords
TEMPLATES = Listing(
    models.Template,
    filters={
        ("archived", "eq"): models.Template.archived_at.is_not(None) == p("archived_eq_"),
        ("text", "contains"): models.Template.id.in_(
            select(_WORDS.template_id).where(
                _WORDS.owner_id == models.Template.owner_id,
                _WORDS.words.op("@@")(func.postern_words_query(p("text_contains_"))),
            )
        ),
    },
)
MINE = models.Template.owner_id == p("owner_id")
VERSIONS = Listing(
    models.TemplateVersion,
    filters={("published", "eq"): models.TemplateVersion.number.is_not(None) == p("published_eq_")},
)
VERSIONS_MINE = models.TemplateVersion.owner_id == p("owner_id")

INDEX_WORDS: Final = """
INSERT INTO template_words (template_id, owner_id, words)
SELECT t.id, t.owner_id, array_to_tsvector(ARRAY(
    SELECT DISTINCT left(w.lexeme, 40) FROM (
      SELECT concat_ws(' ', t.key, t.name) AS body
      UNION ALL
      SELECT concat_ws(' ', x.subject, x.preheader, left(x.text, 10000),
        regexp_replace(left(x.html, 30000), '<[^>]*>', ' ', 'g'))
      FROM template_texts AS x WHERE x.version_id IN (
        (SELECT id FROM template_versions WHERE template_id = t.id AND number = t.version)
        UNION ALL (SELECT id FROM template_versions WHERE template_id = t.id AND number IS NULL
          ORDER BY updated_at DESC LIMIT 1)
      )
    ) AS texts CROSS JOIN LATERAL unnest(postern_words(texts.body)) AS w LIMIT 5000
  ))
FROM templates AS t WHERE t.id = $1
ON CONFLICT (template_id) DO UPDATE SET words = EXCLUDED.words
"""
"""Writes the words by which a template is found, after it or one of its versions was saved."""
_CACHED = 32 * 2**20  # characters of the texts of published versions that a process remembers
HEAD: Final = """
SELECT t.id, t.key, t.archived_at IS NOT NULL AS archived, t.version AS newest,
  v.id AS version_id, v.number, v.locales, v.default_locale, v.attachment_uuids
FROM templates AS t LEFT JOIN template_versions AS v ON v.template_id = t.id
  AND v.number = COALESCE({number}::int, t.version)
WHERE t.owner_id = {owner} AND t.key = {key}
"""
"""Reads what is published under a key, without its texts."""
_PUBLISHED = HEAD.format(owner="$1", key="$2", number="$3")
SECONDS_HERE: Final = 0.005
"""The seconds that a text with Liquid logic may take in the process of the API."""
_READ_MS, _RENDERED_MS = 10.0, 0.5  # that such a text may take to be read, and to be rendered without values
_LONGEST_HERE: Final = 50_000  # characters of it
_TEXTS = """
SELECT locale, subject, COALESCE(sent_text, text) AS text, COALESCE(sent_html, html) AS html FROM template_texts
WHERE version_id = $1
"""
_TEXT = f"{_TEXTS} AND locale = $2"


Measure: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, float]]]
Make: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[dict[str, Any]]]


class PublishedText(NamedTuple):
    """The text of a published version in one language. It never changes."""

    template_id: UUID
    number: int
    locale: str
    version_id: UUID
    subject: str | None
    text: str | None
    html: str | None
    attachments: Sequence[UUID]


class TextSource(NamedTuple):
    """Says from which text of a template a message comes."""

    template_id: UUID
    version: int
    locale: str


class _CompiledText(NamedTuple):
    """Holds a compiled text, and about how many characters it has."""

    text: project_texts.Compiled | None  # None: it takes long, and is rendered elsewhere
    size: int


class Published:
    """Reads published versions for messages. What never changes is remembered, up to a bound."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.heads: SharedReads[tuple[UUID, str, int | None], Any] = SharedReads(self._head)
        self._texts: LRUCache[tuple[UUID, str], PublishedText] = LRUCache(_CACHED, _size)
        self._measuring: set[tuple[UUID, str, str]] = set()
        self._complete: LRUCache[tuple[UUID, str, str], dict[str, Any]] = LRUCache(_CACHED, _content_size)
        self._compiled: LRUCache[tuple[UUID, str, str], _CompiledText] = LRUCache(
            _CACHED, lambda text: text.size
        )

    async def _head(self, request: tuple[UUID, str, int | None]) -> Any:
        """Reads the version of an owner's template by its key and number."""
        return await self._db.fetchrow(_PUBLISHED, *request)

    async def text(self, head: Any, locale: str) -> PublishedText:
        """Returns the text of a version in a language that it has."""
        key = (head["version_id"], locale)
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = await _text_of(self._db, head, locale)
        return text

    async def complete(
        self, text: PublishedText, name: str, content: dict[str, Any], make: Make
    ) -> dict[str, Any]:
        """Returns the content of a text with the text part that `make` makes of its HTML, if it lacks one.

        Raises RateLimited, Unavailable.
        """
        if not plain_part.lacks_text(content):
            return content
        key = (text.version_id, text.locale, name)
        complete = self._complete.get(key)
        if complete is None:
            try:
                complete = await make(content)
            except TooComplex:
                complete = content
            self._complete[key] = complete
        return complete

    async def compiled(
        self, text: PublishedText, name: str, content: dict[str, Any], measure: Measure
    ) -> project_texts.Compiled | None:
        """Returns the compiled content of a text, of which `name` names the parts; None: it takes long.

        A text with Liquid logic is measured elsewhere once, as that of a project is, and takes long until then.
        """
        key = (text.version_id, text.locale, name)
        compiled = self._compiled.get(key)
        if compiled is not None:
            return compiled.text
        made = None
        if project_texts.is_plain(content):
            made = project_texts.Compiled(content)
        elif key in self._measuring:
            return None
        else:
            self._measuring.add(key)
            try:
                if await _is_quick(content, measure):
                    made = project_texts.Compiled(content, SECONDS_HERE)
            except (RateLimited, Unavailable):  # a later message measures it
                return None
            except project_texts.TextError:  # by rules that are newer than it
                made = None
            finally:
                self._measuring.discard(key)
        self._compiled[key] = _CompiledText(made, _size(text) if made else 1_000)
        return made

    def render_elsewhere(self, text: PublishedText, name: str) -> None:
        """Notes that a text has taken long: it is not rendered here any more."""
        self._compiled[text.version_id, text.locale, name] = _CompiledText(None, 1_000)

    async def close(self) -> None:
        """Ends the reads at work."""
        await self.heads.close()


async def _is_quick(content: Mapping[str, Any], measure: Measure) -> bool:
    if sum(len(source) for source in project_texts.sources(content)) > _LONGEST_HERE:
        return False
    try:
        took = await measure(content)
    except TooComplex:
        return False
    return bool(took["read"] < _READ_MS and took["rendered"] < _RENDERED_MS)


def _content_size(content: Mapping[str, Any]) -> int:
    return 1_000 + sum(len(part) for part in content.values() if isinstance(part, str))


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


async def published_languages(
    db: Reads | Database, owner: UUID, key: str, number: int | None, locale: str | None
) -> list[PublishedText]:
    """Returns all texts of a published version; first the one that `published` returns. Raises as it does."""
    head = await db.fetchrow(_PUBLISHED, owner, key, number)
    require_published(head, key, number)
    first = best_locale(locale, head["locales"], head["default_locale"])
    rows = await db.fetch(_TEXTS, head["version_id"])
    return [_published_text(head, row) for row in sorted(rows, key=lambda row: row["locale"] != first)]


async def _text_of(db: Reads | Database, head: Any, locale: str) -> PublishedText:
    return _published_text(head, await db.fetchrow(_TEXT, head["version_id"], locale))


def _published_text(head: Any, row: Any) -> PublishedText:
    return PublishedText(
        head["id"],
        head["number"],
        row["locale"],
        head["version_id"],
        row["subject"],
        row["text"],
        row["html"],
        head["attachment_uuids"],
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
    locale: str,
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
            f"The template {key!r} has no {lacks} in {locale}, which {channel.value} needs. Publish a version that has"
            " it.",
            code="template_lacks_part",
            details={"part": lacks, "locale": locale},
        )
    return parts


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
