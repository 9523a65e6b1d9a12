"""A report about a message, and the rules that hold for it wherever it comes from."""

from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal, NamedTuple
from uuid import UUID

from channels.port import MessageReference
from core.storable_text import storable
from engine.reports import early
from engine.reports.early import EarlyReport

ReportedStatus = Literal["sent", "delivered", "read", "failed"]

RANKS: Final[dict[ReportedStatus, int]] = {"sent": 1, "failed": 2, "delivered": 3, "read": 4}
"""A status moves to one of a higher rank only; a message that was handed over has 0 before its first report."""

LONGEST_REASON: Final = 500
"""The most characters of a reported reason that are stored."""

HARD_BOUNCES: Final = frozenset({"invalid_recipient", "mailbox_unavailable", "hard_bounce", "user_unknown"})
"""Failures of an email after which no further email should go to that address."""


@dataclass(frozen=True, slots=True)
class Report:
    """A report about a message, named by `message_id` or `provider_message_id`.

    `provider` is a route's label, and `channel` the channel of that route: routes of two channels may have one label.
    None when the reporter does not know our labels.
    """

    message_id: UUID | None
    provider: str | None
    provider_message_id: str | None
    status: ReportedStatus
    code: str | None = None
    reason: str | None = None
    at: datetime | None = None
    channel: str | None = None
    by_hook: bool = False  # the owner's delivery hook says so: it moves the shown status, and no money
    by_bounce: bool = False  # a mail that came back says so: its block stays, whatever is reported later
    reference: MessageReference | None = None  # names a message whose provider's id may be unknown

    def early(self, owner_id: UUID | None) -> list[EarlyReport]:
        """Returns the entries that are kept while the message is unknown: one entry for each name of the message."""
        event = {
            "status": self.status, "code": storable(self.code), "reason": stored_reason(self.reason), "at": self.at,
            **({} if self.channel is None else {"channel": self.channel}),
            **({"bounce": True} if self.by_bounce else {}),
            **({} if self.reference is None else {"reference": reference_key(self.reference)}),
        }  # fmt: skip
        keys = {
            key
            for key in (self.message_id and str(self.message_id), storable(self.provider_message_id))
            if key
        }
        scope = early.scope_of(owner_id, self.provider)
        return [EarlyReport(scope, key, event, self.by_hook) for key in sorted(keys)]


class Delivered(NamedTuple):
    """A message that a channel has reported as delivered."""

    owner_id: UUID
    route: str  # its label
    channel: str
    to: str


@dataclass(slots=True)
class Applied:
    """The result of applying reports."""

    changed: int = 0  # messages whose status changed
    matched: set[UUID] = field(default_factory=set)  # messages that were found, changed or not
    unknown: list[Report] = field(default_factory=list)  # reports about unknown or queued messages
    delivered: list[Delivered] = field(default_factory=list)  # messages that changed to `delivered`

    def add(self, later: "Applied") -> None:
        """Adds the changes of reports that were kept."""
        self.changed += later.changed
        self.delivered += later.delivered


def reference_key(reference: MessageReference) -> tuple[str, str]:
    """Returns the reference as it is kept and compared: with a digest in the place of the recipient."""
    return sha256(reference.to.encode()).hexdigest(), reference.ending


def stored_reason(reason: str | None) -> str | None:
    """Returns a reason as it is stored: at most LONGEST_REASON characters, None if it is empty."""
    return (storable(reason) or "")[:LONGEST_REASON] or None


def as_uuid(text: str | None) -> UUID | None:
    """Returns a provider's id as the message's own id, or None."""
    if text is None or len(text) not in (32, 36):
        return None
    try:
        return UUID(text)
    except ValueError:
        return None
