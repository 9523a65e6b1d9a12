"""Sends the messages of a batch concurrently, one request each."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import structlog

from channels.port import Outcome, Outgoing, Result

log = structlog.get_logger("postern.channels")

BROKE = Outcome(
    Result.unknown,
    code="channel_broke",
    reason="The channel failed while sending the message. The operator finds the error in the log.",
)
"""The outcome of a message whose driver raised."""


def about_sender(message: Outgoing, outcome: Outcome) -> Outcome:
    """Returns the outcome of a message whose sender the provider does not take.

    The sender of the DSN is a setting, which would fail for all messages. One that the message names is wrong for this
    message alone, and others go on.
    """
    if (
        message.sender is None
        or outcome.result is not Result.misconfigured
        or outcome.code != "invalid_sender"
    ):
        return outcome
    return replace(outcome, result=Result.refused)


async def each(send: Callable[[Outgoing], Awaitable[Outcome]], batch: Sequence[Outgoing]) -> list[Outcome]:
    """Sends all at once and returns an outcome for each.

    A driver raises only for programming errors. The message that caused one is `unknown`; the others, which
    may be other users', keep their outcomes.
    """
    if len(batch) == 1:  # the usual batch; it needs no task of its own
        try:
            return [await send(batch[0])]
        except Exception as error:
            log.error("a channel broke", messages=1, exc_info=error)
            return [BROKE]
    answers = await asyncio.gather(*(send(message) for message in batch), return_exceptions=True)
    outcomes, errors = [], []
    for answer in answers:
        if isinstance(answer, Exception):
            errors.append(answer)
            outcomes.append(BROKE)
        elif isinstance(answer, BaseException):
            raise answer
        else:
            outcomes.append(answer)
    if errors:
        log.error("a channel broke", messages=len(errors), exc_info=errors[0])
    return outcomes
