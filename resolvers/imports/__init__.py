"""Recipient imports (contract §3). Lists are accepted here and read in the background by engine/imports/."""

import builtins
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, cast
from uuid import UUID

import orjson
from sqlalchemy import select

from core.errors import AppError, Conflict, NotFound, Unprocessable
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs, in_bounds
from db.query import of, p, returning
from engine import files, imports
from engine.jobs import JobName, enqueue
from resolvers.imports.import_forms import Form, _channel, _file, _options, check_waiting, received
from runtime.idempotency import Attempt, stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.contact_imports import NewContactImport
from shapes.imports import (
    ImportedContacts,
    ImportedRecipient,
    ImportPreview,
    ImportRow,
    ImportStatus,
    NewImport,
    NewTextImport,
    RowError,
    line_of,
    row_uuid,
)
from shapes.page import Rows
from shapes.recipients import phone_of

_IMPORT = models.RecipientImport
_ROW = models.ImportRow
_BY_ID = of(_IMPORT, _IMPORT.id == p("id"))
_MADE = f"""
INSERT INTO recipient_imports AS made (id, owner_id, file_uuid, file_name, region, options, contacts, contacts_line)
VALUES ($1, $2, $3, $4, $5, $6::text::jsonb, $7::text::jsonb, $8) RETURNING {returning(_IMPORT, "made")}
"""  # noqa: S608  our own columns
_NO_CONTACTS = ImportedContacts().model_dump_json(by_alias=True)
_PAYLOAD = "INSERT INTO import_payloads (import_id, kind, body) VALUES ($1, $2, $3)"
_IN_USE = "SELECT EXISTS (SELECT FROM recipient_additions WHERE import_id = $1)"
_LOCKED = "SELECT id, owner_id, status, file_uuid, options FROM recipient_imports WHERE id = $1 FOR UPDATE"
_DELETE_SOME = """
WITH gone AS (
  DELETE FROM import_rows WHERE import_id = $1 AND line = ANY($2) RETURNING error_code
), counted AS (
  SELECT count(*) AS total, count(*) FILTER (WHERE error_code IS NULL) AS valid,
    count(*) FILTER (WHERE error_code = 'duplicate') AS duplicates FROM gone
)
UPDATE recipient_imports SET total = recipient_imports.total - c.total, valid = recipient_imports.valid - c.valid,
  duplicates = recipient_imports.duplicates - c.duplicates,
  invalid = recipient_imports.invalid - (c.total - c.valid - c.duplicates), updated_at = now()
FROM counted AS c WHERE id = $1
"""
# The lock keeps two concurrent requests from both adding the last allowed import.
_ADDING = "SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE"

_POINT = 64 * 1024
"""The bytes of a list that cost a point when it is previewed."""


_LISTS = Listing(
    _IMPORT,
    without=("options", "contacts_line"),
    filters={("of_contacts", "eq"): _IMPORT.contacts.is_not(None) == p("of_contacts_eq_")},
)
_MINE = _IMPORT.owner_id == p("owner_id")
_LINES = Listing(_ROW, key=_ROW.line, descending=False)
_OF_IMPORT = _ROW.import_id == p("import_id")
_SEEN = (select(1).where(_IMPORT.id == _ROW.import_id, _MINE).exists(),)
# The partial index has the same condition.
_VALID = {True: (_ROW.error_code.is_(None),), False: (_ROW.error_code.is_not(None),)}


