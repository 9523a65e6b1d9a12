"""The ranges of the messages: which ranges of their indexes a filter on state, channel and direction selects.

Outbound messages that have been sent or have failed have an index by owner, state, channel and id, inbound ones by
owner, channel and id. Of a million messages the last that failed are found in the range of those that failed. Queued
messages and those being sent are read from the indexes of the queue and of the claims, which contain no others: an
index of their own would have to be written three times for each message. A list of several states or channels reads the
first rows of each range; that is at most 45 ranges. A scheduled message is a queued one, in the same range.
"""

from db.lists import Conditions
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
_CLAIMED = {DeliveryState.sending.value: (("claim_id", None),)}
"""Each message that is being sent has a claim; the index of the claims finds it."""
_STORED = {DeliveryState.scheduled.value: DeliveryState.queued.value}
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
    waiting = {DeliveryState.scheduled, DeliveryState.queued}.intersection(states)
    if len(waiting) == 1:  # which of the two a queued message is has to be checked
        left |= {name: value for name, value in where.items() if name[0] == "delivery_state"}
    states = list(dict.fromkeys(_STORED.get(state, state) for state in states))
    channels = selected(where, "channel", MessageChannel)
    matching: list[tuple[tuple[str, str | None], ...]] = []
    for direction in selected(where, "direction", Direction):
        if direction == Direction.outbound:
            matching += [
                (("direction", direction), ("state", state), ("channel", channel), *_CLAIMED.get(state, ()))
                for state in states
                for channel in channels
            ]
        elif DeliveryState.delivered in states:  # the state of every inbound message
            matching += [(("direction", direction), ("channel", channel)) for channel in channels]
    return left, tuple(matching)
