"""Gives messages that a route does not take now to the next route, or back to their claim."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import structlog

from channels.port import Channel
from engine.sending.delivery import Delivery
from engine.sending.limits import Limits
from engine.sending.port import Message

log = structlog.get_logger("postern.sending")

NO_SHARE_SECONDS: Final = 2.0
"""Seconds until a worker looks again whether it has a share of a route's `total`."""


async def hand_back(route: Channel, withdrawn: Sequence[tuple[Delivery, Message]], limits: Limits) -> None:
    """Gives away messages whose intents are withdrawn."""
    waiting: dict[Delivery, list[tuple[Message, float]]] = {}
    paused: dict[Delivery, list[tuple[Message, float]]] = {}
    for delivery, message in withdrawn:
        if delivery.intent_counter is not None:
            delivery.intent_counter.intents_withdrawn([message])
        await limits.breakers.give_back([message])
        if (pause := limits.receivers.wait(message.receiver)) and not delivery.stopped:
            paused.setdefault(delivery, []).append((message, pause))
            continue
        delay = max(
            delivery.cooling(route, message.sender),
            limits.breakers.wait(limits.breaker(route, message)),
            limits.off(route),
        )
        if delay and not delivery.stopped:
            waiting.setdefault(delivery, []).append((message, delay))
        else:
            delivery.give_back([message])
    for delivery, messages in waiting.items():
        await pass_on(delivery, route, messages)
    for delivery, messages in paused.items():
        await pass_on(delivery, route, messages, Delivery.defer)


async def pass_on(
    delivery: Delivery,
    route: Channel,
    waiting: Sequence[tuple[Message, float]],
    way: Callable[..., Awaitable[None]] = Delivery.route_unavailable,
) -> None:
    """Gives away messages that the route does not want for so many seconds each. `way`: how the delivery takes them."""
    try:
        await way(delivery, route, waiting)
    except Exception as error:
        log.exception("messages can't be deferred", driver=route.name)
        delivery.fail(error)
        delivery.give_back([message for message, _ in waiting if message.outcome is None])
