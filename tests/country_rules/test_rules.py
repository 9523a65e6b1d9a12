"""Rules of countries without a server: which one is narrower, what they allow, and when what waits is due."""

from uuid import UUID

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.installation import ROOT
from core.settings import Settings
from engine.rates.waits import HORIZON, Waits
from engine.sms.country_caps import Caps
from engine.sms.country_rules import OPEN, Rule, Rules, is_within, narrower, raises_cap, rule_of, rules_of
from shapes.country_rules import COUNTRIES, CountryCap, CountryRefusal

_COUNTRIES = ("DE", "FR", "GB", "001")
_sets = st.frozensets(st.sampled_from(_COUNTRIES))
_caps = st.none() | st.integers(1, 4)
_rules = st.builds(Rule, st.none() | _sets, _sets, _caps, _caps)
_ANY = (*_COUNTRIES, "US")  # one that no rule names


def _permits(rule: Rule) -> list[tuple[bool, float, float]]:
    infinite = float("inf")
    return [(rule.allows(country), rule.per_hour or infinite, rule.per_day or infinite) for country in _ANY]


@given(_rules, _rules)
def test_narrower_allows_what_both_allow_and_is_within_both(one: Rule, other: Rule) -> None:
    both = narrower(one, other)
    for country in _ANY:
        assert both.allows(country) == (one.allows(country) and other.allows(country))
    assert is_within(both, one)
    assert is_within(both, other)
    assert narrower(one, other) == narrower(other, one)
    assert narrower(one, OPEN) == one


@given(_rules, _rules)
def test_what_is_within_allows_nothing_more(new: Rule, old: Rule) -> None:
    wider = any(
        now[0] > before[0] or now[1] > before[1] or now[2] > before[2]
        for now, before in zip(_permits(new), _permits(old), strict=True)
    )
    if is_within(new, old):
        assert not wider
    elif new.allow is not None or old.allow is None:
        assert wider
    else:
        assert old.allow is not None  # all countries of today may be listed: tomorrow there is another one
    assert is_within(new, new)
    assert is_within(new, OPEN)
    assert not raises_cap(new, old) or not is_within(new, old)


@given(_rules, _rules, _rules)
def test_within_is_transitive(one: Rule, two: Rule, three: Rule) -> None:
    if is_within(one, two) and is_within(two, three):
        assert is_within(one, three)


@pytest.mark.parametrize(
    ("installation", "own", "country", "refusal"),
    [
        (OPEN, OPEN, "DE", None),
        (Rule(deny=frozenset({"DE"})), OPEN, "DE", CountryRefusal.installation),
        (OPEN, Rule(deny=frozenset({"DE"})), "DE", CountryRefusal.user),
        (Rule(frozenset({"FR"})), Rule(frozenset({"DE"})), "DE", CountryRefusal.installation),
        (Rule(frozenset({"FR", "DE"})), Rule(frozenset({"FR"})), "FR", None),
        (Rule(frozenset({"FR", "DE"})), Rule(frozenset({"FR"})), "DE", CountryRefusal.user),
        (Rule(frozenset({"FR"}), frozenset({"FR"})), OPEN, "FR", CountryRefusal.installation),
        (Rule(frozenset({"001"})), OPEN, "001", None),
    ],
)
def test_whose_rule_refuses(
    installation: Rule, own: Rule, country: str, refusal: CountryRefusal | None
) -> None:
    assert Rules(installation, own).refusal(country) is refusal


def test_nothing_is_left_of_lists_that_have_nothing_in_common() -> None:
    effective = Rules(Rule(frozenset({"DE"})), Rule(frozenset({"FR"}))).effective
    assert effective.allow == frozenset()
    assert effective.allows_nothing
    assert Rule(frozenset({"DE"}), frozenset({"DE"})).allows_nothing
    assert not OPEN.allows_nothing
    assert Rule(frozenset({"DE", "FR"}), frozenset({"DE"})).listed == Rule(
        frozenset({"FR"}), frozenset({"DE"})
    )


