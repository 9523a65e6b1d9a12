"""Starts and stops messenger accounts.

Start, stop and clear write the owner's wish, wake the process that holds the account, and wait for a limited time until
the account's row shows the result. The wish is carried out even if the caller no longer waits.
"""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

from db import models
from engine.messengers import call_client
from engine.messengers.states import INACTIVE
from resolvers.messenger_accounts.account_rows import UNDER_WAY, Key, mine, state_of
from resolvers.messenger_accounts.waits import until
from runtime.operation import Op
from shapes.messenger_accounts import AccountState

START_SECONDS = 25.0  # how long a start waits for a state with a result
STOP_SECONDS = 25.0
# Reason and failure belong to the previous attempt; the holder writes `starting` when it begins.
_START = """
UPDATE messenger_accounts SET wanted = true, updated_at = now(), state = 'stopped', state_at = now(),
  reason = NULL, reason_code = NULL, until = NULL, attempts_left = NULL
WHERE id = $1
"""
_WANT = "UPDATE messenger_accounts SET wanted = true, updated_at = now() WHERE id = $1"
_STOP = "UPDATE messenger_accounts SET wanted = false, updated_at = now() WHERE id = $1"
_CLEAR = "UPDATE messenger_accounts SET wanted = false, clearing = true, updated_at = now() WHERE id = $1"


async def wait_for_state(
    op: Op, account_id: UUID, good: Callable[[AccountState], bool], seconds: float
) -> models.MessengerAccount:
    """Returns the account once its state is `good`, or after `seconds`. Raises NotFound."""
    return await wait_for_account(op, account_id, lambda row: good(state_of(row)), seconds)


async def start_account(op: Op, key: Key) -> models.MessengerAccount:
    """Returns the account once it works, has failed or needs a person's action, or after START_SECONDS. Raises
    NotFound.
    """
    account = await mine(op, key)

    async def want() -> None:
        async with op.services.db.transaction() as db:
            row = await mine(op, account.id, db=db, lock=True)
            if not row.wanted:
                await db.execute(_START if state_of(row) in INACTIVE else _WANT, row.id)
        await call_client.wake(op.services, account.id)

    return await wait_for_account(
        op, account.id, lambda row: state_of(row) not in UNDER_WAY, START_SECONDS, want
    )


async def stop_account(op: Op, key: Key, *, clear: bool = False) -> models.MessengerAccount:
    """Returns the account once it is disconnected, or after STOP_SECONDS. `clear` also ends its session at the
    messenger and deletes it. Raises NotFound.
    """
    account = await mine(op, key)

    async def want() -> None:
        async with op.services.db.transaction() as db:
            await mine(op, account.id, db=db, lock=True)
            await db.execute(_CLEAR if clear else _STOP, account.id)
        await call_client.wake(op.services, account.id)

    def over(row: models.MessengerAccount) -> bool:
        return state_of(row) in INACTIVE and not row.clearing

    current: Any = account
    if clear and over(account) and not current.activated and not account.wanted:
        return account  # there is no session to delete
    return await wait_for_account(op, account.id, over, STOP_SECONDS, want)


async def wait_for_account(
    op: Op,
    account_id: UUID,
    good: Callable[[models.MessengerAccount], bool],
    seconds: float,
    first: Callable[[], Awaitable[None]] | None = None,
) -> models.MessengerAccount:
    """Calls `first`, and returns the account once its row is `good`, or after `seconds`. Raises NotFound."""
    return await until(op.services, account_id, lambda: mine(op, account_id), good, seconds, first)
