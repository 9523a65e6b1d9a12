"""Versions of templates: drafts are saved again and again, what is published never changes."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple
from uuid import UUID

from core.errors import BadRequest, Conflict
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, PageArgs
from db.query import returning
from resolvers.project_content import run_task
from resolvers.template_versions import previewing
from resolvers.template_versions.composing import Composition, compose, draft_parts
from resolvers.templates.template_files import require_files
from resolvers.templates.template_rows import (
    INDEX_WORDS,
    VERSIONS,
    VERSIONS_MINE,
    unknown,
    unknown_version,
    visible,
    visible_version,
)
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.template_versions import (
    LONGEST_DIFF,
    MOST_DRAFTS,
    MOST_VERSIONS,
    PartDifference,
    PreviewTemplate,
    PreviewTemplateVersion,
    SaveTemplateVersion,
    TemplateDiff,
    TemplatePart,
    TemplatePreview,
    TemplateText,
)

_COLUMNS = returning(models.TemplateVersion, "template_versions")
_TEMPLATE = "SELECT owner_id FROM templates WHERE id = $1 AND ($2 OR owner_id = $3) FOR NO KEY UPDATE"
_DRAFTS = "SELECT count(*) FROM template_versions WHERE template_id = $1 AND number IS NULL"
_ADD = f"""
INSERT INTO template_versions (locales, default_locale, layout_key, test_data, parts, name, attachment_uuids, saved_by,
  id, owner_id, template_id, made_by)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $8) RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_CHANGE = f"""
UPDATE template_versions SET locales = $1, default_locale = $2, layout_key = $3, test_data = $4, parts = $5,
  name = $6, attachment_uuids = $7, saved_by = $8, updated_at = now()
WHERE id = $9 AND number IS NULL RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_LOCK = """
SELECT number, updated_at FROM template_versions WHERE id = $1 AND ($2 OR owner_id = $3) FOR UPDATE
"""
_CLEAR = "DELETE FROM template_texts WHERE version_id = $1"
_ADD_TEXT = """
INSERT INTO template_texts (version_id, owner_id, locale, subject, preheader, text, html, source)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
_WRITTEN = ("locale", "subject", "preheader", "text", "html", "source")
_DELETE = "DELETE FROM template_versions WHERE id = $1 RETURNING template_id"
_LOCK_TEMPLATE = "SELECT version, archived_at FROM templates WHERE id = $1 FOR NO KEY UPDATE"
_NUMBER = "UPDATE templates SET version = $2, updated_at = now() WHERE id = $1"
_PUBLISH = f"""
UPDATE template_versions SET number = $2, parts = $3, published_by = $4, problems = $5, published_at = now(),
  updated_at = now()
WHERE id = $1 AND number IS NULL RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_SENT = """
UPDATE template_texts SET sent_text = NULLIF($3, text), sent_html = NULLIF($4, html), variable_names = $5,
  required_variables = $6
