"""The choice of routes: equal to a slow reference on random rules, and each part of the order by itself."""

import random
import zlib
from collections import Counter
from collections.abc import Sequence
from uuid import UUID

import pytest

from core.ids import uuid7
from engine.sms.routing import Candidate, Degraded, RouteTable, Rule, choose
from tests.support.examples import examples

ADA, BOB = uuid7(), uuid7()
PLAIN, PROMO = "transactional", "promotional"


def routes_of(
    rules: Sequence[Rule], to: str, *, category: str = PLAIN, owner: UUID = ADA, usable: str = "abc"
) -> str:
    return "".join(
        each.route for each in choose(to, category, owner, RouteTable(rules), [*usable], [*usable])
    )


def rule(prefix: str, route: str, **more: object) -> Rule:
    return Rule(uuid7(), prefix, route, **more)  # type: ignore[arg-type]


def slow(
    to: str,
    category: str,
    owner: UUID,
    rules: Sequence[Rule],
    usable: Sequence[str],
    default: Sequence[str],
    degraded: Degraded,
) -> list[Candidate]:
    """Says by the words of docs/routes.md which routes are tried."""
    about = [
        rule
        for rule in rules
        if to[1:].startswith(rule.prefix)
        and (rule.category is None or rule.category == category)
        and (rule.owner_id is None or rule.owner_id == owner)
    ]
    if not about:
        return [Candidate(route, None) for route in default]
    longest_stop = max((len(rule.prefix) for rule in about if not rule.fallback), default=-1)
    about = [rule for rule in about if len(rule.prefix) >= longest_stop]
    about.sort(
        key=lambda rule: (
            -len(rule.prefix), rule.priority, rule.owner_id is None, rule.category is None, -_preference(to, rule),
        )
    )  # fmt: skip
    tried: list[Candidate] = []
    for rule in about:
        if rule.route in usable and rule.route not in [each.route for each in tried]:
            tried.append(Candidate(rule.route, rule))
    behind = [each for each in tried if _is_behind(each.route, to, rules, degraded)]
    return [*(each for each in tried if each not in behind), *behind]


def _is_behind(route: str, to: str, rules: Sequence[Rule], degraded: Degraded) -> bool:
    prefix = max(
        (rule.prefix for rule in rules if rule.route == route and to[1:].startswith(rule.prefix)), key=len
    )
    if (route, prefix) not in degraded:
        return False
    return not (degraded[route, prefix] and zlib.crc32(to.encode()) % 20 == 0)


def _preference(to: str, rule: Rule) -> float:
    from hashlib import blake2b

    drawn = int.from_bytes(blake2b(to.encode() + rule.id.bytes, digest_size=8).digest(), "big")
    return float(((drawn + 1) / 2**64) ** (1 / rule.weight))


def test_it_is_equal_to_the_slow_reference() -> None:
    rng = random.Random(30)
    asked = Counter[str]()
    for _ in range(examples(100)):
        rules = [
            Rule(
                UUID(int=rng.getrandbits(128)),
                "".join(rng.choices("12", k=rng.randint(0, 4))),
                rng.choice("abcde"),
                rng.choice([None, None, PLAIN, PROMO]),
                rng.choice([None, None, ADA, BOB]),
                rng.randint(0, 2),
                rng.randint(1, 5),
                rng.random() < 0.8,
            )
            for _ in range(rng.randint(0, 20))
        ]
        table = RouteTable(rules)
        for _ in range(100):
            to = "+" + "".join(rng.choices("12", k=rng.randint(2, 7)))
            usable = rng.sample("abcd", rng.randint(0, 4))
            category, owner = rng.choice([PLAIN, PROMO]), rng.choice([ADA, BOB])
            default = usable[: rng.randint(0, 4)]
            chosen = choose(to, category, owner, table, usable, default)
            degraded = {
                (rule.route, rule.prefix): rng.random() < 0.5
                for rule in rng.sample(rules, min(len(rules), rng.randint(0, 5)))
            }
            asked_for = to, category, owner, rules, usable, default, degraded
            last = choose(to, category, owner, table, usable, default, degraded)
            assert last == slow(*asked_for), asked_for
            assert {*last} == {*chosen}
            asked["another order" if last != chosen else "the same order"] += 1
            asked["nothing" if not chosen else "rules" if chosen[0].rule else "configured"] += 1
    assert len(asked) == 5 and min(asked.values()) > 100, asked


def test_without_a_rule_for_the_number_the_configured_order_holds() -> None:
    assert routes_of([], "+4930123456") == "abc"
    assert routes_of([rule("49", "c")], "+33123456789") == "abc"
    assert routes_of([rule("49", "c", owner_id=BOB), rule("49", "b", category=PROMO)], "+4930123456") == "abc"


def test_the_longest_prefix_goes_first_and_shorter_ones_follow() -> None:
    rules = [rule("", "c"), rule("49", "b"), rule("4930", "a")]
    assert routes_of(rules, "+4930123456") == "abc"
    assert routes_of(rules, "+4940123456") == "bc"
    assert routes_of(rules, "+33123456789") == "c"


def test_no_shorter_prefix_is_tried_after_a_rule_without_fallback() -> None:
    rules = [rule("", "c"), rule("49", "b", fallback=False), rule("49", "a"), rule("4930", "a")]
    assert routes_of(rules, "+4930123456") in ("ab", "ba")
    assert "c" not in routes_of(rules, "+4940123456")
    assert routes_of([rule("", "c"), rule("49", "b", fallback=False, owner_id=BOB)], "+4930123456") == "c"


def test_a_smaller_priority_goes_first_then_the_user_s_own_then_the_category_s() -> None:
    assert routes_of([rule("49", "a", priority=2), rule("49", "b", priority=1)], "+4930123456") == "ba"
    alike = [rule("49", "a"), rule("49", "b", category=PLAIN), rule("49", "c", owner_id=ADA)]
    assert routes_of(alike, "+4930123456") == "cba"
    assert (
        routes_of([rule("49", "a", priority=0), rule("49", "b", priority=1, owner_id=ADA)], "+4930123456")
        == "ab"
    )


def test_numbers_are_shared_by_weight_and_each_keeps_its_route() -> None:
    rules = [rule("49", "a", weight=3), rule("49", "b", weight=1)]
    first = {number: routes_of(rules, f"+49{number}")[0] for number in range(30_000_000, 30_004_000)}
    # 3,000 of 4,000 are expected, with a deviation of 27.
    assert 2850 < Counter(first.values())["a"] < 3150
    more = [*rules, rule("49", "c", weight=4)]
    for number, route in first.items():
        moved = routes_of(more, f"+49{number}")[0]
        assert moved in (route, "c")
        assert routes_of([*reversed(rules)], f"+49{number}")[0] == route


@pytest.mark.parametrize(("usable", "tried"), [("abc", "ab"), ("bc", "b"), ("c", ""), ("", "")])
def test_routes_that_may_not_be_used_are_passed_over_and_nothing_else_replaces_them(
    usable: str, tried: str
) -> None:
    assert routes_of([rule("49", "b", priority=1), rule("49", "a")], "+4930123456", usable=usable) == tried
