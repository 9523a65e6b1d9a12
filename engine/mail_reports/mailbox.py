"""The reader of a mailbox into which mails are returned, by IMAP. One worker of all has it, under a lease.

fetched, and left unseen ──► inbox: read, recorded ──► committed ──► moved to `done` ──► the position is stored
                                                   └── no report: it stays where it is, and is not read again

A worker that dies or loses its lease between two steps leaves mails that are fetched again, and then change nothing
(engine/mail_reports/recording.py). The position is a mail's UID. With another UIDVALIDITY (RFC 9051 §2.3.1.1) all mails
are read again. No mail is deleted, and one that can't be read goes to `Unreadable`.
"""

import asyncio
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

import structlog
from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError

from core.errors import AppError
from core.mailbox_address import MailboxAddress
from engine.faultpoints import fault_point
from engine.jobs import every
from engine.mail_reports.inbox import MOST_OCTETS, Inbox, ReturnedMail, Taken
from runtime.database_errors import translate
from runtime.group_commit import NotStarted
from runtime.leases import JobLease, leased
from runtime.services import Services

log = structlog.get_logger("postern.mail_reports")

UNREADABLE: Final = "Unreadable"
"""The folder for mails that can't be read."""

_TOGETHER: Final = 50  # mails that are fetched at once
_WINDOW: Final = 10_000  # UIDs of one search, since the library bounds the length of an answer
_TIMEOUT: Final = SocketTimeout(connect=10, read=60)
_POLL: Final = 30.0  # seconds between two looks where the server can't tell of new mails
_IDLE: Final = 540.0  # seconds after which IDLE is begun anew (RFC 2177 asks for less than half an hour)
_LOOK: Final = 1.0  # seconds between two looks at the lease and at the stop
_AFTER_ERROR: Final = 15.0  # seconds until the mailbox is opened again
_AWAY = (IMAPClientError, OSError)

_POSITION = "SELECT uid_validity, last_uid FROM bounce_mailboxes WHERE name = $1"
_SAVE = """
INSERT INTO bounce_mailboxes AS m (name, uid_validity, last_uid) SELECT $1, $2, $3
WHERE EXISTS (SELECT FROM leases WHERE name = $4 AND holder = $5 AND expires_at > now())
ON CONFLICT (name) DO UPDATE SET uid_validity = excluded.uid_validity, last_uid = excluded.last_uid, updated_at = now()
"""
Value = TypeVar("Value")


class _Client:
    """A connection to the mailbox. All methods wait for the server, so a thread calls them."""

    def __init__(self, address: MailboxAddress) -> None:
        self.address = address
        context = ssl.create_default_context() if address.encrypted else None
        self._imap = IMAPClient(
            address.host, address.port, ssl=address.encrypted, ssl_context=context, timeout=_TIMEOUT
        )
        try:
            self._imap.login(address.user, address.password)
            for folder in (address.done, UNREADABLE):
                if not self._imap.folder_exists(folder):
                    self._imap.create_folder(folder)
        except BaseException:
            self.close()
            raise

    @property
    def idles(self) -> bool:
        """Returns whether the server tells of new mails."""
        return self.address.idle and self._imap.has_capability("IDLE")

    def select(self) -> tuple[int, int]:
        """Selects the folder. Returns its UIDVALIDITY, and the UID that its next mail will have."""
        selected = self._imap.select_folder(self.address.folder)
        return selected[b"UIDVALIDITY"], selected[b"UIDNEXT"]

    def uids(self, first: int, last: int) -> list[int]:
        """Returns the UIDs of the mails between two, in their order."""
        return sorted(uid for uid in self._imap.search(["UID", f"{first}:{last}"]) if first <= uid <= last)

    def fetch(self, uids: Sequence[int]) -> dict[int, bytes]:
        """Returns the beginnings of mails, which stay unseen."""
        fetched: dict[int, dict[bytes, bytes]] = self._imap.fetch(uids, [f"BODY.PEEK[]<0.{MOST_OCTETS}>"])
        return {uid: parts[b"BODY[]<0>"] for uid, parts in fetched.items() if parts.get(b"BODY[]<0>")}

    def move(self, uids: Sequence[int], folder: str) -> None:
        """Moves mails: by MOVE (RFC 6851), or by a copy of which the original is removed."""
        if self._imap.has_capability("MOVE"):
            self._imap.move(uids, folder)
            return
        self._imap.copy(uids, folder)
        self._imap.delete_messages(uids)
        if self._imap.has_capability("UIDPLUS"):
            self._imap.expunge(uids)  # else they stay, marked as deleted

    def idle(self) -> None:
        self._imap.idle()

    def idle_check(self) -> bool:
        """Returns whether something has happened, after `_LOOK` seconds at most."""
        return bool(self._imap.idle_check(timeout=_LOOK))

    def idle_done(self) -> None:
        self._imap.idle_done()

    def close(self) -> None:
        with suppress(Exception):
            self._imap.shutdown()


