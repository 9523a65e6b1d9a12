"""The lists of messages: their filters, the rows that they have, and the counters that say how many those are."""

from collections.abc import Sequence
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Text, and_, any_, case, func, literal_column, or_, select

from db import models
from db.address_keys import key_column
from db.lists import Belonging, Conditions, Listing
from db.lists.filters import comparisons, without_index
from db.models.messages import STATUS_OF_STATE
from db.query import Query, of, p
from engine.contacts import history
from resolvers.messages import message_ranges
from runtime.operation import Op
from shapes.messages import SPECIFIED, DeliveryState, ListedChannel

_OWN_ACCOUNTS = of(
    models.Account,
    models.Account.id == any_(p("ids", like=models.Account.id)),
    models.Account.owner_id == p("owner_id"),
)

_STATE = case(
    (
        and_(
            models.Message.state == literal_column(f"'{DeliveryState.queued}'"),
            models.Message.send_at > func.now(),
        ),
        literal_column(f"'{DeliveryState.scheduled}'", Text),
    ),
    else_=models.Message.state,
)
MESSAGES = Listing(
    models.Message,
    filters={
        **comparisons("delivery_state", _STATE, ("eq", "in_", "not_in")),
        **comparisons("to", key_column(models.Message.to)),
    },
    ranges=message_ranges.ranges,
    range_conditions=message_ranges.CONDITIONS,
    by_time=True,
    planned=("updated_at",),
    without=("status_callback", "callback_id"),
)
MINE = models.Message.owner_id == p("owner_id")
# The messages of an account are read from its own index, and the owner is only checked.
ALSO_MINE = without_index(MINE)
OF_CONTACT = Belonging(
    f"messages.id = ANY({history.ids_of(history.MESSAGES, 'parents.parent_')})", models.Contact.id.type
)
ANY_OF = {
    column.key: select(func.unnest(p("values", like=column)).column_valued("value"))
    for column in (models.Message.account_id, models.Message.failure_code)
}
_SPECIFIED: Sequence[Any] = [literal_column(f"'{channel.value}'") for channel in SPECIFIED]
_OF_SPECIFIED = models.Message.channel.in_(_SPECIFIED)
# Test messages by telegram and whatsapp are shown by resolvers/trial.py alone (contract §7.10).
# The steps of chains are shown by their heads.
_HEADS = models.Message.chain_id.is_(None)
SPECIFIED_CHANNELS = and_(_OF_SPECIFIED, _HEADS)
DIRECT = and_(or_(_OF_SPECIFIED, ~models.Message.trial), _HEADS)

_COUNTER = models.MessageCounter
_COUNTERS = Listing(
    _COUNTER,
    filters={
        ("status", "eq"): literal_column(STATUS_OF_STATE.replace("state", "message_counters.state"), Text)
        == p("status_eq_")  # the state, translated into the specification's status
    },
)
COUNTERS_MINE = _COUNTER.owner_id == p("owner_id")
COUNTERS_SPECIFIED = _COUNTER.channel.in_(_SPECIFIED)
COUNTERS_DIRECT = or_(COUNTERS_SPECIFIED, _COUNTER.kind != "trial")


@cache
def total_of(names: frozenset[tuple[str, str]], *scope: Any) -> Query[Any]:
    """Returns the query for the number of messages with these filters, which adds up their counters."""
    stored = func.coalesce(func.sum(_COUNTER.stored), 0).cast(BigInteger)
    return Query(_COUNTER, select(stored).where(*_COUNTERS.where_clauses(names, scope)))


def scope_of(channel: ListedChannel | None) -> tuple[Any, Any]:
    """Returns the condition on the messages of a list, and that on their counters, by the channel that is asked for."""
    return (SPECIFIED_CHANNELS, COUNTERS_SPECIFIED) if channel is None else (DIRECT, COUNTERS_DIRECT)


async def own_accounts(op: Op, ids: Sequence[UUID]) -> Sequence[UUID]:
    """Returns those of the accounts whose messages the caller may see. The index of another's is not read in vain."""
    if op.viewer.admin:
        return ids
    return [row.id for row in await _OWN_ACCOUNTS.all(op.db, ids=[*ids], owner_id=op.viewer.id)]


def values_of(where: Conditions, name: str) -> Sequence[Any] | None:
    """Returns the values of a column that meet the conditions on it; None if there are no conditions."""
    asked = [{value} if op == "eq" else {*value} for (column, op), value in where.items() if column == name]
    return sorted(set.intersection(*asked)) if asked else None