@operation(Permission.recipients_read, "read")
async def list(op: Op, page: int = 1, limit: int = 20) -> Rows[models.RecipientImport]:
    """Returns what `page` returns, by page numbers. Raises ValidationFailed."""
    return await _LISTS.numbered(op.db, page, limit, {}, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.recipients_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.RecipientImport]:
    """Lists your imports, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.recipients_read, "read")
async def related(
    op: Op,
    by: Literal["owner_id", "file_uuid"],
    parents: Sequence[UUID],
    page_args: PageArgs,
    where: Conditions,
) -> Sequence[CursorPage[models.RecipientImport]]:
    """Returns one page of imports for each owner, or for each file that they were read from."""
    column = getattr(_IMPORT, by)
    return await _LISTS.pages(op.db, column, parents, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.recipients_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.RecipientImport | None]:
    """Returns imports by id. An id that the caller may not see gives None."""
    return await _LISTS.by_ids(op.db, ids, column_names, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.recipients_read, "read")
async def lines(
    op: Op, imports: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[ImportRow]]:
    """Returns one page of rows for each import, in the order of their lines."""
    others = {**where}
    valid = _VALID.get(others.pop(("valid", "eq"), None), ())
    all_of_it = replace(page_args, columns=None)
    pages: Sequence[CursorPage[Any]] = await _LINES.pages(
        op.db, _ROW.import_id, imports, all_of_it, others, *op.own(*_SEEN), *valid, owner_id=op.viewer.id
    )
    return [
        replace(page, nodes=[_as_import_row(id, row) for row in page.nodes])
        for id, page in zip(imports, pages, strict=True)
    ]


@operation(Permission.recipients_read, "read")
async def get(op: Op, id: UUID) -> models.RecipientImport:
    """Returns one import with its progress and counts. Raises NotFound."""
    return await visible(op, id)


@operation(Permission.recipients_read, "read")
async def rows(
    op: Op, id: UUID, valid: bool | None = None, page: int = 1, limit: int = 20
) -> Rows[ImportRow]:
    """Lists the rows that were read, in the order of the file. Raises NotFound, ValidationFailed."""
    in_bounds(page, limit)
    recipient_import = await visible(op, id)
    total = {
        None: recipient_import.total,
        True: recipient_import.valid,
        False: recipient_import.total - recipient_import.valid,
    }[valid]
    scope = () if valid is None else _VALID[valid]
    lines = await _LINES.numbered(op.db, page, limit, {}, _OF_IMPORT, *scope, total=total, import_id=id)
    return Rows([_as_import_row(id, row) for row in lines.items], page, limit, total)


@operation(Permission.recipients_write, "outside")
async def create(op: Op, input: NewImport | Form) -> models.RecipientImport:
    """Accepts a list of recipients and reads it in the background.

    Honours Idempotency-Key, for a file by its name and bytes. Raises ValidationFailed, BadRequest for an invalid form,
    NotFound for the file, TooLarge, Conflict if the caller's files take too much space, RateLimited
    (`too_many_imports`), Unavailable.
    """
    if isinstance(input, NewImport):
        options = {**_options(input), "region": input.region or op.services.settings.default_region}
        return await enter(op, "imports.create", options, **source_of(input))
    staged, options = await received(op, input)
    try:
        return await enter(op, "imports.create", options, staged=staged)
    except AppError:
        await files.release(op.services, staged.id)
        raise


@operation(Permission.recipients_write, "outside")
async def create_text(op: Op, input: NewTextImport) -> models.RecipientImport:
    """Imports recipients from lines of text: a phone or an address on each line, optionally followed by `;` or `,` and
    a name.

    Honours Idempotency-Key. Raises ValidationFailed, RateLimited (`too_many_imports`).
    """
    options = {**_channel(input), "region": input.region or op.services.settings.default_region}
    return await enter(op, "imports.create_text", options, payload=("text", input.text.encode()))


@operation(Permission.recipients_write, "outside")
async def preview(op: Op, input: NewImport) -> ImportPreview:
    """Detects the delimiter, encoding, header and columns of a list, and suggests a mapping.

    What is read for it is added to the operation's cost. Raises ValidationFailed, NotFound, Unprocessable, RateLimited
    (`previews_busy`), Unavailable.
    """
    options = {**_options(input), "region": input.region or op.services.settings.default_region}
    return ImportPreview.model_validate(await previewed(op, input, options))


async def previewed(op: Op, input: NewImport | NewContactImport, options: dict[str, Any]) -> Any:
    """Returns what the beginning of a list shows, and adds what is read for it to the operation's cost.

    Raises NotFound, Unprocessable, RateLimited, Unavailable.
    """
    body = source_of(input).get("payload", (None, None))[1]
    if input.file_uuid is not None:
        await _file(op, op.db, input.file_uuid)
    caller = (op.viewer.id, op.ctx.client_network)
    try:
        result = await imports.preview(op.services, caller, input.file_uuid, body, options)
    except imports.Unreadable as error:
        _charge(op, error.read)
        raise Unprocessable(str(error), code="unreadable_list") from error
    _charge(op, result.pop("read"))
    return result


def source_of(input: NewImport | NewContactImport) -> dict[str, Any]:
    """Returns where a list comes from, as `enter` takes it."""
    if input.rows is None:
        return {"file_id": input.file_uuid}
    return {"payload": ("rows", b"\n".join(map(orjson.dumps, input.rows)))}


def _charge(op: Op, read: int) -> None:
    """Adds the bytes that a preview has read to the cost of the operation, up to the most that one may cost."""
    op.ctx.points += min(read // _POINT, op.services.settings.graphql_max_cost)


@operation(Permission.recipients_write, "sql")
async def delete(op: Op, id: UUID, uuids: builtins.list[UUID] | None = None) -> None:
    """Deletes an import, or only some of its rows. Recipients that were added to projects are kept. Raises NotFound,
    and Conflict while the rows are being added to a project, or if `uuids` are given while the list is still being
    read.
    """
    row = await op.connection.fetchrow(_LOCKED, id)
    if row is None or not (op.viewer.admin or row["owner_id"] == op.viewer.id):
        raise unknown()
    if await op.connection.fetchval(_IN_USE, id):
        raise Conflict(
            "The rows of this import are being added to a project. Wait until all are added, or delete that"
            " project.",
            code="import_in_use",
        )
    if uuids is None:
        await imports.delete(op.connection, row)
        return
    lines = [line_of(id, uuid) for uuid in uuids]
    if None in lines:
        raise NotFound(
            "One of the uuids does not name a row of this import. Take them from the list of its rows.",
            code="import_row_not_found",
        )
    if row["status"] == ImportStatus.processing:
        raise Conflict(
            "The list is still being read. Wait until the status of the import is ready.",
            code="import_processing",
        )
    await op.connection.execute(_DELETE_SOME, id, lines)


async def visible(op: Op, id: UUID) -> models.RecipientImport:
    """Returns one of the caller's imports; an administrator may read any import. Raises NotFound."""
    row = await _BY_ID.first(op.db, id=id)
    if row is None or not (op.viewer.admin or row.owner_id == op.viewer.id):
        raise unknown()
    return row


