"""`python -m bench.route_choice` measures how long the choice of routes takes, and the price beside it.

There are 50 rules and a price list of 60,000 prefixes, and 200,000 numbers, each asked once. The same numbers are also
given to a choice that looks at every rule, so that a ratio of one run says what the table is worth.
"""

import random
import statistics
import time
from collections.abc import Callable
from decimal import Decimal
from uuid import UUID

from engine.sms.price_books import PriceBook
from engine.sms.routing import RouteTable, Rule, choose

_NUMBERS, _PREFIXES, _RULES = 200_000, 60_000, 50
_OWNERS = [UUID(int=number) for number in range(1, 101)]
_ROUTES = [f"sms-{number}" for number in range(1, 7)]


def main() -> None:
    """Prints the microseconds of a choice, and of a choice with a price."""
    rng = random.Random(30)
    prefixes = sorted({str(rng.randint(1, 10 ** rng.randint(2, 7))) for _ in range(3 * _PREFIXES)})
    prefixes = rng.sample(prefixes, _PREFIXES)
    book = PriceBook(UUID(int=0), {"sms": {prefix: Decimal("0.05") for prefix in prefixes}})
    rules = [_rule(rng, "" if number < 2 else rng.choice(prefixes)[:4]) for number in range(_RULES)]
    table = RouteTable(rules)
    asked = [(f"+{rng.randint(10**10, 10**12)}", rng.choice(_OWNERS)) for _ in range(_NUMBERS)]

    def quick(to: str, owner: UUID) -> object:
        return choose(to, "transactional", owner, table, _ROUTES, _ROUTES)

    def slow(to: str, owner: UUID) -> object:
        about = [
            rule for rule in rules if to[1:].startswith(rule.prefix) and rule.serves("transactional", owner)
        ]
        return sorted(about, key=lambda rule: (-len(rule.prefix), rule.rank))

    def priced(to: str, owner: UUID) -> object:
        return quick(to, owner), book.find("sms", to)

    print(f"{_RULES} rules, {_PREFIXES:,} prefixes, {_NUMBERS:,} numbers; microseconds")
    medians = {}
    for name, call in (("choose", quick), ("choose and price", priced), ("every rule", slow)):
        times = _measured(call, asked)
        medians[name] = statistics.median(times)
        print(f"  {name:<17} p50 {medians[name]:6.2f}  p99 {times[int(len(times) * 0.99)]:6.2f}")
    print(f"  a choice takes {medians['choose'] / medians['every rule']:.2f} of looking at every rule")


def _rule(rng: random.Random, prefix: str) -> Rule:
    return Rule(
        UUID(int=rng.getrandbits(128)),
        prefix,
        rng.choice(_ROUTES),
        rng.choice([None, None, "transactional", "promotional"]),
        rng.choice([None, None, None, rng.choice(_OWNERS)]),
        rng.randint(0, 2),
        rng.randint(1, 5),
    )


def _measured(call: Callable[[str, UUID], object], asked: list[tuple[str, UUID]]) -> list[float]:
    times = []
    for to, owner in asked:
        begun = time.perf_counter_ns()
        call(to, owner)
        times.append((time.perf_counter_ns() - begun) / 1000)
    return sorted(times)


if __name__ == "__main__":
    main()
