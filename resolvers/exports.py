"""Export links (contract §3). `engine/exports/` writes the files; contacts from integrations arrive here."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal
from uuid import UUID

import orjson
from pydantic import Field, ValidationError
from sqlalchemy import exists, func, select, text

from core.errors import BadRequest, Conflict, NotFound, ValidationFailed
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import of, p
from db.session import driver_connection
from engine.exports import export_links
from engine.exports.rights import starter_of
from engine.exports.sources import SOURCES, allowed
from engine.jobs import JobName, enqueue
from engine.projects.states import ALL_EDITABLE
from resolvers.auth.token_rows import maker_of
from resolvers.recipient_addresses import spelled
from resolvers.recipients.recipient_checks import check_recipients
from resolvers.sending_projects.project_rows import require_messages
from runtime import links
from runtime.idempotency import stored_model
from runtime.operation import Op, operation, require
from runtime.permissions import Permission
from shapes.exports import (
    FILTERS,
    ExportLink,
    ExportSource,
    ExportStatus,
    ExportVariable,
    HandleExport,
    StartExport,
)
from shapes.recipients import InvalidRecipient
from shapes.sending_projects import ProjectChannel, ProjectStatus

AT_ONCE = 10
"""One user may have so many unfinished export links."""

_OPEN = (ExportStatus.created.value, ExportStatus.running.value)
_REASONS_LISTED = 3  # rejected items whose reason is listed
_NAME = "SELECT original_name FROM files WHERE id = $1"

_BY_ID = of(models.ExportLink, models.ExportLink.id == p("id"))
_OF_CONTACT = "export_links.source = 'person' AND export_links.filters ->> 'contactUuid' = {}"
_LISTS = Listing(
    models.ExportLink,
    filters={
        ("contact_id", "eq"): text(_OF_CONTACT.format("CAST(CAST(:contact_id_eq_ AS uuid) AS text)")),
        ("contact_id", "in_"): text(
            _OF_CONTACT.format("ANY(CAST(CAST(:contact_id_in__ AS uuid[]) AS text[]))")
        ),
    },
    without=("claim_id", "tries", "scopes", "api_token_id"),
)
_MINE = models.ExportLink.owner_id == p("owner_id")
# People have started these for themselves.
_SELF_SERVICE = exists().where(models.SelfServiceRequest.export_link_id == models.ExportLink.id)
_ITEM_FIELDS = (
    ExportVariable(name="phone", label="Phone", example="+14155550100"),
    ExportVariable(name="address", label="Email address, device token, …", example="ann@example.com"),
    ExportVariable(name="name", label="Name", example="Ann"),
    ExportVariable(name="timezone", label="Time zone", example="Europe/Riga"),
    ExportVariable(name="variables", label="What texts may name beside it", example='{"city": "Riga"}'),
)


class Signed(ExportLink):
    """An export link with its owner's id, which no door shows; GraphQL's relations need it."""

    owner_id: Annotated[UUID, Field(exclude=True)]


@operation(Permission.exports_write, idempotent=stored_model(models.ExportLink))
async def start(op: Op, input: StartExport) -> models.ExportLink:
    """Exports data to a file in the background, or opens a link through which an integration delivers contacts.

    A link of an integration stays open for pages of contacts. Raises ValidationFailed (filters, columns), NotFound
    (project), Conflict (state, too many unfinished links).
    """
    return await started(op, input)


async def started(op: Op, input: StartExport) -> models.ExportLink:
    """Does what `start` does, for another operation."""
    filters, columns = _checked(op, input)
    is_file = input.source in SOURCES
    require(op.viewer, SOURCES[input.source].permission if is_file else Permission.recipients_write)
    if input.sending_project_uuid is not None:
        project = await _project(op, input.sending_project_uuid)
        if input.source not in SOURCES:
            _require_editable(project)
        require_messages(project.messages_deleted_at)
    # The lock on the user's row keeps two concurrent requests from both creating the last allowed link.
    await op.session.execute(
        select(models.User.id).where(models.User.id == op.viewer.id).with_for_update(key_share=True)
    )
    row = models.ExportLink
    living = await op.session.scalar(
        select(func.count())
        .select_from(row)
        .where(row.owner_id == op.viewer.id, row.status.in_(_OPEN), ~_SELF_SERVICE)
    )
    if living is not None and living >= AT_ONCE:
        raise Conflict(
            f"You have {AT_ONCE} unfinished exports, the most at once. Wait until one is finished, or"
            " cancel one.",
            code="too_many_exports",
        )
    maker = await maker_of(op, await driver_connection(op.session), Permission.exports_write)
    link = models.ExportLink(
        id=uuid7(),
        owner_id=op.viewer.id,
        source=input.source,
        format=input.format.value,
        filters=filters,
        columns=columns,
        sending_project_uuid=input.sending_project_uuid,
        **asdict(starter_of(op.viewer, maker)),
    )
    op.session.add(link)
    await op.session.flush()
    await op.session.refresh(link)
    if input.source in SOURCES:
        await enqueue(await driver_connection(op.session), JobName.write_export, link.id)
    return link


@operation(Permission.exports_write, idempotent=stored_model(models.ExportLink))
async def handle(op: Op, input: HandleExport) -> models.ExportLink:
    """Accepts a page of an integration's contacts and adds them as recipients to the link's project.

    Known addresses are not added again; invalid contacts are left out and listed in `status_reason`. Raises NotFound,
    BadRequest (the link writes a file), Conflict (the link or the project takes no more contacts).
    """
    require(op.viewer, Permission.recipients_write)
    link = await op.session.get(models.ExportLink, input.export_link_uuid, with_for_update=True)
    if link is None or not _sees(op, link):
        raise _unknown()
    if link.source in SOURCES or link.sending_project_uuid is None:
        raise BadRequest(
            f"An export link of {link.source} writes a file and takes no contacts. Send contacts to a link"
            " of an integration.",
            code="not_an_integration",
        )
    if link.status not in _OPEN:
        raise Conflict(f"This export link is {link.status}. Create another one.", code="export_not_open")
    project = await _project(op, link.sending_project_uuid, link.owner_id)
    _require_editable(project)
    checked = await asyncio.to_thread(
        check_recipients,
        [*input.items],
        ProjectChannel(project.channel),
        op.services.settings.default_region,
        op.services.guard,
    )
    contacts = [
        export_links.Contact(
            address, contact.name, orjson.dumps(contact.variables or {}).decode(), contact.timezone
        )
        for address, contact in checked.good.items()
    ]
    connection = await driver_connection(op.session)
    link.done += await export_links.add(connection, project.id, contacts)
    link.total += len(input.items)
    link.status = (ExportStatus.ready if input.done else ExportStatus.running).value
    link.status_reason = _left_out(checked.invalid)
    await op.session.flush()
    await op.session.refresh(link)
    return link


@operation(Permission.exports_write)
async def cancel(op: Op, id: UUID) -> models.ExportLink:
    """Cancels an export, or closes an integration's link.

    A running worker stops at its next page. A link that is canceled already is no error. Raises NotFound, Conflict.
    """
    link = await op.session.get(models.ExportLink, id, with_for_update=True)
    if link is None or not _sees(op, link):
        raise _unknown()
    if link.status in _OPEN:
        link.status = ExportStatus.canceled.value
        await op.session.flush()
        await op.session.refresh(link)
    elif link.status != ExportStatus.canceled:
        raise Conflict(
            f"This export link is already {link.status} and can't be changed. Create another one.",
            code="export_not_open",
        )
    return link


@operation(Permission.exports_read, "read")
async def get(op: Op, id: UUID) -> Signed:
    """Returns the progress of an export, and a signed link to the file once it is ready. Raises NotFound."""
    row: Any = await _BY_ID.first(op.db, id=id)
    if row is None or not _sees(op, row):
        raise _unknown()
    fields = {name: row[name] for name in ExportLink.model_fields if name != "url"}
    name = await op.db.fetchval(_NAME, row.file_uuid) if row.file_uuid is not None else None
    url = links.file_url(op.services, name, op.ctx.link_maker) if name is not None else None
    return Signed(**fields, url=url, owner_id=row.owner_id)


@operation(Permission.exports_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.ExportLink]:
    """Lists your export links, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.exports_read, "read")
