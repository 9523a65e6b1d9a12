"""The cost of the examined recipients of a plan, together and by country. No I/O."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from engine.sms.price_books import MessagePrice

_NOTHING = Decimal(0)


@dataclass(slots=True)
class CountryCost:
    """The messages to one country, and their cost."""

    messages: int = 0
    amount: Decimal = _NOTHING


@dataclass(slots=True)
class SampleCost:
    """The messages that some recipients get, and their cost."""

    messages: int = 0
    parts: int = 0
    longest: int = 0  # parts of the longest SMS
    amount: Decimal = _NOTHING
    dearest: Decimal = _NOTHING  # the highest price of a message or a part
    unpriced: int = 0  # recipients whose number has no price
    countries: Mapping[str | None, CountryCost] = field(default_factory=dict)


def cost_of(
    sent: Sequence[tuple[str, int, str | None]], price: Callable[[str], MessagePrice | None]
) -> SampleCost:
    """Returns the cost of messages. `sent`: address, parts and country of each; `price(address)`: None for no price."""
    cost = SampleCost()
    countries: defaultdict[str | None, CountryCost] = defaultdict(CountryCost)
    for address, parts, country in sent:
        each = price(address)
        if each is None:
            cost.unpriced += 1
            continue
        amount = each.amount * parts
        cost.messages += 1
        cost.parts += parts
        cost.longest = max(cost.longest, parts)
        cost.amount += amount
        cost.dearest = max(cost.dearest, each.amount)
        of_country = countries[country]
        of_country.messages += 1
        of_country.amount += amount
    cost.countries = dict(countries)
    return cost


def by_country(
    sample: SampleCost, amount: Decimal, messages: int, most: int
) -> list[tuple[str | None, int, Decimal]]:
    """Divides an amount and a number of messages as those of the sample are, the most expensive countries first.

    Returns country, messages and amount, at most `most` of them; the last one, whose country is None, has the rest.
    """
    countries: list[tuple[str | None, CountryCost]] = sorted(
        ((country, of) for country, of in sample.countries.items() if country is not None),
        key=lambda entry: (-entry[1].amount, -entry[1].messages, entry[0]),
    )
    costs, rest = countries, countries[most - 1 :]
    if len(countries) > most:
        left = CountryCost(sum(of.messages for _, of in rest), sum((of.amount for _, of in rest), _NOTHING))
        costs = [*countries[: most - 1], (None, left)]
    scale = amount / sample.amount if sample.amount else _NOTHING
    return [
        (country, round(of.messages * messages / sample.messages), of.amount * scale) for country, of in costs
    ]
