"""The content of a returned mail, before anybody looks at the database."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from shapes.mail_reports import MailReportClass, MailReportType

MOST_RECIPIENTS: Final = 100
"""Recipients of a report that are read. A mail of ours has one."""
LONGEST_DIAGNOSTIC: Final = 500


_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def visible(text: str) -> str | None:
    """Returns a server's words as they are stored and visible: one bounded line, or None if it is empty."""
    return " ".join(_CONTROLS.sub(" ", text).split())[:LONGEST_DIAGNOSTIC] or None


@dataclass(frozen=True, slots=True)
class RecipientReport:
    """The fate of an email for one recipient."""

    type: MailReportType
    klass: MailReportClass | None  # of a bounce and of a delay
    address: str | None
    status: str | None  # enhanced, as `5.1.1`
    code: int | None  # of the server's reply, as 550
    diagnostic: str | None


@dataclass(frozen=True, slots=True)
class MailReport:
    """The content of a mail about emails of ours; a mail that is no report says why not."""

    recipients: tuple[RecipientReport, ...] = ()
    tokens: tuple[str, ...] = ()  # in the order in which they are believed
    message_ids: tuple[str, ...] = ()  # of the mail that came back, with angle brackets
    ignored: str | None = None  # stable, snake_case: why it is no report
    id: str | None = None  # the Message-ID of the report itself

    @classmethod
    def of_answer(cls, answer: Mapping[str, Any]) -> "MailReport":
        """Returns the report from the JSON answer of the process that read the mail."""
        recipients = [
            RecipientReport(
                MailReportType(row["type"]),
                row["klass"] and MailReportClass(row["klass"]),
                row["address"],
                row["status"],
                row["code"],
                row["diagnostic"],
            )
            for row in answer["recipients"]
        ]
        return cls(
            tuple(recipients),
            tuple(answer["tokens"]),
            tuple(answer["message_ids"]),
            answer["ignored"],
            answer["id"],
        )