async def related(
    op: Op,
    by: Literal["owner_id", "sending_project_uuid", "file_uuid"],
    parents: Sequence[UUID],
    page_args: PageArgs,
    where: Conditions,
) -> Sequence[CursorPage[models.ExportLink]]:
    """Returns one page of export links for each owner, each project or each file."""
    column = getattr(models.ExportLink, by)
    return await _LISTS.pages(op.db, column, parents, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.exports_read, "read")
async def variables(op: Op, source: str) -> Sequence[ExportVariable]:
    """Lists the columns of an export source, or the fields that an integration's items may have. Raises NotFound."""
    if source not in SOURCES:
        _refuse_misspelled(source)
        return _ITEM_FIELDS
    return [
        ExportVariable(name=column.name, label=column.label, example=column.example)
        for column in SOURCES[source].columns
    ]


def _refuse_misspelled(source: str) -> None:
    """Raises NotFound for a misspelt name of our sources, which would otherwise name an integration."""
    for name in SOURCES:
        if _squeezed(name) == _squeezed(source):
            raise NotFound(
                f"There is no source {source}. Did you mean {name}?", code="export_source_not_found"
            )


def _squeezed(source: str) -> str:
    return source.replace("-", "").removesuffix("s")


def _checked(op: Op, input: StartExport) -> tuple[dict[str, Any], Sequence[str]]:
    """Returns the filters as they are stored, and the columns. Raises ValidationFailed."""
    if input.source not in SOURCES:
        _refuse_misspelled(input.source)
        if input.sending_project_uuid is None:
            raise ValidationFailed(["sendingProjectUuid: is required, the contacts become its recipients"])
        return input.filters, input.columns
    if input.source == ExportSource.recipients and input.sending_project_uuid is None:
        raise ValidationFailed(["sendingProjectUuid: is required for recipients"])
    if input.sending_project_uuid is not None and input.source not in (
        ExportSource.messages,
        ExportSource.recipients,
    ):
        raise ValidationFailed(
            [f"sendingProjectUuid: {input.source} do not belong to one project; leave it out"]
        )
    strange = [name for name in input.columns if not allowed(input.source, name)]
    if strange or len(set(input.columns)) < len(input.columns):
        problem = (
            f"{', '.join(map(repr, strange[:5]))} is not a column"
            if strange
            else "each column may be named once"
        )
        raise ValidationFailed(
            [f"columns: {problem}; GET /export-link/variables/{input.source} lists all columns"]
        )
    try:
        filters: Any = FILTERS[input.source].model_validate(input.filters)
    except ValidationError as error:
        names = ", ".join(field.alias or name for name, field in FILTERS[input.source].model_fields.items())
        problems = [
            f"filters.{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()[:20]
        ]
        raise ValidationFailed([*problems, f"filters: {input.source} has {names}"]) from error
    if getattr(filters, "phone", None) is not None:
        filters.phone = spelled(filters.phone, op.services.settings.default_region)
    stored: dict[str, Any] = filters.model_dump(mode="json", by_alias=True, exclude_none=True)
    return stored, input.columns


