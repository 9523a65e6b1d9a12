"""The caps of countries in projects: messages beyond a cap wait in batches of their own, and others go on."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final
from uuid import UUID

from engine.projects.context import ProjectContext
from engine.projects.items import Item, NotHandedOver, PreparedBatch
from engine.rates.waits import Waits
from engine.sms.country_caps import Caps, Taken, record_reached, take_some
from engine.sms.country_rules import country
from runtime.services import Services

WAITS: Final = "country_limited"
"""The failure code of messages that wait for the cap of their country."""


class CountryWaits:
    """The messages of this worker that wait for caps."""

    def __init__(self, services: Services) -> None:
        self._services, self._waits = services, Waits()

    async def count(self, project: ProjectContext, parts: PreparedBatch) -> "Counted | None":
        """Counts the ready messages as far as the caps of their countries allow; the others wait.

        Returns the numbers that were counted; None if there is no cap. A message that may have gone out before was
        counted then.
        """
        rules = project.country_rules
        if rules is None or (rules.effective.per_hour is None and rules.effective.per_day is None):
            return None
        by_country: dict[str, list[Item]] = defaultdict(list)
        for item in parts.ready:
            if not item.uncertain:
                by_country[country(item.to)].append(item)
        counted, waiting = Counted(), set[UUID]()
        for code, items in by_country.items():
            caps = Caps.of(project.row["owner_id"], rules, code)
            taken, seconds = await take_some(self._services, caps, len(items))
            counted.taken.append((taken, items[: taken.count]))
            if rest := items[taken.count :]:
                await record_reached(self._services, caps, seconds)
                parts.limited += self._put_off(caps, rest, seconds)
                waiting.update(item.id for item in rest)
        parts.ready = [item for item in parts.ready if item.id not in waiting]
        return counted

    def _put_off(
        self, caps: Caps, items: Sequence[Item], seconds: float
    ) -> Iterator[tuple[float, NotHandedOver]]:
        reason, begin = f"It waits for the cap of SMS to {caps.country}.", 0
        key = tuple(bucket.key for bucket in caps.buckets.values())
        for wait, portion in self._waits.portions(key, caps.burst, caps.every, len(items), seconds):
            for item in items[begin : begin + portion]:
                yield wait, NotHandedOver(item.id, "queued", WAITS, reason)
            begin += portion


class Counted:
    """The messages of a batch that were counted, by country."""

    def __init__(self) -> None:
        self.taken: list[tuple[Taken, Sequence[Item]]] = []

    async def give_back_unsent(self, sent: set[UUID]) -> None:
        """Counts those no more that were not sent."""
        for taken, items in self.taken:
            unsent = sum(item.id not in sent for item in items)
            await Taken(taken.services, taken.caps, unsent).give_back()
