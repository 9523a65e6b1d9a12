"""The ranges of the messages: which ranges of their indexes a filter on state, channel and direction selects.

Outbound messages that have been sent or have failed have an index by owner, state, channel and id, inbound ones by
owner, channel and id. Of a million messages the last that failed are found in the range of those that failed. Queued
messages have an index by owner, channel and id of their own, and scheduled ones, which are queued too, a further one:
a hundred thousand messages for tomorrow are not in the way of the ten that wait now. Messages that are being sent are
read from the index of the claims, which contains no others. A list of several states or channels reads the first rows
of each range; that is at most 60 ranges.

A scheduled message whose time has come is `queued`, for the moment until a worker takes it, or longer if the queue is
long. Such messages are found by their time.
"""

from collections.abc import Sequence

from sqlalchemy import and_, func, literal_column, select, true

from db import models
from db.lists import Conditions, RangeCondition
from db.lists.definition import Ranges
from db.lists.filters import selected
from shapes.messages import DeliveryState, Direction, MessageChannel, MessageStatus

STATES: dict[str, tuple[str, ...]] = {
    MessageStatus.queued: (
        DeliveryState.scheduled,
        DeliveryState.queued,
        DeliveryState.sending,
        DeliveryState.unknown,
    ),
    MessageStatus.sent: (DeliveryState.sent,),
    MessageStatus.delivered: (DeliveryState.delivered,),
    MessageStatus.failed: (DeliveryState.failed, DeliveryState.canceled),
}
"""The states of each status: db.models.messages.STATUS_OF_STATE, the other way round."""
_ROW = models.Message
# PostgreSQL takes the state and the time for independent of each other, and most times of an old table have come, but
# not those of queued messages. With two bounds that it learns only when it runs, it expects few rows, and reads them
# from the index of the times. The condition on those to come is in a form by which no index is chosen but that of the
# list's order.
_HAS_COME = and_(
    _ROW.send_at > select(literal_column("'-infinity'::timestamptz")).scalar_subquery(),
    _ROW.send_at <= select(func.now()).scalar_subquery(),
)
CONDITIONS = {
    "at_once": RangeCondition(_ROW.send_at.is_(None)),
    "at_a_time": RangeCondition(_ROW.send_at.is_not(None)),
    "time_to_come": RangeCondition(
        and_(_ROW.send_at.is_not(None), (_ROW.send_at <= func.now()).is_not(true()))
    ),
    "time_has_come": RangeCondition(_HAS_COME, few=True),
}
"""Conditions on the time at which a queued message is to be sent."""
_WAITING = {
    DeliveryState.queued.value: ("at_once", "time_has_come"),
    DeliveryState.scheduled.value: ("time_to_come",),
}
"""The conditions that tell which of the queued messages are in a state that is shown."""
_COLUMNS = ("status", "delivery_state", "channel", "direction")


def ranges(where: Conditions) -> tuple[Conditions, Ranges | None]:
    """Returns the conditions that are left to check, and the ranges that the others select; None: all messages."""
    if not any(name in _COLUMNS for name, _ in where):
        return where, None
    left = {name: value for name, value in where.items() if name[0] not in _COLUMNS}
    statuses = selected(where, "status", MessageStatus)
    states = [
        state
        for state in selected(where, "delivery_state", DeliveryState)
        if any(state in STATES[status] for status in statuses)
    ]
    parts = _parts(states)
    channels = selected(where, "channel", MessageChannel)
    matching: list[tuple[tuple[str, str | None], ...]] = []
    for direction in selected(where, "direction", Direction):
        if direction == Direction.outbound:
            matching += [
                (("direction", direction), ("channel", channel), *part)
                for part in parts
                for channel in channels
            ]
        elif DeliveryState.delivered in states:  # the state of every inbound message
            matching += [(("direction", direction), ("channel", channel)) for channel in channels]
    return left, tuple(matching)


def _parts(states: Sequence[str]) -> list[tuple[tuple[str, str | None], ...]]:
    """Returns the ranges of outbound messages in these states, without their channels."""
    stored: list[tuple[tuple[str, str | None], ...]] = []
    for state in states:
        if state == DeliveryState.sending:  # each has a claim, whose index finds it
            stored.append((("state", state), ("claim_id", None)))
        elif state not in _WAITING:
            stored.append((("state", state),))
    times = [time for waiting, times in _WAITING.items() if waiting in states for time in times]
    if all(waiting in states for waiting in _WAITING):
        times = ["at_once", "at_a_time"]
    return stored + [(("state", DeliveryState.queued.value), (time, None)) for time in times]
