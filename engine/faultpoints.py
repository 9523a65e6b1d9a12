"""Points where the fault tests kill this process: `FAULT_AT=<point>` in the environment, nothing otherwise."""

import os
import signal

_AT = os.environ.get("FAULT_AT")

POINTS = ("claimed", "marked", "sent", "written", "settled")

PROJECT_POINTS = (
    "prepared",
    "unit.claimed",
    "unit.held",
    "unit.marked",
    "unit.sent",
    "unit.recorded",
    "unit.closed",
)
"""A message that is handed to a provider reaches them in this order."""

RECIPIENT_POINTS = ("recipients.added",)
"""A batch of an import was added to a project."""

CHAIN_POINTS = ("chain.begun", "chain.stepped", "chain.committed")
"""Further steps of chains are written; all of the transaction is, and it is about to be committed; it is committed."""

AUDIENCE_POINTS = ("audience.read",)
FOLLOW_POINTS = ("followed",)
"""A page of the subscribers of topics was added to a project."""

SERIES_POINTS = ("series.entered", "series.begun", "series.stepped", "series.committed")
"""A page of people has entered a series; recipients of steps are written; all of a page is, and it is about to be
committed; it is committed.
"""

CONTACT_POINTS = ("contacts.added",)
"""A batch of an import was added to contacts."""

ERASURE_POINTS = ("erasure.canceled", "erasure.page", "erasure.step", "erasure.round", "erasure.finishing")
"""Messages that were queued for a person are canceled; a page of rows is erased, and about to be committed; a table is
done; all tables are; the end is about to be committed.
"""

MESSENGER_POINTS = ("messenger.leased", "messenger.connecting", "messenger.written")
"""An account's lease is taken; its driver has a connection that is not started; its events are about to be committed.
"""


MAIL_REPORT_POINTS = ("report.received", "report.read", "report.recorded", "report.committed")
"""A mail was received; it was read; its effects are about to be committed; they are committed, and it is not answered
yet.
"""


MAILBOX_POINTS = ("mailbox.fetched", "mailbox.moved", "mailbox.saved")
"""Mails of a mailbox were fetched; those that are reports were moved; the place to go on from is stored."""


VERIFICATION_POINTS = ("verification.stored", "verification.queued")
"""A verification is stored, and its message is not queued yet; both are about to be committed."""


CLICK_POINTS = ("click.answered",)
"""The redirect of a click is answered, and the click is not stored."""

MEDIA_POINTS = ("media.stored", "media.entered")
"""A picture was written anew and stored, and has no row; its row is about to be committed."""


RESTORE_POINTS = ("resume.direct", "resume.projects", "resume.replayed", "resume.continued")
"""Direct messages of a restored database were moved; its projects, too; the journal was replayed; its end names the
id under which it goes on.
"""

RECONCILIATION_POINTS = (
    "reconciliation.begun",
    "reconciliation.counted",
    "reconciliation.chunks",
    "reconciliation.made",
)
"""A worker has begun it; all records are counted; some lines are written; all of it is about to be committed."""

TRAFFIC_POINTS = ("traffic.looked", "traffic.counted")
"""The hours that are due are stored; an hour was counted, and is about to be committed."""

INVOICE_POINTS = ("invoice.read", "invoice.compared", "invoice.missed", "invoice.finishing")
"""Some lines are stored; some are compared; messages that no line bills are stored; the end is about to be committed.
"""

STATEMENT_POINTS = ("statements.asked", "statement.begun", "statement.counted", "statement.made")
"""The rows of a month are about to be committed; a worker has begun a statement; all entries are counted; the document
is about to be committed."""

JOURNAL_POINTS = ("journal.written",)
"""A segment of the journal is stored, and the database does not say so yet."""


def fault_point(point: str) -> None:
    """Kills this process if the environment names this point."""
    if point == _AT:
        os.kill(os.getpid(), signal.SIGKILL)
