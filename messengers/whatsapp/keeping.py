"""Stores the session of one WhatsApp account: the library's database, packed."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import structlog

from messengers.port import Account, Lost, Sink
from messengers.whatsapp.folder import Folder, Unusable

log = structlog.get_logger()

_SAVE = 30.0  # seconds between two reports of the session; a large one is reported less often
_SAVE_SIZE = 512 * 1024
_SAVE_MOST = 300.0


class SessionKeeper:
    """The session of an account, its working copy, and the sink that stores it."""

    def __init__(self, account: Account, sink: Sink) -> None:
        self._account, self._sink = account, sink
        self._session = account.session
        self._folder: Folder | None = None
        self._paired = account.session is not None  # the account is linked, so there is a session to store
        self._lost = False
        self._leaves_events = True  # events that are not stored are left to the account's next connection
        self._saving = asyncio.Lock()
        self._saved_fingerprint: tuple[int, ...] = ()
        self._saved_at = 0.0

    def _let_go(self) -> None:
        if self._folder is not None:
            self._folder.close(leave_events=self._leaves_events)
            self._folder = None

    async def _say(self, method: Callable[[Any], Awaitable[None]], what: Any) -> None:
        """Calls a method of the sink. Raises Lost; after that nothing more is reported while the child ends."""
        if self._lost:
            raise Lost
        try:
            await method(what)
        except Lost:
            self._lost = True
            raise

    async def _save(self, *, force: bool, at_rest: bool = False, at_end: bool = False) -> None:
        """Stores the session if it changed. `at_rest`: the child has ended and none follows, so the counters stay
        valid. `at_end`: events that are not stored go with it."""
        async with self._saving:
            pause = min(_SAVE_MOST, _SAVE * max(1.0, len(self._session or "") / _SAVE_SIZE))
            if self._folder is None or not self._paired or self._lost:
                return
            if not force and time.monotonic() - self._saved_at < pause:
                return
            fingerprint = self._folder.fingerprint()
            if fingerprint == self._saved_fingerprint and not (at_rest or at_end):
                return
            self._saved_at = time.monotonic()
            try:
                session = await asyncio.to_thread(self._folder.pack, at_rest=at_rest, with_events=at_end)
            except Unusable as error:
                log.warning("a WhatsApp session was not kept", account=str(self._account.id), why=str(error))
                return
            if (
                session != self._session or not self._saved_fingerprint
            ):  # the first save of a new holder is always reported
                await self._say(self._sink.session, session)
                self._session = session
            self._saved_fingerprint = fingerprint
            self._leaves_events = self._leaves_events and not at_end
