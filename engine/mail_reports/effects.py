"""The effect of a report on its message, which follows the rules of engine/reports."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.mail_reports.report import RecipientReport
from shapes.addresses import address_key
from shapes.blocks import BlockReason
from shapes.mail_reports import MailReportClass, MailReportOutcome, MailReportType

FAILURE_CODES: Final = {
    MailReportClass.hard: "hard_bounce",
    MailReportClass.full: "mailbox_full",
    MailReportClass.content: "content_refused",
    MailReportClass.policy: "policy_refused",
    MailReportClass.transient: "not_delivered",
    MailReportClass.unknown: "bounced",
}
"""The codes of messages that failed by a bounce."""

SOFT: Final = frozenset({MailReportClass.full, MailReportClass.transient, MailReportClass.unknown})
"""The classes of bounces of which several in a row count against an address."""

_FAILS: Final = frozenset({"sending", "sent", "unknown"})


@dataclass(frozen=True, slots=True)
class Effect:
    """The changes to which a report leads."""

    outcome: MailReportOutcome
    failure_code: str | None = None
    block: BlockReason | None = None


def effect(report: RecipientReport, state: str, *, handed: bool) -> Effect:
    """Returns the effects of a report, for a message in this state. An address that does not exist is blocked even if
    its message counts as delivered: some servers take a mail and return it later.

    `handed`: whether the message was handed over at least once. One that is queued may have been, before its provider
    is asked again.
    """
    if report.type is MailReportType.complaint:
        return Effect(MailReportOutcome.none, block=BlockReason.complaint)
    if report.type is not MailReportType.bounce or report.klass is None:
        return Effect(MailReportOutcome.none)
    block = BlockReason.hardBounce if report.klass is MailReportClass.hard else None
    if state in _FAILS or (state == "queued" and handed):
        return Effect(MailReportOutcome.fails, FAILURE_CODES[report.klass], block)
    return Effect(MailReportOutcome.waits if state == "queued" else MailReportOutcome.stays, block=block)


def own_first(recipients: Sequence[RecipientReport], to: str) -> list[RecipientReport]:
    """Returns the recipients with the one first whom the message was sent to."""
    key = address_key(to)
    return sorted(recipients, key=lambda report: report.address is None or address_key(report.address) != key)
