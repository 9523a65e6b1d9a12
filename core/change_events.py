"""Collects changes while a transaction runs, and publishes them to subscribers after it.

Code that opens transactions (the frame of an operation, a job, a drain) does so inside `News.noting()`. Code that
writes a change calls `project` or `message`, and needs no Redis. When the block ends, the changes go to an outbox that
publishes at most four times a second: a batch of five hundred messages costs one entry in a set, and a Redis that
does not answer delays nobody. A change may be published twice, or after a rollback: subscribers then read the state.

Topics: `projects:<owner>` `{projects: [id]}`, `messages:<owner>` `{messages: {id: state}}`, and `projects` `{}`, for
subscribers who see the projects of all users. More than `MOST` changes at once are replaced by a `GAP`.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from core.pubsub import GAP, announce
from core.store import Store
from core.tasks import end

EVERYBODY = "projects"
MOST = 200  # changes of one owner in one announcement
PAUSE = 0.25  # seconds between two announcements
_LAST_SECONDS = 2.0  # in which the rest is published when the process ends

_Noted = dict[str, dict[str, str]]
_NOTED: ContextVar["_Notes | None"] = ContextVar("noted", default=None)


def projects_of(owner: UUID) -> str:
    """The topic of all projects of a user."""
    return f"projects:{owner}"


def messages_of(owner: UUID) -> str:
    """The topic of all of a user's direct messages."""
    return f"messages:{owner}"


def project(owner: UUID, id: UUID) -> None:
    """Records that the state or the counts of a project changed. To be called in the transaction."""
    _note(projects_of(owner), str(id), "")


def all_projects(owner: UUID) -> None:
    """Records that any project of this owner may have changed."""
    if (notes := _NOTED.get()) is not None:
        notes.found[projects_of(owner)] = {}


def message(owner: UUID, id: UUID, state: str) -> None:
    """Records the new state of a direct message."""
    _note(messages_of(owner), str(id), state)


def tell() -> None:
    """Publishes what was recorded so far, for a job that commits more than once."""
    if (notes := _NOTED.get()) is not None:
        notes.tell()


def _note(topic: str, id: str, value: str) -> None:
    if (notes := _NOTED.get()) is None:
        return
    known = notes.found.get(topic)
    if known is None:
        notes.found[topic] = {id: value}
    elif known:  # an empty dict already says that all may have changed
        known[id] = value
        if len(known) > MOST:  # a transaction may change a million rows
            notes.found[topic] = {}


class _Notes:
    """The changes of one block. An empty dict for a topic means that all of it may have changed."""

    __slots__ = ("found", "news")

    def __init__(self, news: "News") -> None:
        self.news = news
        self.found: _Noted = {}

    def tell(self) -> None:
        if self.found:
            self.news.take(self.found)
            self.found = {}


class News:
    """The outbox of a process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: _Noted = {}
        self._speaking: asyncio.Task[None] | None = None
        self._ending = asyncio.Event()

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Publishes what is recorded inside when the block ends, also if it ends with an error."""
        notes = _Notes(self)
        before = _NOTED.set(notes)
        try:
            yield
        finally:
            _NOTED.reset(before)
            notes.tell()

    def take(self, found: _Noted) -> None:
        """Adds changes to the outbox, to be published soon."""
        for topic, changes in found.items():
            known = self._waiting.get(topic, changes)
            together = {**known, **changes} if known and changes else {}
            self._waiting[topic] = together if len(together) <= MOST else {}
        if self._speaking is None:
            self._speaking = asyncio.create_task(self._speak())

    async def _speak(self) -> None:
        """Publishes until the outbox is empty, then ends."""
        try:
            while self._waiting:
                await self._say()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._ending.wait(), PAUSE)
        finally:
            self._speaking = None

    async def _say(self) -> None:
        found, self._waiting = self._waiting, {}
        if any(topic.startswith("projects:") for topic in found):
            await announce(self._store, EVERYBODY, {})
        for topic, changes in found.items():
            await announce(self._store, topic, _told(topic, changes))

    async def close(self) -> None:
        """Publishes the rest, if Redis is reachable."""
        self._ending.set()
        if (speaking := self._speaking) is not None:
            await asyncio.wait({speaking}, timeout=_LAST_SECONDS)
            await end((speaking,))


def _told(topic: str, changes: dict[str, str]) -> dict[str, Any]:
    if not changes:
        return GAP
    return {"projects": [*changes]} if topic.startswith("projects:") else {"messages": changes}