async def enter(
    op: Op,
    name: str,
    arguments: dict[str, Any],
    *,
    file_id: UUID | None = None,
    payload: tuple[str, bytes] | None = None,
    staged: files.PendingFile | None = None,
) -> models.RecipientImport:
    """Writes the import, its list and the job that reads it in one transaction. `name` is the operation's name."""
    key = op.ctx.idempotency_key
    about = {
        **arguments,
        "file": staged and [staged.name, staged.stored.sha256.hex()],
        "file_uuid": file_id,
        "payload": payload and payload[1].decode(),
    }
    attempt = Attempt(stored_model(_IMPORT), op.viewer.id, name, key, about) if key else None
    async with op.db.transaction() as connection:
        replay = await attempt.begin(connection) if attempt else None
        if replay is None:
            row = await _insert(op, connection, arguments, file_id, payload, staged)
            if attempt:
                await attempt.finish(connection, row)
            return row
    op.ctx.answer_header("idempotent-replayed", "true")
    if staged is not None:  # after the transaction: the file store is another system
        await files.release(op.services, staged.id)
    return cast(models.RecipientImport, replay.value)


async def _insert(
    op: Op,
    connection: Any,
    arguments: dict[str, Any],
    file_id: UUID | None,
    payload: tuple[str, bytes] | None,
    staged: files.PendingFile | None,
) -> models.RecipientImport:
    await connection.execute(_ADDING, op.viewer.id)
    await check_waiting(connection, op.viewer.id)
    file = await files.enter(op.services, connection, op.viewer.id, staged) if staged else None
    if file_id is not None:
        file = await _file(op, connection, file_id)
    options = {key: value for key, value in arguments.items() if key != "region" and value is not None}
    if staged is not None:
        options["uploaded"] = True
    row: models.RecipientImport = await connection.fetchrow(
        _MADE,
        uuid7(),
        op.viewer.id,
        file.id if file else None,
        file.name if file else None,
        arguments["region"],
        orjson.dumps(options).decode(),
        _NO_CONTACTS if "contacts" in options else None,
        0
        if "members" in options.get("contacts", ())
        else None,  # no list is read for the contacts of a segment
    )
    if payload is not None:
        await connection.execute(_PAYLOAD, row.id, *payload)
    await enqueue(connection, JobName.read_import, row.id)
    return row


def _as_import_row(id: UUID, row: models.ImportRow) -> ImportRow:
    recipient, error = None, None
    if row.error_code is not None:
        error = RowError(code=row.error_code, message=row.error_message or "")
    elif row.address is not None:
        recipient = ImportedRecipient(
            phone=phone_of(row.address),
            address=row.address,
            name=row.name,
            variables=row.variables or {},
            timezone=row.timezone,
        )
    contact = row.variables if error is None and recipient is None else None
    return ImportRow(
        id=row_uuid(id, row.line), line=row.line, recipient=recipient, error=error, contact=contact
    )


def unknown() -> NotFound:
    """Returns the error for an import that does not exist or that the caller may not see."""
    return NotFound("There is no import with this uuid among yours. Check the uuid.", code="import_not_found")
