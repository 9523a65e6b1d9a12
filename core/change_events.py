"""Collects changes while a transaction runs, and publishes them to subscribers after it.

Code that opens transactions (an operation's frame, a job, a drain) does so inside `ChangeEvents.emitting()`. Code that
writes a change calls `project` or `message`, and needs no Redis. When the block ends, the changes go to an outbox that
publishes at most four times a second: a batch of five hundred messages costs one entry in a set, and a Redis that does
not answer delays no batch. A change may be published twice, or after a rollback: subscribers then read the state.

Topics: `projects:<owner>` `{projects: [id]}`, `messages:<owner>` `{messages: {id: state}}`, and `projects` `{}`, for
subscribers who see the projects of all users. More than `MOST` changes at once are replaced by a `GAP`.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from core.pubsub import GAP, publish
from core.store import Store
from core.tasks import end

EVERYBODY = "projects"
MOST = 200  # changes of one owner in one announcement
PAUSE = 0.25  # seconds between two announcements
_LAST_SECONDS = 2.0  # in which the rest is published when the process ends

_Changes = dict[str, dict[str, str]]
_RECORDER: ContextVar["_Recorder | None"] = ContextVar("change_recorder", default=None)


def projects_of(owner: UUID) -> str:
    """Returns the topic of all projects of a user."""
    return f"projects:{owner}"


def messages_of(owner: UUID) -> str:
    """Returns the topic of all of a user's direct messages."""
    return f"messages:{owner}"


def project(owner: UUID, id: UUID) -> None:
    """Records that the state or the counts of a project changed. To be called in the transaction."""
    _record(projects_of(owner), str(id), "")


def all_projects(owner: UUID) -> None:
    """Records that any project of this owner may have changed."""
    if (recorder := _RECORDER.get()) is not None:
        recorder.changes[projects_of(owner)] = {}


def message(owner: UUID, id: UUID, state: str) -> None:
    """Records the new state of a direct message."""
    _record(messages_of(owner), str(id), state)


def emit() -> None:
    """Publishes the changes recorded so far, for a job that commits more than once."""
    if (recorder := _RECORDER.get()) is not None:
        recorder.emit()


def _record(topic: str, id: str, value: str) -> None:
    if (recorder := _RECORDER.get()) is None:
        return
    changes = recorder.changes.get(topic)
    if changes is None:
        recorder.changes[topic] = {id: value}
    elif changes:  # an empty dict already says that all may have changed
        changes[id] = value
        if len(changes) > MOST:  # a transaction may change a million rows
            recorder.changes[topic] = {}


class _Recorder:
    """The changes of one block. An empty dict for a topic means that all of it may have changed."""

    __slots__ = ("changes", "outbox")

    def __init__(self, outbox: "ChangeEvents") -> None:
        self.outbox = outbox
        self.changes: _Changes = {}

    def emit(self) -> None:
        if self.changes:
            self.outbox.add(self.changes)
            self.changes = {}


class ChangeEvents:
    """The outbox of a process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: _Changes = {}
        self._publishing: asyncio.Task[None] | None = None
        self._ending = asyncio.Event()

    @contextmanager
    def emitting(self) -> Iterator[None]:
        """Publishes the changes recorded inside when the block ends, also if it ends with an error."""
        recorder = _Recorder(self)
        before = _RECORDER.set(recorder)
        try:
            yield
        finally:
            _RECORDER.reset(before)
            recorder.emit()

    def add(self, recorded: _Changes) -> None:
        """Adds changes to the outbox, to be published soon."""
        for topic, changes in recorded.items():
            pending = self._waiting.get(topic, changes)
            together = {**pending, **changes} if pending and changes else {}
            self._waiting[topic] = together if len(together) <= MOST else {}
        if self._publishing is None:
            self._publishing = asyncio.create_task(self._publish_until_empty())

    async def _publish_until_empty(self) -> None:
        """Publishes until the outbox is empty, then ends."""
        try:
            while self._waiting:
                await self._publish_pending()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._ending.wait(), PAUSE)
        finally:
            self._publishing = None

    async def _publish_pending(self) -> None:
        pending, self._waiting = self._waiting, {}
        if any(topic.startswith("projects:") for topic in pending):
            await publish(self._store, EVERYBODY, {})
        for topic, changes in pending.items():
            await publish(self._store, topic, _payload(topic, changes))

    async def close(self) -> None:
        """Publishes the rest, if Redis is reachable."""
        self._ending.set()
        if (publishing := self._publishing) is not None:
            await asyncio.wait({publishing}, timeout=_LAST_SECONDS)
            await end((publishing,))


def _payload(topic: str, changes: dict[str, str]) -> dict[str, Any]:
    if not changes:
        return GAP
    return {"projects": [*changes]} if topic.startswith("projects:") else {"messages": changes}