WHERE version_id = $1 AND locale = $2
"""
_TEXTS = """
SELECT version_id, locale, subject, preheader, text, html, source, variable_names AS variables, required_variables
FROM template_texts WHERE version_id = ANY($1) ORDER BY version_id, locale
"""


@operation(Permission.projects_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.TemplateVersion]:
    """Lists the versions of your templates, newest first; administrators get those of all users."""
    return await VERSIONS.page(op.db, page_args, where, *op.own(VERSIONS_MINE), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def of_templates(
    op: Op, templates: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.TemplateVersion]]:
    """Returns one page of versions for each template."""
    return await VERSIONS.pages(
        op.db,
        models.TemplateVersion.template_id,
        templates,
        page_args,
        where,
        *op.own(VERSIONS_MINE),
        owner_id=op.viewer.id,
    )


@operation(Permission.projects_read, "read")
async def get(op: Op, id: UUID) -> models.TemplateVersion:
    """Returns one version. Raises NotFound."""
    return await visible_version(op, id)


@operation(Permission.projects_read, "read")
async def texts_of(op: Op, versions: Sequence[UUID]) -> Sequence[Sequence[TemplateText]]:
    """Returns the texts of versions that the caller may see, by language."""
    return await _texts(op, versions)


@operation(Permission.projects_read, "read")
async def with_texts(op: Op, id: UUID) -> Any:
    """Returns one version, with its texts. Raises NotFound."""
    row = await visible_version(op, id)
    (texts,) = await _texts(op, [id])
    return SimpleNamespace(**{name: getattr(row, name) for name in _names()}, texts=texts)


@operation(Permission.projects_write, "sql", idempotent=stored_model(models.TemplateVersion))
async def save(op: Op, template: UUID, input: SaveTemplateVersion) -> models.TemplateVersion:
    """Saves a new version of a template, as a draft. A template may have twenty drafts. Raises NotFound, BadRequest
    (`too_many_drafts`).
    """
    db = op.connection
    owner = await db.fetchval(_TEMPLATE, template, op.viewer.admin, op.viewer.id)
    if owner is None:
        raise unknown()
    if await db.fetchval(_DRAFTS, template) >= MOST_DRAFTS:
        raise BadRequest(
            f"This template has {MOST_DRAFTS} drafts. Delete one, or save one of them again.",
            code="too_many_drafts",
        )
    row: models.TemplateVersion = await db.fetchrow(_ADD, *_values(op, input), uuid7(), owner, template)
    await _add_texts(op, row, input)
    await db.execute(INDEX_WORDS, template)
    return row


@operation(Permission.projects_write, "sql")
async def change(op: Op, id: UUID, input: SaveTemplateVersion) -> models.TemplateVersion:
    """Saves a draft again; all of it is replaced. Raises NotFound, Conflict (`version_published`)."""
    await _locked_draft(op, id)
    row: models.TemplateVersion = await op.connection.fetchrow(_CHANGE, *_values(op, input), id)
    await op.connection.execute(_CLEAR, id)
    await _add_texts(op, row, input)
    await op.connection.execute(INDEX_WORDS, row.template_id)
    return row


@operation(Permission.projects_write, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a draft. Raises NotFound, Conflict (`version_published`)."""
    await _locked_draft(op, id)
    template = await op.connection.fetchval(_DELETE, id)
    await op.connection.execute(INDEX_WORDS, template)


class _Composed(NamedTuple):
    """Holds a draft as it was read, and what it is with its layout and its partials."""

    draft: models.TemplateVersion
    composition: Composition


async def _compose(op: Op, id: UUID) -> _Composed | None:
    """Returns a draft composed; None for a version that is published already."""
    draft = await visible_version(op, id)
    if draft.number is not None:
        return None
    template = await visible(op, draft.template_id)
    texts = await op.db.fetch(_TEXTS, [id])
    return _Composed(draft, await compose(op, draft, template, texts))


@operation(Permission.projects_write, "sql", before=_compose, idempotent=stored_model(models.TemplateVersion))
async def publish(op: Op, id: UUID) -> models.TemplateVersion:
    """Publishes a draft: it gets the next number, and its layout and partials are put into it as they are now. It
    never changes again. A version that is published already is returned as it is.

    Raises NotFound (also `file_not_found`), Conflict (`draft_changed`), RateLimited, Unavailable, BadRequest
    (`template_archived`, `too_many_versions`, `bad_attachments`, and what `compose` raises).
    """
    if op.prepared is None:
        return await visible_version(op, id, op.reads)
    db, (draft, composition) = op.connection, op.prepared
    template = await db.fetchrow(_LOCK_TEMPLATE, draft.template_id)
    row = await db.fetchrow(_LOCK, id, op.viewer.admin, op.viewer.id)
    if template is None or row is None:
        raise unknown_version()
    if row["number"] is not None:
        return await visible_version(op, id, op.reads)
    if row["updated_at"] != draft.updated_at:
        raise Conflict(
            "This draft was saved again meanwhile. Read it, and publish it then.", code="draft_changed"
        )
    number = (template["version"] or 0) + 1
    _require_publishable(template["archived_at"], number)
    await db.execute(_NUMBER, draft.template_id, number)
    await require_files(db, draft.owner_id, draft.attachment_uuids)
    published: models.TemplateVersion = await db.fetchrow(
        _PUBLISH, id, number, composition.parts, op.viewer.actor_id, composition.problems
    )
    for locale, text in composition.texts.items():
        await db.execute(_SENT, id, locale, text["text"], text["html"], text["variables"], text["required"])
    await db.execute(INDEX_WORDS, draft.template_id)
    return published


def _require_publishable(archived_at: Any, number: int) -> None:
    if archived_at is not None:
        raise BadRequest(
            "This template is archived. Take it back into use, and publish then.", code="template_archived"
        )
    if number > MOST_VERSIONS:
        raise BadRequest(
            f"A template has at most {MOST_VERSIONS} published versions. Make another template.",
            code="too_many_versions",
        )


