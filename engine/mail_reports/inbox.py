"""Takes mails that came back: reads them in a bounded process, and commits their reports.

Mails that arrive while others are read and committed are taken together, so that a group costs one round trip to the
process and one transaction. A mail that takes too long to read is found by halving its group (runtime/group_commit.py).
"""

import base64
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

import structlog

from engine.faultpoints import fault_point
from engine.mail_reports import reference
from engine.mail_reports.recording import Received, Rules, commit
from engine.mail_reports.report import MailReport
from runtime.group_commit import GroupCommit
from runtime.render_pool import TooComplex
from runtime.services import Services
from shapes.mail_reports import MailReportIgnored, MailReportType

log = structlog.get_logger("postern.mail_reports")

MOST_OCTETS: Final = 256 * 1024
"""Octets of a mail that are read and kept; the rest is cut."""

_TOGETHER: Final = 100
_WAITING: Final = 400
_BYTES: Final = 4 * 2**20  # of a group: in base64 far less than a frame to the process may have
_SECONDS: Final = 20.0  # that a mail waits to be taken
_AT_ONCE: Final = (
    2  # groups: one is read while the other is committed. All mails about one message are in one queue
)
_LONGEST_NAME: Final = 255
_COMPLAINTS: Final = frozenset({MailReportType.complaint, MailReportType.rescue})


@dataclass(frozen=True, slots=True)
class ReturnedMail:
    """A mail as it was received. `message_id`: the message whose address it came to; None: it came to `complaints@`."""

    mail: bytes
    message_id: UUID | None
    at: datetime


class Taken(StrEnum):
    """The kind of a mail: a report about a message of ours, another mail, or one that takes too long to read."""

    report = "report"
    other = "other"
    unreadable = "unreadable"


class Inbox:
    """The returned mails of one process."""

    def __init__(self, services: Services) -> None:
        self._services, self._rules = services, Rules.of(services.settings)
        self._keys = services.keys(reference.KEY)
        self._groups = GroupCommit(
            self._take, together=_TOGETHER, waiting=_WAITING, size=_BYTES, seconds=_SECONDS
        )

    async def take(self, returned: ReturnedMail) -> "Taken":
        """Returns the kind of the mail, when all of its effects are committed.

        Raises NotStarted, RateLimited and the errors of the database: the mail has to come again.
        """
        queue = 0 if returned.message_id is None else returned.message_id.int % _AT_ONCE
        return await self._groups.join(queue, returned, len(returned.mail))

    async def close(self) -> None:
        """Waits for the groups that are being taken."""
        await self._groups.close()

    async def _take(self, mails: Sequence[ReturnedMail]) -> "Sequence[Taken]":
        fault_point("report.received")
        reports = await self._read(mails)
        fault_point("report.read")
        matched = [self._received(mail, report) for mail, report in zip(mails, reports, strict=True)]
        received = [item for item in matched if item is not None]
        ignored = Counter(report.ignored or "no_message" for report in reports)
        if received:
            await commit(self._services, received, self._rules)
        if len(received) < len(mails):
            ignored.subtract({"no_message": len(received)})
            log.info(
                "returned mails are no reports", **{name: count for name, count in ignored.items() if count}
            )
        return [
            Taken.report
            if item is not None
            else Taken.unreadable
            if report.ignored == MailReportIgnored.too_complex
            else Taken.other
            for item, report in zip(matched, reports, strict=True)
        ]

    async def _read(self, mails: Sequence[ReturnedMail]) -> list[MailReport]:
        """Reads mails in a process. Raises TooComplex if that takes too long and there are several."""
        encoded = [base64.b64encode(mail.mail).decode() for mail in mails]
        try:
            answers: list[Any] = await self._services.render_pool.run(
                None, "read_mail_reports", {"mails": encoded}
            )
        except TooComplex:
            if len(mails) > 1:
                raise
            return [MailReport(ignored=MailReportIgnored.too_complex.value)]
        return [MailReport.of_answer(answer) for answer in answers]

    def _received(self, mail: ReturnedMail, report: MailReport) -> Received | None:
        """Returns the reports of a mail with their messages; None if it reports nothing about one of ours."""
        id = mail.message_id
        if id is None:
            ids = (reference.read(self._keys, token) for token in report.tokens)
            id = next((ours for ours in ids if ours is not None), None)
        if id is None or report.ignored is not None or not report.recipients:
            return None
        source = "arf" if report.recipients[0].type in _COMPLAINTS else "dsn"
        return Received(id, report.recipients, source, _name_of(mail, report), mail.at, mail.mail)


def _name_of(mail: ReturnedMail, report: MailReport) -> str:
    """Returns the name by which a repeated mail is known: its Message-ID, or else a hash of it."""
    id = report.id or ""
    if 0 < len(id) <= _LONGEST_NAME and id.isascii() and id.isprintable():
        return id
    return f"sha256:{hashlib.sha256(mail.mail).hexdigest()}"
