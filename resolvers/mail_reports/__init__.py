"""Mails that came back: bounces and complaints."""

import base64
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from core.errors import NotFound
from core.file_store import gone
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs, by_values
from db.query import p
from engine.mail_reports import effects, reference
from engine.mail_reports.report import MailReport, RecipientReport
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.render_pool import TooComplex
from shapes.mail_reports import (
    MailReportEffect,
    MailReportIgnored,
    MailReportMail,
    MailReportMessage,
    MailReportMessageKind,
    MailReportPreview,
    MailReportRecipient,
    MailReportType,
    ParseMailReport,
)

_MOST_OCTETS = 256 * 1024
_SIZE = "SELECT size FROM files WHERE id = $1"
_MESSAGE = """
SELECT id, owner_id, NULL::uuid AS project_id, "to", state, handed_at FROM messages
WHERE id = $1 AND direction = 'outbound'
UNION ALL
SELECT id, owner_id, project_id, "to", status, handed_at FROM message_records
WHERE id = $1 AND direction = 'outbound'
LIMIT 1
"""


_ROW = models.MailReport
_LISTS = Listing(_ROW, ranges=by_values(type=MailReportType), by_time=True)
_MINE = _ROW.owner_id == p("owner_id")
_MAIL = """
SELECT m.mail FROM mail_report_mails AS m JOIN mail_reports AS r ON r.id = m.report_id
WHERE r.id = $1 AND ($2 OR r.owner_id = $3)
"""


@operation(Permission.messages_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.MailReport]:
    """Lists the reports about your emails that came back as mail, newest first: bounces, delays and complaints.
    Administrators get those of all users.
    """
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.messages_read, "read")
async def of_messages(
    op: Op, message_ids: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.MailReport]]:
    """Returns one page of reports for each message, direct ones and those of projects; newest first."""
    return await _LISTS.pages(
        op.db, _ROW.message_uuid, message_ids, page_args, where, *op.own(_MINE), owner_id=op.viewer.id
    )


@operation(Permission.messages_read, "read")
async def get(op: Op, id: UUID) -> models.MailReport:
    """Returns one report about an email. Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise NotFound("There is no report with this uuid among yours. Check the uuid.")
    return row


@operation(Permission.messages_read, "read")
async def mail(op: Op, id: UUID) -> MailReportMail:
    """Returns the mail that a report was read from, while it is kept (`POSTERN_REPORT_RAW_DAYS`). Raises NotFound."""
    content = await op.db.fetchval(_MAIL, id, op.viewer.admin, op.viewer.id)
    if content is None:
        raise NotFound("The mail of this report is not kept, or there is no such report among yours.")
    return MailReportMail(mail=content.decode(errors="replace"))


@operation(Permission.system_read, "read")
async def preview(op: Op, input: ParseMailReport) -> MailReportPreview:
    """Reads a mail that came back, and returns what it says and what it would lead to. It changes nothing.
    Administrators only.

    Any sender may have written the mail, so it is read in a process of its own. Raises NotFound (file), RateLimited
    (`programs_busy`), Unavailable.
    """
    mail = (input.text or "").encode() if input.file_uuid is None else await _file(op, input.file_uuid)
    report = await _read(op, mail)
    token, id = _token(op, report)
    row = await op.db.fetchrow(_MESSAGE, id) if id is not None else None
    recipients = list(report.recipients) if row is None else effects.own_first(report.recipients, row["to"])
    effect = None
    if row is not None and recipients:
        effect = effects.effect(recipients[0], row["state"], handed=row["handed_at"] is not None)
    return MailReportPreview(
        ignored=None if report.ignored is None else MailReportIgnored(report.ignored),
        token=token,
        ours=id is not None,
        message=None if row is None else _message(row),
        recipients=[_recipient(recipient) for recipient in recipients],
        effect=effect
        and MailReportEffect(outcome=effect.outcome, failure_code=effect.failure_code, block=effect.block),
    )


async def _file(op: Op, id: UUID) -> bytes:
    size = await op.db.fetchval(_SIZE, id)
    if size is None:
        raise gone()
    pieces = op.services.files.get(id, 0, min(size, _MOST_OCTETS))
    return b"".join([piece async for piece in pieces])


async def _read(op: Op, mail: bytes) -> MailReport:
    try:
        (answer,) = await op.services.render_pool.run(
            op.viewer.id,
            "read_mail_reports",
            {"mails": [base64.b64encode(mail[:_MOST_OCTETS]).decode()]},
            network=op.ctx.client_network,
        )
    except TooComplex:
        return MailReport(ignored=MailReportIgnored.too_complex.value)
    return MailReport.of_answer(answer)


def _token(op: Op, report: MailReport) -> tuple[str | None, UUID | None]:
    """Returns the first token that is ours with its message's id; else the first token."""
    keys = op.services.keys(reference.KEY)
    for token in report.tokens:
        if (id := reference.read(keys, token)) is not None:
            return token, id
    return next(iter(report.tokens), None), None


def _message(row: Any) -> MailReportMessage:
    kind = MailReportMessageKind.direct if row["project_id"] is None else MailReportMessageKind.project
    return MailReportMessage(
        message_uuid=row["id"],
        kind=kind,
        owner_uuid=row["owner_id"],
        project_uuid=row["project_id"],
        to=row["to"],
        state=row["state"],
    )


def _recipient(report: RecipientReport) -> MailReportRecipient:
    return MailReportRecipient(
        type=report.type,
        bounce_class=report.klass,
        address=report.address,
        status=report.status,
        code=report.code,
        diagnostic=report.diagnostic,
    )
