"""Templates: texts with a key. Their versions are in resolvers/template_versions."""

from collections.abc import Sequence
from uuid import UUID

from core.errors import BadRequest, Conflict
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, PageArgs
from db.query import returning
from resolvers.templates.template_rows import INDEX_WORDS, MINE, TEMPLATES, unknown, visible
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.templates import (
    MOST_ARCHIVED,
    MOST_TEMPLATES,
    MOST_USES,
    NewTemplate,
    TemplatePatch,
    TemplateUses,
    UsingProject,
    UsingRepeatable,
    UsingTemplate,
)

_COLUMNS = returning(models.Template, "templates")
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('templates:' || $1::uuid::text, 0))"
_COUNTS = """
SELECT count(*) FILTER (WHERE archived_at IS NULL) AS used, count(*) AS stored FROM templates WHERE owner_id = $1
"""
_ADD = f"""
INSERT INTO templates (id, owner_id, key, name, category) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (owner_id, key) DO NOTHING RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_CHANGE = f"""
UPDATE templates SET name = COALESCE($4, name), category = COALESCE($5, category), updated_at = now()
WHERE id = $1 AND ($2 OR owner_id = $3) RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_ARCHIVE = f"""
UPDATE templates SET archived_at = CASE WHEN $4 THEN COALESCE(archived_at, now()) END, updated_at = now()
WHERE id = $1 AND ($2 OR owner_id = $3) RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_OWNER = "SELECT owner_id FROM templates WHERE id = $1 AND ($2 OR owner_id = $3) FOR UPDATE"
_PUBLISHED = "SELECT version IS NOT NULL FROM templates WHERE id = $1"
_DELETE = "DELETE FROM templates WHERE id = $1"
_USING = f"""
SELECT t.id AS template_id, t.key, v.id AS version_id, v.number AS version, (part ->> 'number')::int AS used_version
FROM template_versions AS v JOIN templates AS t ON t.id = v.template_id
CROSS JOIN LATERAL (SELECT value AS part FROM jsonb_array_elements(v.parts) WHERE value ->> 'key' = $2 LIMIT 1) AS p
WHERE v.owner_id = $1 ORDER BY v.id DESC LIMIT {MOST_USES + 1}
"""  # noqa: S608  our own number
_PROJECTS = f"""
SELECT id AS project_uuid, name, status, template_version AS used_version FROM sending_projects
WHERE template_id = $1 AND status <> 'deleted' ORDER BY id DESC LIMIT {MOST_USES + 1}
"""  # noqa: S608  our own number
_REPEATABLES = f"""
SELECT id AS repeatable_uuid, name, status, (template ->> 'templateVersion')::int AS used_version
FROM repeatable_projects WHERE template ->> 'templateId' = $1 AND owner_id = $2 AND deleted_at IS NULL
ORDER BY id DESC LIMIT {MOST_USES + 1}
"""  # noqa: S608  our own number


@operation(Permission.projects_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Template]:
    """Lists your templates, newest first; administrators get those of all users."""
    return await TEMPLATES.page(op.db, page_args, where, *op.own(MINE), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def get(op: Op, id: UUID) -> models.Template:
    """Returns one template. Raises NotFound."""
    return await visible(op, id)


@operation(Permission.projects_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.Template | None]:
    """Returns templates by id. An id that the caller may not see gives None."""
    return await TEMPLATES.by_ids(op.db, ids, column_names, *op.own(MINE), owner_id=op.viewer.id)


@operation(Permission.projects_write, "sql", idempotent=stored_model(models.Template))
async def create(op: Op, input: NewTemplate) -> models.Template:
    """Adds a template, without a text. Raises Conflict (`template_exists`), BadRequest (`too_many_templates`)."""
    db, owner = op.connection, op.viewer.id
    await db.execute(_LOCK, owner)
    await _require_room(op, owner, MOST_ARCHIVED)
    row: models.Template | None = await db.fetchrow(
        _ADD, uuid7(), owner, input.key, input.name, input.category.value
    )
    if row is None:
        raise Conflict(
            f"You have a template {input.key!r} already. Save a version of that one, or choose another key.",
            code="template_exists",
        )
    await db.execute(INDEX_WORDS, row.id)
    return row


@operation(Permission.projects_write, "sql")
async def update(op: Op, id: UUID, input: TemplatePatch) -> models.Template:
    """Changes the name or the category of a template. Raises NotFound."""
    category = None if input.category is None else input.category.value
    row: models.Template | None = await op.connection.fetchrow(
        _CHANGE, id, op.viewer.admin, op.viewer.id, input.name, category
    )
    if row is None:
        raise unknown()
    await op.connection.execute(INDEX_WORDS, id)
    return row


@operation(Permission.projects_write, "sql")
async def archive(op: Op, id: UUID) -> models.Template:
    """Archives a template: nothing new is made from it. What was made from it, and what it was put into, stays.

    Raises NotFound.
    """
    return await _set_archived(op, id, archived=True)


@operation(Permission.projects_write, "sql")
async def unarchive(op: Op, id: UUID) -> models.Template:
    """Takes an archived template back into use. Raises NotFound, BadRequest (`too_many_templates`)."""
    owner = await _locked(op, id)
    await op.connection.execute(_LOCK, owner)
    await _require_room(op, owner)
    return await _set_archived(op, id, archived=False)


@operation(Permission.projects_write, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a template of which no version was published, with its drafts. Raises NotFound, Conflict
    (`template_published`).
    """
    await _locked(op, id)
    if await op.connection.fetchval(_PUBLISHED, id):
        raise Conflict(
            "A version of this template was published, and stays readable. Archive the template instead.",
            code="template_published",
        )
    await op.connection.execute(_DELETE, id)


@operation(Permission.projects_read, "read")
async def used_by(op: Op, id: UUID) -> TemplateUses:
    """Returns the templates that have a template as their layout or as a partial, and the projects and repeatable
    projects with its texts.

    Raises NotFound.
    """
    template = await visible(op, id)
    templates = await op.db.fetch(_USING, template.owner_id, template.key)
    projects = await op.db.fetch(_PROJECTS, id)
    repeatables = await op.db.fetch(_REPEATABLES, str(id), template.owner_id)
    return TemplateUses(
        templates=[UsingTemplate(**row) for row in templates[:MOST_USES]],
        projects=[UsingProject(**row) for row in projects[:MOST_USES]],
        repeatables=[UsingRepeatable(**row) for row in repeatables[:MOST_USES]],
        more=any(len(rows) > MOST_USES for rows in (templates, projects, repeatables)),
    )


async def _locked(op: Op, id: UUID) -> UUID:
    """Locks a template. Returns its owner. Raises NotFound."""
    owner: UUID | None = await op.connection.fetchval(_OWNER, id, op.viewer.admin, op.viewer.id)
    if owner is None:
        raise unknown()
    return owner


async def _set_archived(op: Op, id: UUID, *, archived: bool) -> models.Template:
    row: models.Template | None = await op.connection.fetchrow(
        _ARCHIVE, id, op.viewer.admin, op.viewer.id, archived
    )
    if row is None:
        raise unknown()
    return row


async def _require_room(op: Op, owner: UUID, most_stored: int = MOST_ARCHIVED + 1) -> None:
    counts = await op.connection.fetchrow(_COUNTS, owner)
    if counts["used"] >= MOST_TEMPLATES or counts["stored"] >= most_stored:
        raise BadRequest(
            f"You may have at most {MOST_TEMPLATES} templates, and {MOST_ARCHIVED} with archived ones. Archive one, or"
            " delete one that was never published.",
            code="too_many_templates",
        )
