"""What has changed, told to whoever watches it: noted where it changes, announced after the commit.

Whoever opens transactions (the frame of an operation, a job, a drain) does so inside `News.noting()`. What writes a
change down calls `project` or `message`, and knows nothing of Redis. When the block ends the notes go to an outbox,
which speaks four times a second at most: a unit of five hundred messages costs a set's entry, and Redis may hang.
To say it twice, or of a transaction that was rolled back, is no harm: who hears of it reads what there is.

Topics: `projects:<owner>` `{projects: [id]}`, `messages:<owner>` `{messages: {id: state}}`, and `projects` `{}`, for
those who see everybody's. Of more than `MOST` changes at once a `GAP` is told in their place.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from postern.announcements import GAP, announce
from postern.store import Store
from postern.tasks import end

EVERYBODY = "projects"
MOST = 200  # changes of one owner in one announcement
PAUSE = 0.25  # seconds between two announcements
_LAST_SECONDS = 2.0  # for what is left when the process ends

_Noted = dict[str, dict[str, str]]
_NOTED: ContextVar["_Notes | None"] = ContextVar("noted", default=None)


def projects_of(owner: UUID) -> str:
    """The topic of all projects of a user."""
    return f"projects:{owner}"


def messages_of(owner: UUID) -> str:
    """The topic of all of a user's direct messages."""
    return f"messages:{owner}"


def project(owner: UUID, id: UUID) -> None:
    """Its state or its counts have changed. To be called in the transaction."""
    _note(projects_of(owner), str(id), "")


def all_projects(owner: UUID) -> None:
    """Any of his may have changed."""
    if (notes := _NOTED.get()) is not None:
        notes.found[projects_of(owner)] = {}


def message(owner: UUID, id: UUID, state: str) -> None:
    """A direct message has another state."""
    _note(messages_of(owner), str(id), state)


def tell() -> None:
    """What was noted so far goes out now: of a job that commits more than once."""
    if (notes := _NOTED.get()) is not None:
        notes.tell()


def _note(topic: str, id: str, value: str) -> None:
    if (notes := _NOTED.get()) is None:
        return
    known = notes.found.get(topic)
    if known is None:
        notes.found[topic] = {id: value}
    elif known:  # else all of it may have changed anyway
        known[id] = value
        if len(known) > MOST:  # a transaction may write a million of them
            notes.found[topic] = {}


class _Notes:
    """Of one block. An empty dict of a topic: all of it may have changed."""

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
        """What is noted inside is announced when the block ends, however it ends."""
        notes = _Notes(self)
        before = _NOTED.set(notes)
        try:
            yield
        finally:
            _NOTED.reset(before)
            notes.tell()

    def take(self, found: _Noted) -> None:
        for topic, changes in found.items():
            known = self._waiting.get(topic, changes)
            together = {**known, **changes} if known and changes else {}
            self._waiting[topic] = together if len(together) <= MOST else {}
        if self._speaking is None:
            self._speaking = asyncio.create_task(self._speak())

    async def _speak(self) -> None:
        """Ends by itself when there is nothing to say."""
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
        """Says what is left, if Redis is there."""
        self._ending.set()
        if (speaking := self._speaking) is not None:
            await asyncio.wait({speaking}, timeout=_LAST_SECONDS)
            await end((speaking,))


def _told(topic: str, changes: dict[str, str]) -> dict[str, Any]:
    if not changes:
        return GAP
    return {"projects": [*changes]} if topic.startswith("projects:") else {"messages": changes}