class _Reader:
    """Reads the mailbox while this process has the lease."""

    def __init__(self, services: Services, address: MailboxAddress, lease: JobLease) -> None:
        self._services, self._address, self._lease = services, address, lease
        self._inbox = Inbox(services)

    @property
    def _goes_on(self) -> bool:
        return self._lease.valid and not self._services.stopping.is_set()

    async def run(self) -> None:
        """Raises the errors of the server, and of the database."""
        client = await asyncio.to_thread(_Client, self._address)
        log.info("reading returned mails", mailbox=self._address.name)
        try:
            while self._goes_on:
                # A mail that comes while others are read is announced then, and IDLE would not announce it again.
                if not await self._read_new(client):
                    await self._wait(client)
        finally:
            await asyncio.to_thread(client.close)
            await self._inbox.close()

    async def _read_new(self, client: _Client) -> bool:
        """Reads all mails behind the position where the last reader was. Returns whether there were UIDs to read."""
        validity, following = await asyncio.to_thread(client.select)
        row = await self._services.db.fetchrow(_POSITION, self._address.name)
        last = row["last_uid"] if row is not None and row["uid_validity"] == validity else 0
        for first in range(last + 1, following, _WINDOW):
            end = min(first + _WINDOW, following) - 1
            uids = await _in_thread(client.uids, first, end)
            for index in range(0, len(uids), _TOGETHER):
                some = uids[index : index + _TOGETHER]
                if not self._goes_on or not await self._take(client, await _in_thread(client.fetch, some)):
                    return True
                await self._save(validity, some[-1])
            await self._save(validity, end)
        return following > last + 1

    async def _save(self, validity: int, uid: int) -> None:
        lease = self._lease
        await self._services.db.fetch(_SAVE, self._address.name, validity, uid, lease.name, lease.holder)
        fault_point("mailbox.saved")

    async def _take(self, client: _Client, mails: dict[int, bytes]) -> bool:
        """Takes mails, and then moves those that are reports. Returns whether it moved them: without the lease another
        worker has them. Raises an error that lets them come again.
        """
        fault_point("mailbox.fetched")
        at = self._services.db.now()
        answers = await asyncio.gather(
            *(self._inbox.take(ReturnedMail(mail, None, at)) for mail in mails.values()),
            return_exceptions=True,
        )
        folders: dict[str, list[int]] = {}
        passing: BaseException | None = None
        for uid, answer in zip(mails, answers, strict=True):
            if answer is Taken.report:
                folders.setdefault(self._address.done, []).append(uid)
            elif answer is Taken.unreadable:
                folders.setdefault(UNREADABLE, []).append(uid)
            elif isinstance(answer, BaseException):
                if _passes(answer):
                    passing = answer
                    continue
                log.error("a returned mail can't be read", uid=uid, exc_info=answer)
                folders.setdefault(UNREADABLE, []).append(uid)
        if not self._lease.valid:
            return False
        for folder, uids in folders.items():
            await _in_thread(client.move, uids, folder)
        fault_point("mailbox.moved")
        if passing is not None:
            raise passing
        return True

    async def _wait(self, client: _Client) -> None:
        """Waits until there may be new mails."""
        if not client.idles:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._services.stopping.wait(), _POLL)
            return
        await asyncio.to_thread(client.idle)
        try:
            for _ in range(int(_IDLE / _LOOK)):
                if not self._goes_on or await asyncio.to_thread(client.idle_check):
                    break
        finally:
            await asyncio.to_thread(client.idle_done)


async def _in_thread(work: Callable[..., Value], *arguments: Any) -> Value:
    return await asyncio.to_thread(work, *arguments)


def _passes(error: BaseException) -> bool:
    """Returns whether the mail may be taken when it comes again."""
    if not isinstance(error, Exception):
        return True  # this process ends
    return isinstance(error, (NotStarted, AppError, TimeoutError)) or translate(error) is not None


@every(5)
async def read_mailbox(services: Services) -> None:
    """Reads the mailbox of returned mails while this worker has its lease."""
    if (url := services.settings.bounce_mailbox) is None:
        return
    address = MailboxAddress.parse(url.get_secret_value())
    async with leased(services.db, "mail_reports.mailbox", services.settings.lease_seconds) as lease:
        if lease is None:
            return
        try:
            await _Reader(services, address, lease).run()
        except Exception as error:
            if not isinstance(error, _AWAY) and not _passes(error):
                raise
            log.warning(
                "the mailbox of returned mails can't be read",
                mailbox=address.name,
                error=f"{type(error).__name__}: {error}"[:200],
            )
            with suppress(TimeoutError):
                await asyncio.wait_for(services.stopping.wait(), _AFTER_ERROR)
