"""The checks of a batch before its transaction: each item that passes becomes a message with its charge.

Each item meets the checks of `resolvers.messages.send`, which are the same functions. What several items need alike is
read once: the account, the verified domains, the files, the approved senders.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from core.errors import AppError, BadRequest, ValidationFailed
from core.rate_limits import refused
from db import models
from engine.direct.new_messages import ChargedMessage
from engine.sms import country_caps
from engine.sms.country_caps import Caps, Taken
from resolvers import reach
from resolvers.messages import admission, templated, waiting
from resolvers.messages.message_queue import with_charge
from resolvers.status_callbacks.callback_hosts import callback_of
from resolvers.templates.template_rows import TextSource
from runtime.idempotency import Attempt, Replay, stored_model
from runtime.operation import Op
from shapes.message_batches import (
    MOST,
    BatchError,
    BatchItem,
    BatchMessage,
    BatchResult,
    InvalidItem,
    SentMessages,
)
from shapes.messages import SendMessage
from shapes.templated_messages import TemplatedMessage

_AT_ONCE = 16  # items that are checked before other requests have their turn
_RENDERED_AT_ONCE = 100  # items with a template that are rendered together
OPERATION: Final = "messages.send"
"""The operation whose keys the items' keys are."""

STORED_MESSAGE: Final = stored_model(models.Message)
"""Stores what that operation answers."""


class _ReadOnce:
    """Reads for the checks of many items: equal statements are carried out once."""

    def __init__(self, db: Any) -> None:
        self._db = db
        self._rows: dict[str, Any] = {}

    async def fetch(self, sql: str, *arguments: Any) -> Any:
        key = repr((sql, arguments))
        if key not in self._rows:
            self._rows[key] = await self._db.fetch(sql, *arguments)
        return self._rows[key]


