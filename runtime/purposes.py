"""The purposes of the installation and its billing, as one process knows them (contract §9.9, 9.10)."""

import asyncio
import time
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from core.errors import NotFound, Unavailable
from core.modules import switched_on
from core.settings import Settings
from core.tasks import ignore_result
from db.query import Reads
from db.session import Database
from shapes.purposes import Billing, Module, Purpose

FRESH_SECONDS = 1.5
"""For so long a process uses what it has read: all processes learn of a switch within two seconds."""

_READ = "SELECT purposes, billing, billing_since, changed_at FROM installation_choice"
_WAIT = 1.0  # seconds that a database which does not answer may hold up those who ask
_FIRST_WAIT = 15.0  # the same before the first answer, without which nothing can be decided


@dataclass(frozen=True)
class Choice:
    """The choice of the settings, or else of an administrator."""

    purposes: frozenset[Purpose] = frozenset()
    billing: Billing = Billing.prepaid
    billing_since: datetime | None = None
    changed_at: datetime | None = None

    @cached_property
    def modules(self) -> frozenset[Module]:
        """Returns the modules that are on."""
        return switched_on(self.purposes)

    @property
    def is_free(self) -> bool:
        """Returns whether messages cost nothing."""
        return self.billing is Billing.off


class Choices:
    """Reads the choice from the database when a caller asks and the last answer is old."""

    def __init__(self, db: Database, settings: Settings) -> None:
        self._db, self._settings = db, settings
        self._last = self._with_settings(Choice())
        self._until = 0.0  # by time.monotonic(): for so long the last answer is fresh
        self._reading: asyncio.Task[None] | None = None
        self._was_read = False
        self._generation = 0

    async def now(self, reads: Reads | None = None) -> Choice:
        """Returns the choice, at most `FRESH_SECONDS` old; the last one while the database does not answer.

        `reads`: the connection of a caller who has one, and must not wait for another. Raises Unavailable if this
        process has never read the choice: whether a message costs money is not guessed.
        """
        if time.monotonic() < self._until:
            return self._last
        if reads is not None:
            await self._read(reads, self._generation)
        else:
            if self._reading is None or self._reading.done():
                reading = self._read(self._db, self._generation)
                self._reading = ignore_result(asyncio.create_task(reading))
            try:
                await asyncio.wait_for(
                    asyncio.shield(self._reading), _WAIT if self._was_read else _FIRST_WAIT
                )
            except Exception as error:  # whatever an unreachable server makes its client raise
                if not self._was_read:
                    raise Unavailable("The database does not answer yet. Try again in a moment.") from error
                self._until = time.monotonic() + FRESH_SECONDS  # it is not asked more often
        return self._last

    async def visible(self) -> frozenset[Module]:
        """Returns the modules that documents show: all of them if the choice can't be read."""
        try:
            return (await self.now()).modules
        except Unavailable:
            return frozenset(Module)

    async def require(self, module: Module) -> None:
        """Raises NotFound (`module_off`) while the module is off."""
        if module not in (await self.now()).modules:
            raise NotFound(
                f"This installation does not use the module {module.value} ({module.description}). An administrator"
                " switches it on in the console under System, Purpose.",
                code="module_off",
                details={"module": module.value},
            )

    def forget(self) -> None:
        """Makes the next call of `now` read again: this process has changed the row. A read that has begun before does
        not count.
        """
        self._generation += 1
        self._until, self._reading = 0.0, None

    async def _read(self, reads: Reads, generation: int) -> None:
        began = time.monotonic()
        row = await reads.fetchrow(_READ)
        if generation != self._generation:
            return
        self._last = self._with_settings(
            Choice()
            if row is None
            else Choice(
                frozenset(map(Purpose, row["purposes"])),
                Billing(row["billing"]),
                row["billing_since"],
                row["changed_at"],
            )
        )
        self._was_read, self._until = True, began + FRESH_SECONDS

    def _with_settings(self, stored: Choice) -> Choice:
        purposes, billing = self._settings.purpose, self._settings.billing
        return Choice(
            frozenset(purposes) or stored.purposes,
            billing or stored.billing,
            stored.billing_since if billing is None else None,
            stored.changed_at,
        )