def _stored(*rules: tuple[bool, Rule, int]) -> str:
    return orjson.dumps(
        [
            [
                own,
                None if rule.allow is None else [*rule.allow],
                [*rule.deny],
                rule.per_hour,
                rule.per_day,
                epoch,
            ]
            for own, rule, epoch in rules
        ]
    ).decode()[1:-1]


def test_stored_rules_are_read_and_none_is_none() -> None:
    installation, own = Rule(deny=frozenset({"DE"}), per_hour=3), Rule(frozenset({"FR"}), per_day=2)
    assert rules_of(_stored((False, installation, 1), (True, own, 2))) == Rules(installation, own, "1.2")
    assert rules_of(_stored((True, own, 2))) == Rules(OPEN, own, "0.2")
    assert rules_of(_stored((True, OPEN, 1))) is None
    assert rules_of(None) is None
    assert rule_of([], [], None, None) == OPEN


def _caps_of(rule: Rule, epoch: str = "0.0") -> Caps:
    return Caps.of(UUID(int=1), Rules(own=rule, epoch=epoch), "DE")


def test_a_bucket_keeps_its_key_when_a_cap_is_lowered_and_not_in_another_epoch() -> None:
    (before,) = _caps_of(Rule(per_hour=50)).buckets.values()
    (after,) = _caps_of(Rule(per_hour=40)).buckets.values()
    (raised,) = _caps_of(Rule(per_hour=60), "0.1").buckets.values()
    assert before.key == after.key != raised.key
    assert (before.burst, before.every) == (50, 72_000)
    both = _caps_of(Rule(per_hour=50, per_day=100))
    assert [*both.buckets] == [CountryCap.hour, CountryCap.day]
    assert (both.burst, both.every) == (50, 864)


def _limit(caps: Caps) -> tuple[tuple[str, ...], int, float]:
    """Returns the key, the size of a portion, and the seconds from one message to the next."""
    return tuple(bucket.key for bucket in caps.buckets.values()), caps.burst, caps.every


def test_what_waits_is_due_in_portions_one_after_the_other() -> None:
    waits, caps = Waits(), _limit(_caps_of(Rule(per_hour=50)))
    first = [*waits.portions(*caps, 120, 3600.0)]
    assert [count for _, count in first] == [50, 50, 20]
    assert [round(wait) for wait, _ in first] == [3600, 7200, 8640]
    ((behind, count),) = waits.portions(*caps, 10, 720.0)  # of the next batch
    assert (round(behind), count) == (9360, 10)
    raised = _limit(_caps_of(Rule(per_hour=50), "1.0"))
    assert [round(wait) for wait, _ in waits.portions(*raised, 1, 60.0)] == [60]


def test_nothing_waits_longer_than_a_day_to_be_looked_at() -> None:
    waits, caps = Waits(), _limit(_caps_of(Rule(per_hour=1)))
    portions = [*waits.portions(*caps, 1_000_000, 3600.0)]
    assert len(portions) == 25
    assert sum(count for _, count in portions) == 1_000_000
    assert portions[-1][0] == HORIZON
    assert next(waits.portions(*caps, 5, 3600.0))[0] == pytest.approx(HORIZON, abs=1)


@pytest.mark.parametrize("countries", ["XX", "de", "DE,DE", "Germany"])
def test_a_setting_names_countries_once(countries: str) -> None:
    with pytest.raises(ValueError, match=r"country|twice"):
        Settings(_env_file=None, new_user_countries=countries)
    assert Settings(_env_file=None, new_user_countries="DE, 001").new_user_countries == ["DE", "001"]


def test_the_console_names_the_same_countries() -> None:
    text = (ROOT / "console/src/frame/values/countryCodes.ts").read_text()
    assert {*text.partition("`")[2].partition("`")[0].split()} == COUNTRIES
