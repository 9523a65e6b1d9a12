"""Waits for changes of a messenger account: by its announcements, and by reading its row now and then."""

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

from core.errors import AppError, NotFound
from core.pubsub import GAP, listening, messenger
from engine.messengers import call_client
from resolvers.read_retry import retry_read
from runtime.services import Services
from shapes.messenger_accounts import AccountState

T = TypeVar("T")
SHOWS = (AccountState.waitQr, AccountState.showCode)
"""States with a QR or pairing code to show; only the live connection knows the code."""

_LOOK_SECONDS = 1.0
_CODE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class LoginCode:
    """The current QR text or pairing code. It is never stored and never logged."""

    value: str = field(repr=False)
    expires_at: datetime | None
    state: AccountState

    @property
    def png(self) -> bytes:
        """Returns the QR code as a picture for a phone's camera: eight pixels a module, and the quiet zone of ISO
        18004.
        """
        picture = io.BytesIO()
        segno.make_qr(self.value).save(picture, kind="png", scale=8, border=4)
        return picture.getvalue()


async def read_login_code(services: Services, account_id: UUID) -> LoginCode | None:
    """Returns the code to show, or None. Raises Conflict `wrong_state` if no process has the account, Unavailable."""
    answer = await call_client.ask(services, account_id, "shown", seconds=_CODE_SECONDS)
    if not answer or not answer.get("value"):
        return None
    until = answer.get("expires_at")
    return LoginCode(
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
    """Returns the result of `look` once it is `good`, or after `seconds`.

    `first` is called after the subscription has begun, so that no announcement that it causes is missed.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    async with listening(services.store, messenger(account_id)) as events:
        if first is not None:
            await first()
        while True:
            result = await look()
            left = deadline - loop.time()
            if good(result) or left <= 0:
                return result
            with suppress(TimeoutError):
                await asyncio.wait_for(anext(events), min(_LOOK_SECONDS, left))


@dataclass(frozen=True, slots=True)
class Changed:
    """The current state of an account. `login_code` is set in states that have one."""

    account: Any
    login_code: LoginCode | None
    at: datetime


async def changes(
    services: Services,
    topic: str,
    ids: Callable[[], Awaitable[Sequence[UUID]]],
    look: Callable[[UUID], Awaitable[Any]],
) -> AsyncIterator[Changed]:
    """Yields the current accounts, then each account that is announced. `ids` gives the accounts to yield at first and
    after a gap.

    `look` raises NotFound for a deleted account; the topic of a single account then ends. While the database is
    unreachable nothing is yielded; afterwards the current state is yielded.
    """
    async with listening(services.store, topic) as published, aclosing(_events(published)) as events:
        async for changed in events:
            for id in await retry_read(ids) if changed is None else [changed]:
                try:
                    account = await retry_read(partial(look, id))
                except NotFound:
                    if topic == messenger(id):
                        return
                    continue
                code = None
                if account.state in SHOWS and account.held:
                    with suppress(AppError):  # the state has changed again; another announcement follows
                        code = await read_login_code(services, id)
                yield Changed(account, code, services.db.now())


async def _events(published: AsyncIterator[dict[str, Any]]) -> AsyncGenerator[UUID | None, None]:
    """Yields the account whose state has changed; None: any may have. Announcements of chats are skipped."""
    yield None
    async for event in published:
        if event == GAP:
            yield None
        elif event.get("type") == "state":
            id = None
            with suppress(ValueError):  # written by another version of Postern: read all accounts
                id = UUID(str(event.get("account")))
            yield id
