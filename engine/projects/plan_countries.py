"""Recipients of a plan who are in countries that SMS may not go to. No I/O."""

from collections.abc import Sequence
from typing import Any

from engine.sms.country_rules import CODE, Rules, country, rules_of
from shapes.sending_projects import ProjectChannel


def rules_of_lists(channel: str, text: str | None) -> Rules | None:
    """Returns the rules of a project's owner; None if no country is refused. `text`: as `RULES` has read it."""
    rules = rules_of(text) if channel == ProjectChannel.sms else None
    return rules if rules is not None and rules.has_lists else None


def unreachable(rules: Rules | None, counts: Sequence[Any]) -> tuple[dict[str, int], bool]:
    """Returns how many recipients can't be reached, by code, and whether that is exact.

    `counts`: rows of all, or with rules of numbers with six equal digits, with the `first` and the `last` of them. If
    these two differ, it is an estimate.
    """
    refused, alike = 0, True
    for row in counts if rules is not None else ():
        assert rules is not None
        if reached := row["counted"] - row["blocked"] - row["unreachable"]:
            ends = [rules.refusal(country(row[end])) is None for end in ("first", "last")]
            refused += 0 if ends[0] else reached
            alike &= ends[0] == ends[1]
    blocked, invalid = (sum(row[name] for row in counts) for name in ("blocked", "unreachable"))
    return {"blocked": blocked, "invalid_recipient": invalid, CODE: refused}, alike


def allowed_of(rules: Rules | None, rows: Sequence[Any]) -> tuple[float, Sequence[Any]]:
    """Returns the recipients in countries that are allowed, and which share of all that is."""
    if rules is None or not rows:
        return 1.0, rows
    chosen = [row for row in rows if rules.refusal(country(row["address"])) is None]
    return len(chosen) / len(rows), chosen