async def _project(op: Op, id: UUID, owner: UUID | None = None) -> models.SendingProject:
    """Returns the project, locked so that it can't start while recipients are added. Raises NotFound."""
    project = await op.session.get(models.SendingProject, id, with_for_update={"key_share": True})
    owner = owner or (None if op.viewer.admin else op.viewer.id)
    if project is None or project.status == ProjectStatus.deleted or owner not in (None, project.owner_id):
        raise NotFound(
            "There is no Sending Project with this uuid among yours. Check the uuid.",
            code="sending_project_not_found",
        )
    return project


def _require_editable(project: models.SendingProject) -> None:
    if project.status not in ALL_EDITABLE:
        raise Conflict(
            f"The project is {project.status}. Recipients can be added only while it is draft, scheduled"
            " or stopped.",
            code="not_editable",
            details={"status": project.status},
        )


def _sees(op: Op, link: Any) -> bool:
    return op.viewer.admin or link.owner_id == op.viewer.id


def _unknown() -> NotFound:
    return NotFound(
        "There is no export link with this uuid among yours. Check the uuid.", code="export_link_not_found"
    )


def _left_out(wrong: Sequence[InvalidRecipient]) -> str | None:
    if not wrong:
        return None
    reasons = " ".join(f"Item {item.place}: {item.message}" for item in wrong[:_REASONS_LISTED])
    more = f" And {len(wrong) - _REASONS_LISTED} more." if len(wrong) > _REASONS_LISTED else ""
    return f"{len(wrong)} of the last items were left out. {reasons}{more}"
