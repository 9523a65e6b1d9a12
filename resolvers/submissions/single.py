"""Mails with one recipient, which nearly all mails have: those that arrive together are one transaction.

    mail ──► a group of one account ──► messages with their charges ──► the mails of those that were written ──► commit

Each mail of a group is written or refused by itself, as docs/decisions/0033 says of messages.
"""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from itertools import compress
from typing import Final, NamedTuple
from uuid import UUID

from db.session import Database
from engine.direct import submitted_mails
from engine.direct.new_messages import ChargedMessage, Queued, write_in
from runtime.group_commit import GroupCommit
from runtime.retry import despite_conflicts

KEY_LIFETIME: Final = timedelta(days=5)
"""For so long a mail that is submitted again is the same: longer than a mail server's queue keeps it."""

_SECONDS = 5.0  # that a mail waits for the earlier ones of its account


class SingleMail(NamedTuple):
    """A mail with one recipient."""

    id: UUID
    message: ChargedMessage
    content: bytes


class SingleMails(GroupCommit[SingleMail, Queued]):
    """Writes the mails of this process."""

    def __init__(self, db: Database) -> None:
        super().__init__(self._write, seconds=_SECONDS)
        self._db = db

    async def add(self, mail: SingleMail) -> Queued:
        """Writes a mail and its message, together with others of its account. Raises NotStarted, and PostgreSQL's
        errors; then nothing of it is written.
        """
        new = mail.message
        return await self.join((new.payer_id, new.price > 0), mail, new.size + len(mail.content))

    async def _write(self, group: Sequence[SingleMail]) -> Sequence[Queued]:
        return await despite_conflicts(partial(self._write_once, group), or_locks=True)

    async def _write_once(self, group: Sequence[SingleMail]) -> Sequence[Queued]:
        async with self._db.transaction() as connection:
            queued = await write_in(connection, [mail.message for mail in group])
            written = [*compress(group, (result.row is not None for result in queued))]
            if written:
                mails = [(each.id, each.message, each.content) for each in written]
                await submitted_mails.store_single(connection, mails, KEY_LIFETIME)
        return queued
