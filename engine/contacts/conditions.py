"""The conditions by which contacts are found, as SQL over `contacts` with named parameters.

Equal values are found by the index of `contacts.terms`; greater and less are compared row by row. PostgreSQL plans each
statement for its values: it reads the index where few contacts match, and the list in its order where many do.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

import orjson

from core.errors import BadRequest, ValidationFailed
from engine.contacts.field_values import FieldType, Types, as_stored, unknown
from shapes.contact_fields import ContactFieldType
from shapes.contacts import ContactFieldCondition

_WITH = "contacts.id IN (SELECT a.contact_id FROM contact_addresses AS a WHERE a.owner_id = :owner_id AND a.channel {})"
_WITHOUT = "NOT EXISTS (SELECT FROM contact_addresses AS a WHERE a.contact_id = contacts.id AND a.channel {})"
_NAMES = "postern_contact_names(:owner_id, :name_contains_)"
_LOCALES = "postern_contact_values(:owner_id, '$locale', to_jsonb({}))"
_VALUE = "postern_contact_values(:owner_id, :{slot}_key_, CAST(CAST(:{slot}_{operator}_ AS text) AS jsonb))"
_NUMBER = (
    "CASE WHEN jsonb_typeof(contacts.fields -> :{slot}_key_) = 'number'"
    " THEN (contacts.fields -> :{slot}_key_)::numeric END"
)
_DAY = '(contacts.fields ->> :{slot}_key_) COLLATE "C"'
_SPANS = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_DAYS = (
    "contacts.terms && postern_contact_days(:owner_id, :{slot}_key_, CAST(:{slot}_{first}_ AS date)"
    " + CAST(:{slot}_from_ AS int), CAST(:{slot}_{last}_ AS date) + CAST(:{slot}_days_ AS int))"
)
_ZONE = "COALESCE(contacts.timezone, 'UTC') = ANY(CAST(:{slot}_zones{n}_ AS text[]))"
_EARLIEST = timedelta(hours=-12)  # the offset of the zone in which it is earliest
_DATES = 3  # that it may be somewhere on earth at one moment

Sql = Mapping[tuple[str, str], str]
"""(name, comparison) → SQL, whose parameters are `:owner_id`, `:<name>_<comparison>_` and those of a field's slot."""

OF_CONTACTS: Final[Sql] = {
    ("name", "contains"): f"contacts.terms @> {_NAMES} AND cardinality({_NAMES}) > 0",
    ("channel", "eq"): _WITH.format("= :channel_eq_"),
    ("channel", "in_"): _WITH.format("= ANY(CAST(:channel_in__ AS text[]))"),
    ("channel", "not_in"): _WITHOUT.format("= ANY(CAST(:channel_not_in_ AS text[]))"),
    ("locale", "eq"): f"contacts.terms @> {_LOCALES.format('CAST(:locale_eq_ AS text)')}",
    ("locale", "in_"): f"contacts.terms && {_LOCALES.format('CAST(:locale_in__ AS text[])')}",
}


@lru_cache
def of_slot(slot: str) -> Sql:
    """Returns the comparisons of one condition on a field. Its key is the parameter `<slot>_key_`."""
    operators = ("eq", "in_", "not_in", "ago")
    value = {operator: _VALUE.format(slot=slot, operator=operator) for operator in operators}
    is_set = f"postern_contact_known(:owner_id, :{slot}_key_)"
    # The first overlap is what the index is read by: that of all dates which it may be anywhere. The second one holds
    # for nearly the same rows. The planner would multiply their shares, so it is shown no overlap there.
    anywhere = _DAYS.format(slot=slot, first="date0", last=f"date{_DATES - 1}")
    days = " OR ".join(
        f"{_DAYS.format(slot=slot, first=f'date{n}', last=f'date{n}')} AND {_ZONE.format(slot=slot, n=n)}"
        for n in range(_DATES)
    )
    ago = " OR ".join(
        f"{_DAY.format(slot=slot)} = CAST(:{slot}_ago{n}_ AS text) AND {_ZONE.format(slot=slot, n=n)}"
        for n in range(_DATES)
    )
    return {
        (slot, "eq"): f"contacts.terms @> {value['eq']}",
        (slot, "in_"): f"contacts.terms && {value['in_']}",
        (slot, "not_in"): f"NOT contacts.terms && {value['not_in']}",
        (slot, "set"): f"contacts.terms @> {is_set} = CAST(:{slot}_set_ AS boolean)",
        (slot, "days"): f"{anywhere} AND CASE WHEN {days} THEN 1 ELSE 0 END > 0",
        (slot, "ago"): f"contacts.terms && {value['ago']} AND CASE WHEN {ago} THEN 1 ELSE 0 END > 0",
        **{
            (slot, f"{kind}_{operator}"): (
                f"{column.format(slot=slot)} {sign} CAST(:{slot}_{kind}_{operator}_ AS {cast})"
            )
            for kind, column, cast in (("number", _NUMBER, "numeric"), ("day", _DAY, "text"))
            for operator, sign in _SPANS.items()
        },
    }