@operation(Permission.projects_read, "read")
async def preview(op: Op, id: UUID, input: PreviewTemplateVersion) -> TemplatePreview:
    """Renders a version; a draft with its layout and partials as they are now. Raises NotFound (version, contact,
    recipient, audience), BadRequest (`template_lacks_part`, and what publishing it raises), RateLimited, Unavailable.
    """
    return await previewing.preview(op, await visible_version(op, id), input)


@operation(Permission.projects_read, "read")
async def preview_unsaved(op: Op, template: UUID, input: PreviewTemplate) -> TemplatePreview:
    """Renders a version that is not saved, with its layout and partials as they are now. Nothing is stored.

    Raises NotFound (template, contact, recipient, audience), BadRequest (`template_lacks_part`, and what publishing it
    raises), RateLimited, Unavailable.
    """
    return await previewing.preview_unsaved(op, template, input)


@operation(Permission.projects_read, "read")
async def diff(op: Op, id: UUID, against: UUID) -> TemplateDiff:
    """Returns what a version has changed compared with another one of the same template, as its author wrote both.

    Raises NotFound, BadRequest (`other_template`, `text_too_complex`), RateLimited, Unavailable.
    """
    new, old = await visible_version(op, id), await visible_version(op, against)
    if new.template_id != old.template_id:
        raise BadRequest(
            "These are versions of two templates. Name two versions of one template.", code="other_template"
        )
    old_texts, new_texts = await _texts(op, [against, id])
    pairs = [*_pairs(old_texts, new_texts)]
    differences: Sequence[Any] = ()
    if pairs:
        differences = await run_task(
            op, "differences", {"pairs": [texts for _, _, texts in pairs], "most": LONGEST_DIFF}
        )
    parts = [
        PartDifference(locale=locale, part=part, difference=text, truncated=truncated)
        for (locale, part, _), (text, truncated) in zip(pairs, differences, strict=True)
    ]
    return TemplateDiff(parts=parts, layout=old.layout_key != new.layout_key)


def _pairs(old: Sequence[TemplateText], new: Sequence[TemplateText]) -> Any:
    """Yields the parts that differ: language, part, both texts."""
    by_locale = [{text.locale: text for text in texts} for texts in (old, new)]
    for locale in sorted({*by_locale[0], *by_locale[1]}):
        for part in TemplatePart:
            texts = [getattr(each.get(locale), part.value, None) or "" for each in by_locale]
            if texts[0] != texts[1]:
                yield locale, part, texts


async def _texts(op: Op, versions: Sequence[UUID]) -> list[list[TemplateText]]:
    texts: dict[UUID, list[TemplateText]] = {id: [] for id in versions}
    for row in await op.db.fetch(_TEXTS, [*texts]):
        text = {name: row[name] for name in TemplateText.model_fields}
        texts[row["version_id"]].append(TemplateText.model_construct(**text))
    return [texts[id] for id in versions]


def _names() -> Sequence[str]:
    return [column.key for column in models.TemplateVersion.__table__.columns]


def _values(op: Op, input: SaveTemplateVersion) -> tuple[Any, ...]:
    """Returns the columns of a draft, in the order of its statements."""
    locales = [text.locale for text in input.texts]
    default = (input.default_locale or locales[0]).lower()
    return (
        sorted(locales),
        next(locale for locale in locales if locale.lower() == default),
        input.layout_key,
        input.test_data or {},
        draft_parts(input.layout_key, input.texts),
        input.name,
        input.attachment_uuids,
        op.viewer.actor_id,
    )


async def _add_texts(op: Op, row: models.TemplateVersion, input: SaveTemplateVersion) -> None:
    await op.connection.executemany(
        _ADD_TEXT,
        [(row.id, row.owner_id, *(getattr(text, name) for name in _WRITTEN)) for text in input.texts],
    )


async def _locked_draft(op: Op, id: UUID) -> None:
    """Locks a draft. Raises NotFound, Conflict (`version_published`)."""
    row = await op.connection.fetchrow(_LOCK, id, op.viewer.admin, op.viewer.id)
    if row is None:
        raise unknown_version()
    if row["number"] is not None:
        raise _is_published()


def _is_published() -> Conflict:
    return Conflict(
        "This version is published, and never changes. Save another version of the template.",
        code="version_published",
    )