class Batch:
    """The items of a batch, and what is known about each."""

    def __init__(self, op: Op, items: Sequence[BatchItem]) -> None:
        self._op = op
        self._items = items
        self._reads = _ReadOnce(op.db)
        self._results: dict[int, AppError | Any] = {}  # by the index of an item: its message, or the error
        self._attempts: dict[int, Attempt] = {}
        self._counted: dict[int, Caps] = {}  # messages that the caps of their country have counted
        self._drawn: dict[UUID, int] = {}  # messages that the rate limit of an account has counted
        self.waiting: dict[int, ChargedMessage] = {}
        """The messages that are to be written, by the index of their item, in order."""

    async def check(self) -> None:
        """Checks all items. Those that pass are `waiting`. Raises ValidationFailed for no items, and for too many."""
        if not 1 <= len(self._items) <= MOST:
            raise ValidationFailed([f"inputs: must have 1 to {MOST} items"])
        items = self._valid()
        await self._replay(items)
        payers = await self._payers(
            {index: item for index, item in items.items() if index not in self._results}
        )
        within = await self._within_limits(payers)
        templates = await self._render(within, items)
        for number, (index, payer) in enumerate(within.items()):
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)
            item, template = templates.get(index, (items[index], None))
            try:
                self.waiting[index] = await self._charged(payer, item, self._attempts.get(index), template)
            except AppError as error:
                self.refuse(index, error)
        await self._count_countries()

    def refuse(self, index: int, error: AppError) -> None:
        """Makes an error the result of an item."""
        self._results[index] = error

    def complete(self, index: int, message: Any) -> None:
        """Makes a message the result of an item."""
        self._results[index] = message

    def written(self) -> Sequence[UUID]:
        """Returns the ids of the messages that this batch has written: those that waited, and are no earlier ones."""
        return [
            new.id
            for index, new in self.waiting.items()
            if getattr(self._results.get(index), "id", None) == new.id
        ]

    def answer(self) -> SentMessages:
        """Returns the result of each item, in their order."""
        return SentMessages.model_construct(
            results=[_result(index, self._results[index]) for index in range(len(self._items))]
        )

    async def require_all(self) -> None:
        """Raises the error of the first item that has one, with `index` in its details, for a caller whose items belong
        together; no limit counts the batch then.
        """
        for index, result in sorted(self._results.items()):
            if isinstance(result, AppError):
                self._results.clear()  # what was written is rolled back
                await self.give_back_all()
                error = copy(result)
                error.details = {**result.details, "index": index}
                raise error from result

    async def give_back_unsent(self) -> None:
        """Lets the caps of countries count no more what has an error, or waits: it was certainly not sent."""
        unsent: dict[tuple[str, UUID], list[Caps]] = defaultdict(list)
        for index, caps in self._counted.items():
            if index not in self._results or isinstance(self._results[index], AppError):
                unsent[caps.country, caps.owner_id].append(caps)
        await country_caps.give_back(Taken(self._op.services, caps[0], len(caps)) for caps in unsent.values())

    async def give_back_all(self) -> None:
        """Lets no limit count the batch, of which certainly nothing was sent."""
        await self.give_back_unsent()
        for payer_id, count in self._drawn.items():
            await self._op.services.limiter.draw(admission.rate_limit(self._op), str(payer_id), 0, 0, count)

    def _valid(self) -> dict[int, BatchMessage]:
        items: dict[int, BatchMessage] = {}
        keys: set[str] = set()
        for index, item in enumerate(self._items):
            if isinstance(item, InvalidItem):
                self.refuse(index, ValidationFailed(item.rules))
            elif item.key is not None and item.key in keys:
                self.refuse(
                    index,
                    BadRequest(
                        "An earlier item of this batch has the same `key`. Give each item a key of its own.",
                        code="duplicate_key",
                    ),
                )
            else:
                items[index] = item
                if item.key is not None:
                    keys.add(item.key)
        return items

    async def _replay(self, items: dict[int, BatchMessage]) -> None:
        """Answers items whose messages were sent before with the same key."""
        for index, item in items.items():
            if item.key is not None:
                kind = TemplatedMessage if isinstance(item, TemplatedMessage) else SendMessage
                single = {name: getattr(item, name) for name in kind.model_fields}
                arguments = {"input": kind.model_construct(**single)}
                self._attempts[index] = Attempt(
                    STORED_MESSAGE, self._op.viewer.id, OPERATION, item.key, arguments
                )
        earlier = await Attempt.look_for_all(self._op.db, [*self._attempts.values()])
        for index, result in zip(self._attempts, earlier, strict=True):
            if isinstance(result, Replay):
                self.complete(index, waiting.as_new(result.value))
            elif result is not None:
                self.refuse(index, result)

    async def _payers(self, items: dict[int, BatchMessage]) -> dict[int, Any]:
        """Returns the paying account of each item."""
        by_account: dict[UUID | None, Any] = {}
        payers: dict[int, Any] = {}
        for index, item in items.items():
            if item.account_id not in by_account:
                try:
                    by_account[item.account_id] = await admission.paying(self._op, item.account_id)
                except AppError as error:
                    by_account[item.account_id] = error
            payer = by_account[item.account_id]
            if isinstance(payer, AppError):
                self.refuse(index, payer)
            else:
                payers[index] = payer
        return payers

    async def _within_limits(self, payers: dict[int, Any]) -> dict[int, Any]:
        """Returns the items that the rate limits of their accounts allow: of each account the first ones."""
        indexes: dict[UUID, list[int]] = defaultdict(list)
        for index, payer in payers.items():
            indexes[payer.id].append(index)
        limit, within = admission.rate_limit(self._op), dict(payers)
        for payer_id, asked in indexes.items():
            statuses = await self._op.services.limiter.take_each(limit, str(payer_id), len(asked))
            self._drawn[payer_id] = sum(status.allowed for status in statuses)
            for index, status in zip(asked, statuses, strict=True):
                if not status.allowed:
                    del within[index]
                    self.refuse(index, refused(limit, "messages", status.retry_after))
            if len(indexes) == 1:
                for name, value in replace(statuses[-1], allowed=True).headers().items():
                    self._op.ctx.answer_header(name, value)
        return within

    async def _render(
        self, within: dict[int, Any], items: dict[int, BatchMessage]
    ) -> dict[int, tuple[SendMessage, TextSource]]:
        """Returns the messages that name a template, with its text. Those that can't be rendered have an error, and are
        taken out of `within`.
        """
        rendered: dict[int, tuple[SendMessage, TextSource]] = {}

        async def render(index: int, item: Any) -> None:
            try:
                rendered[index] = await templated.message_of(self._op, within[index].owner_id, item)
            except AppError as error:
                del within[index]
                self.refuse(index, error)

        asked = [(index, item) for index in within if isinstance(item := items[index], TemplatedMessage)]
        for start in range(0, len(asked), _RENDERED_AT_ONCE):
            await asyncio.gather(*(render(*each) for each in asked[start : start + _RENDERED_AT_ONCE]))
        return rendered

    async def _charged(
        self, payer: Any, item: SendMessage, attempt: Attempt | None, template: TextSource | None
    ) -> ChargedMessage:
        origin = (await admission.approved(self._op, self._reads, payer, item))._replace(template=template)
        if item.status_callback is not None:
            callback_id = await callback_of(
                self._op, payer, item.status_callback, item.send_at, has_slot=True
            )
            origin = origin._replace(callback_id=callback_id)
        message = admission.new_message(self._op, item, origin)
        new = await with_charge(self._op, payer, message, attempt)
        if self._op.viewer.reach and reach.may_be_many(new.message.channel, new.message.to):
            await reach.refuse(self._op, "")
        return new

    async def _count_countries(self) -> None:
        """Lets the caps of countries count the messages; what is beyond a cap is refused."""
        groups: dict[tuple[UUID, str], list[int]] = defaultdict(list)
        for index, new in self.waiting.items():
            if new.counted is not None:
                groups[new.owner_id, new.counted.country].append(index)
        services = self._op.services
        for (owner_id, country), indexes in groups.items():
            counted = self.waiting[indexes[0]].counted
            assert counted is not None
            caps = Caps.of(owner_id, counted.rules, country)
            taken, wait = await country_caps.take_some(services, caps, len(indexes))
            self._counted |= dict.fromkeys(indexes[: taken.count], caps)
            if taken.count == len(indexes):
                continue
            cap = await country_caps.record_reached(services, caps, wait)
            for index in indexes[taken.count :]:
                del self.waiting[index]
                self.refuse(index, country_caps.refused(caps, cap, wait, wait))


def _result(index: int, result: Any) -> BatchResult:
    if not isinstance(result, AppError):
        return BatchResult.model_construct(index=index, message=result, error=None)
    error = BatchError.model_construct(
        code=result.code, message=result.message, details=result.details or None
    )
    return BatchResult.model_construct(index=index, message=None, error=error)
