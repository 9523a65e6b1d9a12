"""The rules of countries: pure, but for the SQL expression by which others' statements read them.

Rules are read with the paying account and with a project, so they cost no statement of their own, and a change holds
for the next message. Without a rule nothing is calculated.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import orjson

from core.errors import BadRequest
from db.models.country_rules import INSTALLATION
from engine.sms.countries import NO_COUNTRY, country_of
from shapes.country_rules import CountryRefusal
from shapes.messages import MessageChannel

_RULE: Final = """(
  SELECT json_build_array(r.owner_id IS NOT NULL, r.allow, r.deny, r.per_hour, r.per_day, r.epoch)::text
  FROM country_rules AS r WHERE r.id = {id}
)"""
_OF_ALL, _OWN = _RULE.format(id=f"'{INSTALLATION}'"), _RULE.format(id="{owner}")
RULES: Final = f"NULLIF(concat_ws(',', {_OF_ALL}, {_OWN}), '')"
"""The expression for the rules of the owner `{owner}`, the installation's first; NULL: there is none. `rules_of` reads
it."""

CODE: Final = "country_not_allowed"
"""The error, and the failure code of a project's messages, for a country that a rule does not allow."""

_CACHED = 4096


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. `allow` None: all countries; empty: none."""

    allow: frozenset[str] | None = None
    deny: frozenset[str] = frozenset()
    per_hour: int | None = None
    per_day: int | None = None

    def allows(self, country: str) -> bool:
        """Returns whether SMS may go to the country, as far as the lists say."""
        return country not in self.deny and (self.allow is None or country in self.allow)

    @property
    def listed(self) -> "Rule":
        """Returns the same rule, without the denied countries among the allowed ones."""
        return self if self.allow is None else replace(self, allow=self.allow - self.deny)

    @property
    def is_open(self) -> bool:
        """Returns whether it limits nothing."""
        return self == OPEN

    @property
    def allows_nothing(self) -> bool:
        """Returns whether no country is left."""
        return self.allow is not None and self.allow <= self.deny


OPEN: Final = Rule()


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that hold for one owner."""

    installation: Rule = OPEN
    own: Rule = OPEN
    epoch: str = "0.0"

    @property
    def effective(self) -> Rule:
        """Returns the rule that holds by both."""
        return narrower(self.installation, self.own)

    @property
    def has_lists(self) -> bool:
        """Returns whether some countries are not allowed."""
        rule = self.effective
        return rule.allow is not None or bool(rule.deny)

    def refusal(self, country: str) -> CountryRefusal | None:
        """Returns whose lists refuse the country."""
        if not self.installation.allows(country):
            return CountryRefusal.installation
        return None if self.own.allows(country) else CountryRefusal.user


NONE: Final = Rules()


def narrower(rule: Rule, other: Rule) -> Rule:
    """Returns the rule that allows a country only if both allow it."""
    if rule.allow is None or other.allow is None:
        allow = other.allow if rule.allow is None else rule.allow
    else:
        allow = rule.allow & other.allow
    per_hour = _smaller(rule.per_hour, other.per_hour)
    return Rule(allow, rule.deny | other.deny, per_hour, _smaller(rule.per_day, other.per_day))


def is_within(new: Rule, old: Rule) -> bool:
    """Returns whether the new rule is as narrow as the old one or narrower, so that it allows nothing more.

    A rule for all countries is never within one that lists the allowed ones, even if it lists every country of today.
    """
    if new.allow is None:
        lists = old.allow is None and old.deny <= new.deny
    else:
        lists = all(old.allows(country) for country in new.allow - new.deny)
    return lists and _is_at_most(new.per_hour, old.per_hour) and _is_at_most(new.per_day, old.per_day)


def raises_cap(new: Rule, old: Rule) -> bool:
    """Returns whether a cap of the old rule is higher in the new one, or gone."""
    return not (_is_at_most(new.per_hour, old.per_hour) and _is_at_most(new.per_day, old.per_day))


def _smaller(*caps: int | None) -> int | None:
    return min((cap for cap in caps if cap is not None), default=None)


def _is_at_most(new: int | None, old: int | None) -> bool:
    return old is None or (new is not None and new <= old)


def rules_of(text: str | None) -> Rules | None:
    """Returns the rules of the rows that `RULES` has read; None if nothing is limited."""
    return None if text is None else _parsed(text)


@lru_cache(_CACHED)
def _parsed(text: str) -> Rules | None:
    installation, own, epochs = OPEN, OPEN, [0, 0]
    for is_own, allow, deny, per_hour, per_day, epoch in orjson.loads(f"[{text}]"):
        rule = rule_of(allow, deny, per_hour, per_day)
        epochs[is_own] = epoch
        if is_own:
            own = rule
        else:
            installation = rule
    rules = Rules(installation, own, f"{epochs[0]}.{epochs[1]}")
    return None if rules.effective.is_open else rules


def rule_of(
    allow: Collection[str] | None, deny: Collection[str], per_hour: int | None, per_day: int | None
) -> Rule:
    """Returns the rule of stored or sent values: an empty list of allowed countries means all."""
    return Rule(frozenset(allow) if allow else None, frozenset(deny), per_hour, per_day)


def country(phone: str) -> str:
    """Returns the country by which a number is limited: `NO_COUNTRY` if it has none."""
    return country_of(phone) or NO_COUNTRY


@dataclass(frozen=True, slots=True)
class Counted:
    """A message that counts for the caps of its country."""

    country: str
    rules: Rules


def counted(payer: Any, channel: str, to: str) -> Counted | None:
    """Returns how a message counts; None if it doesn't. `payer` has `country_rules`, as `RULES` reads them.

    Raises BadRequest `country_not_allowed`.
    """
    if payer.country_rules is None or channel != MessageChannel.sms:
        return None
    if (rules := rules_of(payer.country_rules)) is None:
        return None
    of_number = country(to)
    if (refusal := rules.refusal(of_number)) is not None:
        raise BadRequest(
            refused(of_number, refusal),
            code="country_not_allowed",
            details={"country": of_number, "refusedBy": refusal.value},
        )
    effective = rules.effective
    return None if effective.per_hour is None and effective.per_day is None else Counted(of_number, rules)


def refused(country: str, refusal: CountryRefusal) -> str:
    """Returns the sentence that says why nothing is sent to a country, and the remedy."""
    whose = "This installation allows" if refusal is CountryRefusal.installation else "Your rule allows"
    return (
        f"{whose} no SMS to {'numbers of no country' if country == NO_COUNTRY else country}. Use a number of another"
        " country, or ask an administrator to allow it; GET /country-rules has what holds."
    )
