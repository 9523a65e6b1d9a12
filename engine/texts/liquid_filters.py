"""Liquid's filters with limits on the values before and after each: long or endless values are refused before they are
made."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache, partial
from typing import Any, cast

from dateutil import parser as dates
from liquid import Environment, Markup, is_undefined
from liquid.exceptions import FilterArgumentError, ResourceLimitError

from core.json_text import dumps

MAX_VALUE = 100_000  # characters of any intermediate value
MAX_ITEMS = 1_000  # items of a list or range
MAX_NUMBER = 10**30


def items(value: object) -> int:
    """Returns the number of items of a list, dict or range; 0 for other values."""
    if isinstance(value, range):
        return value.stop - value.start  # len() is limited to the size of a C long
    return len(value) if isinstance(value, list | tuple | dict) else 0


def weight(value: object) -> int:
    """Returns about how many characters a value would print; counts only until it is clear that there are too many."""
    if isinstance(value, str):
        return len(value)
    if not isinstance(value, list | tuple):
        return 100 if not isinstance(value, dict) else len(dumps(value))
    total = 0
    for item in value:
        total += 1 + weight(item)
        if total > MAX_VALUE:
            break
    return total


def _small(value: object) -> None:
    kind = type(value)
    if kind is str or kind is Markup:
        if len(cast(str, value)) > MAX_VALUE:
            raise ResourceLimitError(f"a value is longer than {MAX_VALUE} characters", token=None)
    elif kind is int:
        if not -MAX_NUMBER < cast(int, value) < MAX_NUMBER:
            raise ResourceLimitError("a number is too large", token=None)
    elif items(value) > MAX_ITEMS or (isinstance(value, list | tuple) and weight(value) > MAX_VALUE):
        raise ResourceLimitError(f"a list is longer than {MAX_ITEMS} items or too large", token=None)


def bounded(name: str, work: Callable[..., Any], environment: Environment) -> Callable[..., object]:
    """Wraps a filter with limits before and after it. The result of repeating filters is estimated in advance."""
    if getattr(work, "with_environment", False):
        work = partial(work, environment=environment)
    foresee = _FORESEE.get(name)

    def run(value: object, *args: object, **keywords: object) -> object:
        _small(value)
        for arg in args:
            _small(arg)
        if foresee is not None and foresee(value, *args) > MAX_VALUE:
            raise ResourceLimitError(f"`{name}` would make too much of its value", token=None)
        answer = work(value, *args, **keywords)
        _small(answer)
        return answer

    return run


def _replaced(value: object, old: object = "", new: object = "", *_: object) -> int:
    text = str(value)
    return len(text) + text.count(str(old)) * len(str(new))


def _joined(value: object, separator: object = " ", *_: object) -> int:
    return weight(value) + items(value) * len(str(separator))


def _split(value: object, separator: object = None, *_: object) -> int:
    text = str(value)
    if separator is None or is_undefined(separator) or separator == "":
        count = len(text)
    elif separator == " ":
        count = len(text.split(None, MAX_ITEMS + 1))
    else:
        count = text.count(str(separator))
    return 0 if count <= MAX_ITEMS else MAX_VALUE + 1


def _stripped(value: object, *_: object) -> int:
    return len(str(value)) * 5  # its parser rescans an unclosed tag


_FORESEE: dict[str, Callable[..., int]] = {
    "replace": _replaced,
    "join": _joined,
    "split": _split,
    "strip_html": _stripped,
}


def written_date(value: object, form: object = None, *_: object) -> object:
    """Returns the filter `date`, independent of time and place: in UTC, with nothing taken from today."""
    if is_undefined(value) or value is None:
        return ""
    if form is None or is_undefined(form):
        return str(value)
    if len(str(form)) > 100:
        raise FilterArgumentError("date: its format is longer than 100 characters", token=None)
    if isinstance(value, datetime):
        moment: datetime | None = value
    elif isinstance(value, date):
        moment = datetime(value.year, value.month, value.day, tzinfo=UTC)
    else:
        moment = _moment(str(value))
    if moment is None:
        return str(value)  # as Liquid does
    return moment.strftime(str(form).replace("%s", str(int(moment.timestamp()))))


def _offset(name: str | None, seconds: int | None) -> timezone:
    return timezone(timedelta(seconds=seconds or 0))


@lru_cache(4096)
def _moment(text: str) -> datetime | None:
    try:
        if text.isdecimal():
            return datetime.fromtimestamp(int(text[:15]), UTC)
        if len(text) > 64 or text.strip().lower() in ("now", "today"):
            return None
        moment: datetime = dates.parse(text, default=datetime(2000, 1, 1, tzinfo=UTC), tzinfos=_offset)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        return None
