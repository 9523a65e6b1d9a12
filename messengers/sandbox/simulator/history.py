"""Reads a contact's past messages back from the events of the box."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from messengers.port import Event, Message, Progress
from shapes.chats import ChatMessageStatus

_RANK = list(ChatMessageStatus)  # in the order of how far a message got


def messages(newest: Sequence[Event], thread: str | None = None) -> Iterator[Message]:
    """Yields the messages of one thread or of all, newest first like `newest`, each with its current status."""
    reached: dict[tuple[str, str], ChatMessageStatus] = {}  # (thread, provider_id)
    up_to: dict[tuple[str, str], ChatMessageStatus] = {}
    all_before: dict[str, ChatMessageStatus] = {}  # by thread
    for event in newest:
        if isinstance(event, Progress):
            statuses = up_to if event.up_to else reached
            key = event.thread, event.provider_id
            statuses[key] = _further(statuses.get(key), event.status)
        elif isinstance(event, Message) and (thread is None or event.thread == thread):
            if not event.outgoing:
                yield event
                continue
            key = event.thread, event.provider_id
            if key in up_to:
                all_before[event.thread] = _further(all_before.get(event.thread), up_to[key])
            status = _further(_further(event.status, reached.get(key)), all_before.get(event.thread))
            yield replace(event, status=status)


def _further(first: ChatMessageStatus | None, second: ChatMessageStatus | None) -> ChatMessageStatus:
    statuses = [status for status in (first, second) if status is not None]
    return max(statuses, key=_RANK.index, default=ChatMessageStatus.server)
