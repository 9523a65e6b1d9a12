"""Makes SQL of the filters of segments.

Subscriptions and messages are asked for in one of two ways. `at_once` reads those of all contacts into sets, which are
joined: for sizes. Otherwise each contact is looked up by an index: for pages of a few thousand contacts. Both give the
same contacts, whatever the planner makes of a filter.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from db.address_keys import key_of
from engine.contacts.conditions import OF_CONTACTS, of_slot, on_field
from engine.contacts.field_values import Types
from shapes.segments import (
    SegmentCondition,
    SegmentContact,
    SegmentEvent,
    SegmentFilter,
    SegmentHistory,
    SegmentSubscription,
)

_PARAMETER = re.compile(r"(?<!:):([a-z]\w*)")
_TABLE = re.compile(r"\bcontacts\.")
_COLUMNS: Final[Mapping[tuple[str, str], str]] = {
    ("external_id", "eq"): "contacts.external_id = :external_id_eq_",
    ("external_id", "in_"): "contacts.external_id = ANY(CAST(:external_id_in__ AS text[]))",
    ("created_at", "gt"): "contacts.created_at > :created_at_gt_",
    ("created_at", "gte"): "contacts.created_at >= :created_at_gte_",
    ("created_at", "lt"): "contacts.created_at < :created_at_lt_",
    ("created_at", "lte"): "contacts.created_at <= :created_at_lte_",
    **{name: sql for name, sql in OF_CONTACTS.items() if name[0] != "channel"},
}
_EVENTS: Final[Mapping[SegmentEvent, str]] = {
    SegmentEvent.sent: "r.sent_at IS NOT NULL",
    SegmentEvent.delivered: "(r.delivered_at IS NOT NULL OR r.read_at IS NOT NULL)",
    SegmentEvent.read: "r.read_at IS NOT NULL",
    SegmentEvent.replied: "r.replied_at IS NOT NULL",
    SegmentEvent.clicked: "EXISTS (SELECT FROM clicks AS k WHERE k.message_id = r.id AND k.machine IS NULL)",
    SegmentEvent.failed: "r.status = 'failed'",
    SegmentEvent.bounced: "r.bounced_at IS NOT NULL",
    SegmentEvent.complained: "r.complained_at IS NOT NULL",
}
_REACHED = "contact_addresses AS a WHERE a.owner_id = {owner} AND a.channel = ANY({channels})"
_SUBSCRIPTIONS = "topic_subscriptions AS a WHERE a.owner_id = {owner} AND a.topic_id = {topic}"
_MESSAGES = f"""contact_addresses AS a JOIN message_records AS r
  ON {key_of('r."to"')} = {key_of("a.address")} AND r.channel = a.channel
  WHERE a.owner_id = {{owner}} AND r.owner_id = {{owner}} AND r.direction = 'outbound' AND r.queued_at >= {{since}}"""
_OF_TOPICS = """r.project_id = ANY(ARRAY(
    SELECT p.id FROM sending_projects AS p WHERE p.owner_id = {owner} AND p.audience -> 'topicUuids' ?| {topics}::text[]
  ))"""


class Selection:
    """The SQL that asks whether a contact `c` meets filters, with its parameters.

    `owner`: the SQL of the owner's id; `first`: the number of the first parameter that is free.
    """

    def __init__(self, types: Types, now: datetime, owner: str, first: int, *, at_once: bool) -> None:
        self.arguments: list[Any] = []
        self._types, self._now, self._owner, self._first, self._at_once = types, now, owner, first, at_once
        self._sets: list[str] = []

    def queries(self, before: str | None = None, after: str | None = None) -> str:
        """Returns the SQL of WITH for the sets, and queries before and after them."""
        sets = (
            f"set{n} AS MATERIALIZED (SELECT DISTINCT a.contact_id FROM {each})"  # noqa: S608  our own words
            for n, each in enumerate(self._sets)
        )
        return "WITH " + ", ".join(query for query in (before, *sets, after) if query)

    @property
    def joins(self) -> str:
        """Returns the SQL that joins the sets to `c`."""
        return " ".join(f"LEFT JOIN set{n} ON set{n}.contact_id = c.id" for n in range(len(self._sets)))

    def meets_any(self, filters: Iterable[SegmentFilter]) -> str:
        """Returns the condition that a contact meets one of the filters; false without any.

        Raises BadRequest (`unknown_field`, `bad_field`), ValidationFailed.
        """
        return f"({' OR '.join([self._filter(each) for each in filters]) or 'false'})"

    def _filter(self, filter: SegmentFilter) -> str:
        groups = (" OR ".join(self._condition(each) for each in group.any_) for group in filter.all_)
        return f"({' AND '.join(f'({group})' for group in groups)})"

    def _condition(self, condition: SegmentCondition) -> str:
        if condition.contact is not None:
            sql = self._contact(condition.contact)
        elif condition.subscription is not None:
            sql = self._member(self._subscription(condition.subscription))
        else:
            assert condition.history is not None
            sql = self._member(self._history(condition.history))
        # A comparison with a field that a contact does not have is null: it does not hold.
        return f"({sql}) IS NOT TRUE" if condition.not_ else f"({sql})"

    def _contact(self, contact: SegmentContact) -> str:
        parts = []
        for name, value in contact.conditions().items():
            if name[0] == "channel":
                parts.append(self._reached(name[1], value))
            else:
                parts.append(self._numbered(_COLUMNS[name], {_parameter(*name): value}))
        if contact.created_within_days is not None:
            parts.append(f"c.created_at >= {self._since(contact.created_within_days)}")
        for field in contact.fields or ():
            compared, values = on_field("field", field, self._types, self._now)
            values |= {_parameter(*name): value for name, value in compared.items()}
            parts += [self._numbered(of_slot("field")[name], values) for name in compared]
        return " AND ".join(f"({part})" for part in parts) or "true"

    def _reached(self, operator: str, value: Any) -> str:
        channels = self._value([value] if operator == "eq" else value, "text[]")
        sql = self._member(_REACHED.format(owner=self._owner, channels=channels))
        return f"NOT {sql}" if operator == "not_in" else sql

    def _subscription(self, asked: SegmentSubscription) -> str:
        states = ", ".join(f"'{state.value}'" for state in asked.states)
        sql = _SUBSCRIPTIONS.format(owner=self._owner, topic=self._value(asked.topic_uuid, "uuid"))
        sql += f" AND a.state IN ({states})"
        if asked.channel is not None:
            sql += f" AND a.channel = {self._value(asked.channel.value, 'text')}"
        if asked.changed_within_days is not None:
            sql += f" AND a.changed_at >= {self._since(asked.changed_within_days)}"
        return sql

    def _history(self, asked: SegmentHistory) -> str:
        sql = _MESSAGES.format(owner=self._owner, since=self._since(asked.within_days))
        sql += f" AND {_EVENTS[asked.event]}"
        if asked.project_uuids:
            sql += f" AND r.project_id = ANY({self._value(asked.project_uuids, 'uuid[]')})"
        if asked.topic_uuids:
            topics = self._value([str(id) for id in asked.topic_uuids], "text[]")
            sql += f" AND {_OF_TOPICS.format(owner=self._owner, topics=topics)}"
        if asked.channel is not None:
            sql += f" AND r.channel = {self._value(asked.channel.value, 'text')}"
        return sql

    def _member(self, rows: str) -> str:
        if self._at_once:
            self._sets.append(rows)
            return f"set{len(self._sets) - 1}.contact_id IS NOT NULL"
        # OFFSET 0: without it PostgreSQL may read the rows of all contacts for each page.
        return f"EXISTS (SELECT FROM {rows} AND a.contact_id = c.id OFFSET 0)"

    def _numbered(self, sql: str, values: Mapping[str, Any]) -> str:
        """Returns SQL with named parameters as SQL with numbered ones."""
        numbers: dict[str, str] = {"owner_id": self._owner}

        def number(match: re.Match[str]) -> str:
            name = match[1]
            if name not in numbers:
                numbers[name] = self._value(values[name])
            return numbers[name]

        return _TABLE.sub("c.", _PARAMETER.sub(number, sql))

    def _since(self, days: int) -> str:
        return self._value(self._now - timedelta(days=days), "timestamptz")

    def _value(self, value: Any, type: str | None = None) -> str:
        self.arguments.append(value)
        number = f"${self._first + len(self.arguments) - 1}"
        return f"{number}::{type}" if type else number


def _parameter(name: str, operator: str) -> str:
    return f"{name}_{operator}_"


def topics_in(filters: Iterable[SegmentFilter]) -> set[UUID]:
    """Returns the topics that filters name."""
    topics: set[UUID] = set()
    for condition in _conditions(filters):
        if condition.subscription is not None:
            topics.add(condition.subscription.topic_uuid)
        if condition.history is not None:
            topics.update(condition.history.topic_uuids)
    return topics


def projects_in(filters: Iterable[SegmentFilter]) -> set[UUID]:
    """Returns the projects that filters name."""
    return {id for each in _conditions(filters) if each.history for id in each.history.project_uuids}


def fields_in(filters: Iterable[SegmentFilter]) -> set[str]:
    """Returns the keys of the fields that filters name."""
    return {f.key for each in _conditions(filters) if each.contact for f in each.contact.fields or ()}


def read(stored: Sequence[Any]) -> list[SegmentFilter]:
    """Returns filters as they are stored in `segments.filter`."""
    return [SegmentFilter.model_validate(each) for each in stored]


def _conditions(filters: Iterable[SegmentFilter]) -> Iterable[SegmentCondition]:
    return (each for filter in filters for group in filter.all_ for each in group.any_)
