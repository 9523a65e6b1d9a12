"""The routes of a message to a number, in the order in which they are tried.

`choose` needs no database and no network, so that the dispatch and a dry run (`routeFor`) give the same answer.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import Final, NamedTuple
from uuid import UUID
from zlib import crc32

TRIAL: Final = 20
"""One of so many numbers takes a degraded route in its old order while it is on trial."""

_SPAN: Final = 2.0**64


class Rule(NamedTuple):
    """Says by which route messages to the numbers of a prefix go."""

    id: UUID
    prefix: str  # digits with the calling code; empty: all numbers
    route: str  # its name
    category: str | None = None  # None: all
    owner_id: UUID | None = None  # None: all users
    priority: int = 0  # of two rules of one prefix, that with the smaller one is tried first
    weight: int = 1  # the share of numbers among rules that are alike in all this
    fallback: bool = True  # False: rules of shorter prefixes are not tried

    def serves(self, category: str, owner_id: UUID) -> bool:
        """Returns whether the rule is for messages of this category and user."""
        return self.category in (None, category) and self.owner_id in (None, owner_id)

    @property
    def rank(self) -> tuple[int, bool, bool]:
        """Returns the key by which rules of one prefix are sorted: the smaller priority, then the user's own, then the
        category's.
        """
        return self.priority, self.owner_id is None, self.category is None


class Candidate(NamedTuple):
    """A route that may be tried, and the rule that names it; None: the configured order."""

    route: str
    rule: Rule | None


Degraded = Mapping[tuple[str, str], bool]
"""Routes that deliver nothing to a prefix: route and prefix, and whether the route is on trial there."""

_NONE_DEGRADED: Final[Degraded] = {}


class RouteTable:
    """All rules, sorted once."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        rules = [*rules]
        self._prefixes: dict[str, set[str]] = {}  # by route
        for rule in rules:
            self._prefixes.setdefault(rule.route, set()).add(rule.prefix)
        by_prefix: dict[str, list[Rule]] = {}
        for rule in rules:
            by_prefix.setdefault(rule.prefix, []).append(rule)
        self._groups = {
            prefix: [list(group) for _, group in groupby(sorted(alike, key=_rank), key=_rank)]
            for prefix, alike in by_prefix.items()
        }
        self._lengths = sorted({len(prefix) for prefix in by_prefix}, reverse=True)

    @property
    def routes(self) -> Collection[str]:
        """Returns the names of the routes that rules name."""
        return self._prefixes.keys()

    def __bool__(self) -> bool:
        return bool(self._groups)

    def prefix_of(self, route: str, to: str) -> str | None:
        """Returns the longest prefix of an E.164 number that rules name the route for; None if no rule does.

        Receipts are counted by it.
        """
        prefixes = self._prefixes.get(route)
        if prefixes is None:
            return None
        for length in self._lengths:
            if length < len(to) and (prefix := to[1 : length + 1]) in prefixes:
                return prefix
        return None

    def rules_for(self, to: str, category: str, owner_id: UUID) -> list[Rule]:
        """Returns the rules of a message to an E.164 number, in the order in which their routes are tried."""
        chosen: list[Rule] = []
        for length in self._lengths:
            groups = self._groups.get(to[1 : length + 1]) if length < len(to) else None
            if groups is None:
                continue
            stops = False
            for group in groups:
                serving = [rule for rule in group if rule.serves(category, owner_id)]
                if len(serving) > 1:
                    serving.sort(key=lambda rule: _share(to, rule), reverse=True)
                chosen += serving
                stops = stops or not all(rule.fallback for rule in serving)
            if stops:
                break
        return chosen


def choose(
    to: str,
    category: str,
    owner_id: UUID,
    table: RouteTable,
    usable: Collection[str],
    default: Sequence[str],
    degraded: Degraded = _NONE_DEGRADED,
) -> list[Candidate]:
    """Returns the routes of a message, in the order in which they are tried: each once.

    `usable`: the names of routes that rules may name now. `default`: those that hold for numbers without a rule, in
    their order. `degraded`: routes that go behind the others. Nothing is returned if rules name other routes alone:
    then the message waits.
    """
    rules = table.rules_for(to, category, owner_id)
    if not rules:
        return [Candidate(route, None) for route in default]
    chosen: dict[str, Candidate] = {}
    for rule in rules:
        if rule.route in usable and rule.route not in chosen:
            chosen[rule.route] = Candidate(rule.route, rule)
    candidates = [*chosen.values()]
    if degraded:
        candidates.sort(key=lambda candidate: is_behind(candidate.route, to, table, degraded))
    return candidates


def is_behind(route: str, to: str, table: RouteTable, degraded: Degraded) -> bool:
    """Returns whether a route is tried after the others for a number, since it delivers nothing to its prefix."""
    on_trial = degraded.get((route, table.prefix_of(route, to) or ""))
    return on_trial is not None and not (on_trial and crc32(to.encode()) % TRIAL == 0)


def _rank(rule: Rule) -> tuple[int, bool, bool]:
    return rule.rank


def _share(to: str, rule: Rule) -> tuple[float, UUID]:
    """Returns the key by which a number prefers one of several rules that are alike.

    It is the same each time (rendezvous hashing), so that a dry run says the same as the dispatch, and a rule that
    comes or goes moves only its own numbers. Of all numbers each rule is preferred by its part of the weights.
    """
    digest = blake2b(to.encode() + rule.id.bytes, digest_size=8).digest()
    return ((int.from_bytes(digest) + 1) / _SPAN) ** (1 / rule.weight), rule.id
