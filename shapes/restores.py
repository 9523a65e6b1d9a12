"""Names the reasons why a restored installation is fenced, and the choices for its messages."""

from shapes.described import DescribedEnum


class FenceReason(DescribedEnum):
    """The reason for which no worker sends until `postern resume`."""

    restored = "restored", "`postern restore` has read a backup"
    copied = "copied", "the database is a copy, or was restored from a dump"
    went_back = "went_back", "the database went back in time, as a restored base backup does"


class ResumePolicy(DescribedEnum):
    """The future of messages that were queued, or under way, in the restored data."""

    unknown = "unknown", "they become unknown, because they may have been sent since"
    send = "send", "they are sent, a second time if they were sent since"
    nothing_sent = "nothing_sent", "nothing was sent since the backup: they go on as after a stop"
