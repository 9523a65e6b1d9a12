"""The states of a Sending Project and their transitions (contract §3), in one table; docs/states.md draws it.

Callers' events (`start`, `stop`, `retry`, `delete`) are looked up in this table. The engine's own (`due`, `miss`,
`pause`, `resume`, `finish`, `reopen`) are SQL statements whose conditions name the same states.
"""

from enum import StrEnum
from typing import Final

from core.errors import Conflict
from shapes.sending_projects import ProjectStatus


class Event(StrEnum):
    """Names the events in a project's life."""

    start_later = "start_later"  # start, with `startAt` in the future
    start = "start"
    due = "due"  # `startAt` comes
    stop = "stop"
    miss = "miss"  # `startAt` came too long ago
    pause = "pause"
    resume = "resume"
    finish = "finish"
    reopen = "reopen"  # a worker that lost its claim has learned that messages were not dispatched
    retry = "retry"
    delete = "delete"


_S = ProjectStatus

MOVES: Final[tuple[tuple[ProjectStatus, Event, ProjectStatus], ...]] = (
    (_S.draft, Event.start_later, _S.scheduled),
    (_S.stopped, Event.start_later, _S.scheduled),
    (_S.draft, Event.start, _S.running),
    (_S.stopped, Event.start, _S.running),
    (_S.scheduled, Event.start, _S.running),
    (_S.scheduled, Event.due, _S.running),
    (_S.scheduled, Event.stop, _S.stopped),
    (_S.scheduled, Event.miss, _S.stopped),
    (_S.running, Event.stop, _S.stopped),
    (_S.paused, Event.stop, _S.stopped),
    (_S.running, Event.pause, _S.paused),
    (_S.paused, Event.resume, _S.running),
    (_S.running, Event.finish, _S.finished),
    (_S.finished, Event.reopen, _S.running),
    (_S.finished, Event.retry, _S.running),
    (_S.stopped, Event.retry, _S.running),
    (_S.draft, Event.delete, _S.deleted),
    (_S.scheduled, Event.delete, _S.deleted),
    (_S.stopped, Event.delete, _S.deleted),
    (_S.finished, Event.delete, _S.deleted),
)

_ENDS: Final = {(start, event): end for start, event, end in MOVES}

# The state that an event aims at, for the sentence of an error.
_TARGETS: Final = {
    Event.start_later: _S.scheduled,
    Event.start: _S.running,
    Event.due: _S.running,
    Event.stop: _S.stopped,
    Event.miss: _S.stopped,
    Event.pause: _S.paused,
    Event.resume: _S.running,
    Event.finish: _S.finished,
    Event.reopen: _S.running,
    Event.retry: _S.running,
    Event.delete: _S.deleted,
}

ALL_EDITABLE: Final = frozenset({_S.draft, _S.scheduled, _S.stopped})
SEND_RATE_EDITABLE: Final = frozenset({_S.running, _S.paused})
"""In these states only `speed` and `window` can be changed; of a finished project, nothing."""

LIVING: Final = frozenset({_S.scheduled, _S.running, _S.paused})
"""The states that count against the tariff's limit of concurrent projects."""


def after(status: str, event: Event) -> ProjectStatus:
    """Returns the state after the event. Raises Conflict (`bad_transition`) that names both states."""
    end = _ENDS.get((ProjectStatus(status), event))
    if end is not None:
        return end
    target = _TARGETS[event]
    verb = "start" if event is Event.start_later else event.value
    if status == target:
        message = f"This project is already {status}, so {verb} changes nothing."
    else:
        sources = sorted({start.value for start, cause, _ in MOVES if cause is event})
        message = (
            f"A project that is {status} can't become {target} by {verb}. Only a project that is"
            f" {' or '.join(sources)} can."
        )
    raise Conflict(message, code="bad_transition", details={"from": status, "to": target.value})
