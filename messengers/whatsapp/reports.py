"""Reports events to the host: again after an error that may pass, and without the events that it can never store."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import structlog

from messengers.port import Event, Lost
from messengers.whatsapp.parsed import LASTING_ERRORS

log = structlog.get_logger()

_ATTEMPTS: Final = 3

Apply = Callable[[Sequence[Event]], Awaitable[None]]


async def report(apply: Apply, events: Sequence[Event]) -> None:
    """Reports the events. Raises Lost, and the last error if it may pass: then the events stay in the child's journal.

    After another error they are reported one by one, and an event that is refused again is dropped: the child would
    hand it over again and again, and nothing behind it.
    """
    for attempt in range(_ATTEMPTS if events else 0):
        try:
            await apply(events)
            return
        except Lost:
            raise
        except Exception as error:
            log.warning("messages could not be written down", attempt=attempt, error=type(error).__name__)
            if attempt + 1 == _ATTEMPTS and not isinstance(error, LASTING_ERRORS):
                raise
        if attempt + 1 < _ATTEMPTS:
            await asyncio.sleep(1)
    for event in events:
        try:
            await apply([event])
        except LASTING_ERRORS as error:
            what = f"{type(error).__name__} in {type(event).__name__}"
            log.error("a WhatsApp event can't be stored", what=what)
