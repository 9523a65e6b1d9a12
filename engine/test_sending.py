"""One message to a messenger, at once: for trying it out, outside every queue."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import cast

import structlog

import channels
from channels.port import Channel, Event, Outcome, Outgoing, Result
from engine.messengers.channel import MessengerChannel
from postern.services import Services

log = structlog.get_logger("postern.engine")

_NEXT = (Result.transient, Result.throttled, Result.misconfigured)
_CLOSING = 2.0  # seconds


async def hand_over(services: Services, kind: str, message: Outgoing, seconds: float) -> Outcome:
    """What the first route said that did not send us on to the next one; `unknown` when time was up.

    Through its messenger account, where `message.metadata` names one. The other routes are opened for this one message and closed again: only workers keep them open, and a process that
    serves requests must not bind to a provider beside them.
    """
    outcome = Outcome(Result.transient, code="no_route", reason=f"No way out is configured for {kind}.")
    try:
        async with asyncio.timeout(seconds):
            if message.metadata.get("messenger_account"):
                return (await MessengerChannel(services).send([message]))[0]
            for dsn in channels.parse_list(str(getattr(services.settings, f"channel_{kind}"))):
                outcome = await _once(channels.connect(cast(channels.Kind, kind), dsn), message)
                if outcome.result not in _NEXT:
                    break
    except TimeoutError:
        reason = f"No answer within {seconds:.0f} s; it may have been taken."
        return Outcome(Result.unknown, code="timeout", reason=reason)
    return outcome


async def _once(channel: Channel, message: Outgoing) -> Outcome:
    await channel.open(_nobody)
    try:
        (outcome,) = await channel.send([message])
    except Exception:  # a channel raises for programming errors only; then nobody knows what it did
        log.exception("a channel broke", driver=channel.name, messages=1)
        reason = "The channel broke while it had the message; the log has the error."
        return Outcome(Result.unknown, code="channel_broke", reason=reason)
    finally:
        with suppress(TimeoutError):
            await asyncio.wait_for(channel.close(), _CLOSING)
    return outcome


async def _nobody(channel: Channel, events: Sequence[Event]) -> None:
    """Receipts of a test have no row that they could move."""
