"""What a messenger account becomes, as it happens: by its announcements, and by a look at its row now and then."""

import asyncio
import io
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

import segno

from engine.messengers import calls
from postern.announcements import GAP, listening
from postern.errors import AppError, NotFound
from postern.services import Services
from resolvers.patience import patiently
from schema.types.messenger_accounts import AccountState

T = TypeVar("T")
SHOWS = (AccountState.waitQr, AccountState.showCode)
"""States in which a person is shown something that only the live connection knows."""

_LOOK_SECONDS = 1.0
_SHOWN_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Shown:
    """The QR's text or the pairing code of this moment. Never stored, never logged."""

    value: str = field(repr=False)
    expires_at: datetime | None
    state: AccountState

    @property
    def png(self) -> bytes:
        """As a phone's camera reads it: eight pixels a module, and the quiet zone that ISO 18004 wants."""
        picture = io.BytesIO()
        segno.make_qr(self.value).save(picture, kind="png", scale=8, border=4)
        return picture.getvalue()


async def shown(services: Services, account_id: UUID) -> Shown | None:
    """None while there is nothing to show. Raises Conflict `wrong_state` where nobody holds it, Unavailable."""
    answer = await calls.ask(services, account_id, "shown", seconds=_SHOWN_SECONDS)
    if not answer or not answer.get("value"):
        return None
    until = answer.get("expires_at")
    return Shown(
        answer["value"], datetime.fromisoformat(until) if until else None, AccountState(answer["state"])
    )


async def until(
    services: Services,
    account_id: UUID,
    look: Callable[[], Awaitable[T]],
    good: Callable[[T], bool],
    seconds: float,
    first: Callable[[], Awaitable[None]] | None = None,
) -> T:
    """What `look` gives when it is `good`, or after `seconds`. `first` is called when we already listen."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    async with listening(services.store, f"messenger:{account_id}") as heard:
        if first is not None:
            await first()
        while True:
            found = await look()
            left = deadline - loop.time()
            if good(found) or left <= 0:
                return found
            with suppress(TimeoutError):
                await asyncio.wait_for(anext(heard), min(_LOOK_SECONDS, left))


@dataclass(frozen=True, slots=True)
class Changed:
    """What an account is now. `shown`: in the states that have something to show."""

    account: Any
    shown: Shown | None
    at: datetime


async def changes(
    services: Services,
    topic: str,
    ids: Callable[[], Awaitable[Sequence[UUID]]],
    look: Callable[[UUID], Awaitable[Any]],
) -> AsyncIterator[Changed]:
    """What is there now, then what is announced. `ids`: the accounts that are told of at first, and after a gap.

    `look` raises NotFound for what is gone; the end of the last one is the end of a topic of one account. While the
    database is away nothing is told; when it is back, what there is then.
    """
    async with listening(services.store, topic) as heard, aclosing(_events(heard)) as events:
        async for changed in events:
            for id in await patiently(ids) if changed is None else [changed]:
                try:
                    account = await patiently(partial(look, id))
                except NotFound:
                    if topic == f"messenger:{id}":
                        return
                    continue
                found = None
                if account.state in SHOWS and account.held:
                    with suppress(AppError):  # it has moved on, and that is announced
                        found = await shown(services, id)
                yield Changed(account, found, services.db.now())


async def _events(heard: AsyncIterator[dict[str, Any]]) -> AsyncGenerator[UUID | None, None]:
    """The account whose state has changed; None: any may have. Chats are announced on the same topic."""
    yield None
    async for event in heard:
        if event == GAP:
            yield None
        elif event.get("type") == "state":
            id = None
            with suppress(ValueError):  # of another version of ours: it is looked at which one it is
                id = UUID(str(event.get("account")))
            yield id
