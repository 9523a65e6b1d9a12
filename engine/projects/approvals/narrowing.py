"""Says which changes of a running project keep its approval: those after which no message leaves earlier or faster."""

from collections.abc import Mapping
from typing import Any

from engine.windows import Window

_MORE_IS_FASTER = ("perMinute", "perAccountPerMinute")


def is_slower(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> bool:
    """Returns whether the rate `new` is at most as high as `old`. A rate without a number has no limit."""
    old, new = old or {}, new or {}
    for name in _MORE_IS_FASTER:
        before, after = old.get(name), new.get(name)
        if before is not None and (after is None or after > before):
            return False
    return (new.get("jitterSeconds") or 0) >= (old.get("jitterSeconds") or 0)


def is_narrower(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> bool:
    """Returns whether the window `new` is open only while `old` is, as far as two windows of one zone tell."""
    before, after = Window.of(dict(old or {})), Window.of(dict(new or {}))
    if before is None or before == after:
        return True
    if after is None or (before.timezone, before.by_recipient) != (after.timezone, after.by_recipient):
        return False
    # A window past midnight belongs to the day on which it opens, which two windows compare only if neither does that.
    within_a_day = before.opens < before.closes and after.opens < after.closes
    inside = before.opens <= after.opens and after.closes <= before.closes
    return within_a_day and inside and after.days <= before.days