def on_field(
    slot: str, condition: ContactFieldCondition, types: Types, now: datetime
) -> tuple[dict[tuple[str, str], Any], dict[str, Any]]:
    """Returns the expression that a condition compares in `of_slot(slot)`, and the values of its further parameters.

    `now` is the time by which today is told. Raises BadRequest (`unknown_field`, `bad_field`), ValidationFailed.
    """
    if (of := types.get(condition.key)) is None:
        raise unknown(condition.key)
    conditions, values = _compared(slot, condition, of), {f"{slot}_key_": condition.key}
    if (days := _days(condition, of)) is not None:
        conditions[slot, "days"] = days[1]
        values |= _span(slot, now, days[0])
    if condition.days_ago is not None:
        values |= _ago(slot, condition, of, now)
        conditions[slot, "ago"] = _json([values[f"{slot}_ago{n}_"] for n in range(_DATES)])
    return conditions, values


def _compared(slot: str, condition: ContactFieldCondition, of: FieldType) -> dict[tuple[str, str], Any]:
    result: dict[tuple[str, str], Any] = {}
    if condition.eq is not None:
        result[slot, "eq"] = _json(_value(condition.key, condition.eq, of))
    for operator in ("in_", "not_in"):
        if (some := getattr(condition, operator)) is not None:
            result[slot, operator] = _json([_value(condition.key, value, of) for value in some])
    for operator in _SPANS:
        if (bound := getattr(condition, operator)) is not None:
            kind = _SPANNED.get(of.type)
            if kind is None:
                raise BadRequest(
                    f"The field {condition.key} is neither a number nor a day, so it has no greater and less.",
                    code="bad_field",
                )
            stored = as_stored(condition.key, bound, FieldType(of.type))
            result[slot, f"{kind}_{operator}"] = str(stored) if kind == "day" else Decimal(str(stored))
    if condition.is_set is not None:
        result[slot, "set"] = condition.is_set
    return result


_SPANNED = {ContactFieldType.number: "number", ContactFieldType.date: "day"}


def _days(condition: ContactFieldCondition, of: FieldType) -> tuple[int, int] | None:
    """Returns the first and the last day, counted from today, that the condition asks for; None: none.

    Raises BadRequest, ValidationFailed.
    """
    if condition.in_days is None and condition.within_days is None:
        return None
    _check_is_day(condition, of)
    if condition.in_days is not None and condition.within_days is not None:
        raise ValidationFailed(["where.fields: send either inDays or withinDays"])
    if condition.in_days is not None:
        return condition.in_days, condition.in_days
    return 0, condition.within_days or 0


def _check_is_day(condition: ContactFieldCondition, of: FieldType) -> None:
    if of.type is not ContactFieldType.date:
        raise BadRequest(f"The field {condition.key} is no day.", code="bad_field")


def _ago(slot: str, condition: ContactFieldCondition, of: FieldType, now: datetime) -> dict[str, Any]:
    """Returns the parameters of a condition on days that have been: for each date that it is somewhere on earth, the
    day that it asks for. Raises BadRequest.
    """
    _check_is_day(condition, of)
    span = _span(slot, now, 0)
    days = {
        f"{slot}_ago{n}_": (span[f"{slot}_date{n}_"] - timedelta(days=condition.days_ago or 0)).isoformat()
        for n in range(_DATES)
    }
    return {f"{slot}_zones{n}_": span[f"{slot}_zones{n}_"] for n in range(_DATES)} | days


def _span(slot: str, now: datetime, first: int) -> dict[str, Any]:
    """Returns the parameters of a condition on days: the dates that it is somewhere on earth, each with its zones."""
    at = now.astimezone(UTC)
    zones = _zones(at.replace(minute=at.minute // 15 * 15, second=0, microsecond=0))
    values: dict[str, Any] = {f"{slot}_from_": first}
    for n in range(_DATES):
        today = (at + _EARLIEST).date() + timedelta(days=n)
        values |= {f"{slot}_date{n}_": today, f"{slot}_zones{n}_": zones.get(today, [])}
    return values


@lru_cache(maxsize=4)
def _zones(quarter: datetime) -> dict[date, list[str]]:
    """Returns the time zones by the date that they have in this quarter of an hour. Midnight is at the full quarter."""
    zones: dict[date, list[str]] = {}
    for name in sorted(available_timezones()):
        zones.setdefault(quarter.astimezone(ZoneInfo(name)).date(), []).append(name)
    return zones


def _value(key: str, value: Any, of: FieldType) -> Any:
    """Returns a value to compare as contacts keep it. That of a list is one of its texts. Raises BadRequest."""
    compared = FieldType(ContactFieldType.text if of.type is ContactFieldType.list else of.type)
    return as_stored(key, value, compared)


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()
