"""MessageRecord: one message of a Sending Project (contract §3)."""

from enum import StrEnum


class RecordStatus(StrEnum):
    """The nine exclusive states of a project's message."""

    queued = "queued"
    sending = "sending"
    sent = "sent"
    delivered = "delivered"
    read = "read"
    failed = "failed"
    skipped = "skipped"
    unknown = "unknown"
    canceled = "canceled"
