"""Begins steps of chains: each is a message that is charged and queued like any other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple
from uuid import UUID

import asyncpg

from core.errors import AppError, Unavailable
from engine.address_hashes import AddressHasher, address_hasher
from engine.chains.steps import AskedStep, digits_of
from engine.direct.new_messages import PAYER, ChargedMessage, charged, write_in
from engine.sms import country_caps
from engine.sms.price_books import price_books
from runtime.services import Services
from shapes.users import UserStatus

_LIMITS = "SELECT id, spend_per_day FROM api_tokens WHERE id = ANY($1)"

_NO_MONEY: Final = {
    "unpaid": (
        "insufficient_balance", "The balance is too low for step {}. Ask an administrator to credit the account.",
    ),
    "overspent": ("token_spend_limit", "Step {} would exceed what the API token may spend in a day."),
    "overcounted": ("token_message_limit", "Step {} would exceed the messages that the API token may send in a day."),
}  # fmt: skip
"""The decisions that end a chain: another channel would not help."""


class NextStep(NamedTuple):
    """A step that is to begin now."""

    chain: Any  # a row of message_chains
    number: int
    asked: AskedStep


@dataclass(frozen=True, slots=True)
class Begun:
    """The result of beginning a step. `ends`: the chain ends with it; `postponed`: it is tried again soon."""

    code: str | None = None  # why it did not begin
    reason: str | None = None
    ends: bool = False
    postponed: bool = False


class Beginning:
    """Begins steps in one transaction. If that is rolled back, `give_back` counts them no more."""

    def __init__(self, services: Services, db: asyncpg.Connection) -> None:
        self._services, self._db = services, db
        self._payers: dict[UUID, Any] = {}
        self._taken: list[country_caps.Taken] = []
        self._is_away = False  # Redis, or the prices: no further step of this transaction waits for them

    async def begin(self, steps: Sequence[NextStep]) -> Sequence[Begun]:
        """Writes the messages of steps, at most one of each chain. Returns the result of each."""
        limits = await self._limits(steps)
        hasher = await address_hasher(self._services)
        results: list[Begun | None] = [None] * len(steps)
        written: list[tuple[int, ChargedMessage, country_caps.Taken | None]] = []
        for index, step in enumerate(steps):
            prepared = await self._prepared(step, limits, hasher)
            if isinstance(prepared, Begun):
                results[index] = prepared
            else:
                written.append((index, *prepared))
        if written:
            # The caller has locked the accounts.
            queued = await write_in(self._db, [message for _, message, _ in written], waits=False)
            for (index, _, taken), result in zip(written, queued, strict=True):
                results[index] = _result(result.decision, steps[index].number)
                if result.row is None and taken is not None:
                    self._taken.remove(taken)
                    await taken.give_back()
        return [result or Begun(postponed=True) for result in results]

    async def give_back(self) -> None:
        """Counts no step that has begun: the transaction was rolled back."""
        await country_caps.give_back(self._taken)

    async def _prepared(
        self, step: NextStep, limits: Mapping[UUID, Any], hasher: AddressHasher
    ) -> tuple[ChargedMessage, country_caps.Taken | None] | Begun:
        """Returns the step's message, counted for the caps of its country, or why it can't begin."""
        if self._is_away:
            return Begun(postponed=True)
        chain, message = step.chain, step.asked.in_time
        payer = await self._payer(chain["account_id"])
        if payer is None:
            return Begun(
                "account_not_found", f"The account that pays for step {step.number} is gone.", ends=True
            )
        if payer["owner_status"] != UserStatus.active:
            return Begun(
                "owner_not_active",
                f"The owner is not active any more, so step {step.number} is not sent.",
                ends=True,
            )
        try:
            book = await price_books(self._services).of(payer["price_version_id"], message.channel, self._db)
            new = charged(payer, message, hasher, book, sent=digits_of(message))
            taken = await country_caps.take(self._services, new.owner_id, new.counted, waits=False)
        except Unavailable:
            self._is_away = True
            return Begun(postponed=True)
        except AppError as error:
            return Begun(error.code, error.message)
        if taken is not None:
            self._taken.append(taken)
        new = replace(new, chain_id=chain["id"], step=step.number)
        if (limit := limits.get(chain["token_id"])) is not None:
            new = replace(
                new, token_id=limit["id"], spend_limit=limit["spend_per_day"], currency=payer["currency"]
            )
        return new, taken

    async def _payer(self, account: UUID) -> Any:
        if account not in self._payers:
            self._payers[account] = await self._db.fetchrow(PAYER, account)
        return self._payers[account]

    async def _limits(self, steps: Sequence[NextStep]) -> Mapping[UUID, Any]:
        """Returns the present limits of the API tokens that have sent the chains. A deleted token limits nothing."""
        ids = {step.chain["token_id"] for step in steps if step.chain["token_id"] is not None}
        return {row["id"]: row for row in await self._db.fetch(_LIMITS, [*ids])} if ids else {}


def _result(decision: str, number: int) -> Begun:
    if decision == "admitted":
        return Begun()
    if decision in _NO_MONEY:
        code, reason = _NO_MONEY[decision]
        return Begun(code, reason.format(number), ends=True)
    if decision == "refused":
        return Begun("recipient_blocked", f"The recipient of step {number} is blocked.")
    return Begun(postponed=True)
