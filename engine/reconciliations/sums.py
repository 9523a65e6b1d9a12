"""The sums of a reconciliation, counted line by line, and what must hold between them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from core.json_text import amount_text

SENT: Final = ("delivered", "read", "undelivered", "noReport")
"""The states of what a provider has accepted."""
OTHERS: Final = ("skipped", "failed", "unknown", "canceled")
"""The states of messages that no provider has accepted, or of which that is unknown."""
WAITING: Final = ("queued", "sending")
"""The states that a project which has finished does not have."""
STATES: Final = (*SENT, *OTHERS, *WAITING)

_STATUSES: Final = {"undelivered": "failed", "noReport": "sent"}
"""The statuses of messages of which a line says more."""


@dataclass(slots=True)
class Sums:
    """Counts lines. Lines of erased people count like others.

    Lines that differ in nothing that is counted are one group, so that a line costs little.
    """

    groups: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)
    hook: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    late: int = 0
    lines: int = 0
    amounts: dict[tuple[str, str, str], list[Any]] = field(default_factory=dict)

    def add(self, line: Mapping[str, Any]) -> None:
        """Notes one line; `count` counts it. Raises KeyError, TypeError or ValueError if it is none."""
        if (state := line["state"]) not in _ALL_STATES:
            raise ValueError(f"there is no state {state!r}")
        get = line.get
        self.groups[
            state, get("cause"), get("hook"), get("hookCause"), get("late"), get("price"), get("parts", 1),
            get("country", ""), get("priceVersion", ""), get("route", ""),
        ] += 1  # fmt: skip

    def count(self) -> "Sums":
        """Counts what was noted, and returns itself. Raises TypeError, ValueError or ArithmeticError for lines whose
        numbers are none.
        """
        for group, lines in self.groups.items():
            self._count(lines, *group)
        self.groups.clear()
        return self

    def _count(
        self, lines: int, state: str, cause: str | None, hook: str | None, hook_cause: str | None, *rest: Any
    ) -> None:
        late, price, parts, *key = rest
        self.lines += lines
        self.states[state] += lines
        if late:
            self.late += lines
        if cause is not None:
            self.causes[state, cause] += lines
        if hook is not None:
            self.hook[hook] += lines
        status = hook or _STATUSES.get(state, state)
        self.statuses[status] += lines
        if status in ("failed", "skipped") and (code := hook_cause or cause) is not None:
            self.failures[code] += lines
        if price is not None:
            country, version, route = key
            entry = self.amounts.setdefault((country, version, route), [0, 0, Decimal()])
            entry[0] += lines
            entry[1] += lines * parts
            entry[2] += lines * Decimal(price)

    @property
    def prices(self) -> Decimal:
        """Returns the sum of all prices."""
        return sum((entry[2] for entry in self.amounts.values()), Decimal())

    def counts(self) -> dict[str, Any]:
        """Returns the part `counts` of a document."""
        states = self.states
        return {
            "materialised": self.lines,
            "late": self.late,
            "sent": {
                "total": sum(states[state] for state in SENT),
                "delivered": states["delivered"] + states["read"],
                "read": states["read"],
                "undelivered": states["undelivered"],
                "noReport": states["noReport"],
                "undeliveredCauses": self._causes("undelivered"),
            },
            **{state: {"total": states[state], "causes": self._causes(state)} for state in OTHERS},
            **{state: states[state] for state in WAITING},
            "byHook": [{"status": status, "count": self.hook[status]} for status in sorted(self.hook)],
        }

    def money(self) -> list[dict[str, Any]]:
        """Returns the sums of prices by country, version of the price list, and route."""
        return [
            {
                "country": country or None,
                "priceVersion": version or None,
                "route": route or None,
                "messages": messages,
                "parts": parts,
                "amount": amount_text(amount),
            }
            for (country, version, route), (messages, parts, amount) in sorted(self.amounts.items())
        ]

    def _causes(self, state: str) -> list[dict[str, Any]]:
        return [
            {"cause": cause, "count": count}
            for (of, cause), count in sorted(self.causes.items())
            if of == state
        ]


def contradictions(document: Mapping[str, Any]) -> Iterator[str]:
    """Yields what does not add up inside a document, one sentence each. Raises KeyError, TypeError or ValueError for
    one that is none.
    """
    counts, money, differences = document["counts"], document["money"], document["differences"]
    sent = counts["sent"]
    if sent["total"] != sent["delivered"] + sent["undelivered"] + sent["noReport"]:
        yield "sent is not delivered + undelivered + no report"
    if not 0 <= sent["read"] <= sent["delivered"]:
        yield "more are read than delivered"
    settled = sent["total"] + sum(counts[state]["total"] for state in OTHERS)
    waiting = sum(counts[state] for state in WAITING)
    if counts["materialised"] != settled + waiting:
        yield "materialised is not sent + skipped + failed + unknown + canceled"
    if counts["materialised"] != document["lines"]["count"]:
        yield "there are not as many lines as messages"
    for state in ("skipped", "failed", "unknown", "canceled"):
        if sum(each["count"] for each in counts[state]["causes"]) > counts[state]["total"]:
            yield f"{state} has more causes than messages"
    if sum(each["count"] for each in sent["undeliveredCauses"]) > sent["undelivered"]:
        yield "undelivered has more causes than messages"
    net = Decimal(money["charged"]) - Decimal(money["refunded"])
    if net != Decimal(money["net"]):
        yield "net is not charged - refunded"
    if sum((Decimal(each["amount"]) for each in money["groups"]), Decimal()) != Decimal(money["prices"]):
        yield "the prices are not the sum of their groups"
    balanced = not differences and not waiting and net + Decimal(money["owed"]) == Decimal(money["prices"])
    if document["state"] != ("balanced" if balanced else "open"):
        yield f"it is called {document['state']}, and its numbers say the contrary"


_ALL_STATES = frozenset(STATES)
