"""Stores the reports of an account's connection, under the account's lease.

Every write locks the account's row, and then checks the lease (`leases.FENCED`): a holder that has lost the account
writes nothing. While the database is away the driver waits here, for as long as the lease lasts.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, Final, TypeVar
from uuid import UUID

import asyncpg
import structlog

from core.json_text import instant
from core.pubsub import publish_account
from engine.faultpoints import fault_point
from engine.messengers import accounts, event_writer, restrictions, state_history
from engine.messengers.leases import FENCED, AccountLease
from engine.messengers.project_links import update_source_accounts
from engine.messengers.states import INACTIVE, may, may_report, step
from engine.webhooks import outbox, sealed
from messengers.port import Change, Event, Lost
from runtime.retry import until_done
from runtime.services import Services
from shapes.messenger_accounts import AccountState

T = TypeVar("T")
log = structlog.get_logger("postern.messengers")

_MAX_EVENTS: Final = 200  # events in one transaction
_MAX_REASON = 500  # characters of a reason
_LONGEST_PAUSE: Final = (
    1.0  # seconds between two tries while the database is away, so that a lost lease is noticed soon
)

_LOCK = """
SELECT owner_id, source, login, state, deleted_at IS NOT NULL AS deleted FROM messenger_accounts
WHERE id = $1 FOR NO KEY UPDATE
"""
_FENCE = FENCED.format(id="$1", holder="$2", fence="$3")

_STATE = f"""
UPDATE messenger_accounts SET state = $4, reason = $5, reason_code = $6, until = $7, attempts_left = $8,
  state_at = CASE WHEN state = $4 THEN state_at ELSE now() END, checked_at = now(),
  me = COALESCE($9::jsonb, me), connected_phone = COALESCE($10, connected_phone),
  wanted = wanted AND (clearing OR NOT $11), session_encrypted = CASE WHEN $12 THEN NULL ELSE session_encrypted END,
  updated_at = now()
WHERE id = $1 AND {_FENCE} RETURNING id
"""  # noqa: S608  our own condition
_SESSION = f"""
UPDATE messenger_accounts SET session_encrypted = $4, updated_at = now() WHERE id = $1 AND {_FENCE} RETURNING id
"""  # noqa: S608  our own condition
_CURSOR = f"""
UPDATE messenger_accounts SET cursor = COALESCE($4::jsonb, cursor) WHERE id = $1 AND {_FENCE} RETURNING id
"""  # noqa: S608  our own condition
_CHECKED = f"""
UPDATE messenger_accounts SET checked_at = now() WHERE id = $1 AND {_FENCE} RETURNING state, checked_at
"""  # noqa: S608  our own condition
_CLEARED = f"""
UPDATE messenger_accounts SET clearing = false, session_encrypted = NULL, cursor = '{{}}', me = NULL,
  connected_phone = NULL, state = 'stopped', state_at = now(), reason = NULL, reason_code = NULL, until = NULL,
  attempts_left = NULL, updated_at = now()
WHERE id = $1 AND {_FENCE} RETURNING id
"""  # noqa: S608  our own condition


class AccountWriter:
    """Writes the reports of an account's connections, and the host's own changes. `state` is the last stored state.

    `on_state` is called after each stored state, before it is published.
    """

    def __init__(self, services: Services, lease: AccountLease, on_state: Callable[[Change], None]) -> None:
        self._services = services
        self.lease = lease
        self.state = AccountState.stopped
        self.reason: tuple[str | None, str | None] = (None, None)
        self._on_state = on_state
        self._owner: UUID | None = None
        self._lock = asyncio.Lock()  # reports are stored one after another
        self.muted = False  # while a session is being cleared its reports are ignored

    async def write_reported_state(self, change: Change) -> None:
        """Stores a reported state if the state machine allows it."""
        async with self._lock:
            self._check_lease()
            if self.muted or change.state is AccountState.starting:
                return  # the host itself stores `starting`
            if not may_report(self.state, change.state):
                log.warning(
                    "a messenger driver reported a state that can't follow; it is not stored",
                    account=str(self.lease.account_id),
                    state=self.state.value,
                    reported=change.state.value,
                    code=change.code,
                )
                return
            await self.write_state(change)

    async def write_session(self, session: str | None) -> None:
        """Stores the encrypted session."""
        async with self._lock:
            id = self.lease.account_id
            encrypted = (
                self._services.vault.seal(session, f"messenger_accounts.session:{id}") if session else None
            )
            if self.muted and encrypted is not None:
                return

            async def write(db: asyncpg.Connection) -> None:
                await db.fetchval(_LOCK, id)
                await self._execute_fenced(db, _SESSION, encrypted)

            await self.in_transaction(write)

    async def write_events(self, events: Sequence[Event], cursor: Mapping[str, Any] | None = None) -> None:
        """Stores the events in several transactions, the cursor with the last."""
        async with self._lock:
            self._check_lease()
            if self.muted:
                return
            batches = [events[at : at + _MAX_EVENTS] for at in range(0, len(events), _MAX_EVENTS)] or [[]]
            # Projects that sent through this account change too.
            with self._services.change_events.emitting():
                for number, batch in enumerate(batches, 1):
                    await self._record(batch, cursor if number == len(batches) else None)

    async def _record(self, events: Sequence[Event], cursor: Mapping[str, Any] | None) -> None:
        try:
            changes = await self.in_transaction(lambda db: self._write(db, events, cursor))
        except Lost:
            raise
        except (
            Exception
        ):  # a bug of ours, or a text that the database refuses: the other events must not be lost with it
            if not events:
                raise
            log.exception("events of a messenger can't be stored", account=str(self.lease.account_id))
            if len(events) == 1:
                if cursor is not None:
                    await self._record([], cursor)
                return
            for number, event in enumerate(events, 1):
                await self._record([event], cursor if number == len(events) else None)
            return
        for change in changes:
            await self._publish(change)

    async def _write(
        self, db: asyncpg.Connection, events: Sequence[Event], cursor: Mapping[str, Any] | None
    ) -> list[Mapping[str, Any]]:
        id = self.lease.account_id
        owner = (await db.fetchrow(_LOCK, id) or {"owner_id": None})["owner_id"]
        # Runs first, so that a holder that lost the account does no work; the row stays locked until the end.
        await self._execute_fenced(db, _CURSOR, dict(cursor) if cursor is not None else None)
        changes = await event_writer.record(self._services, db, id, events) if events else []
        self._owner = owner
        fault_point("messenger.written")
        return changes

    async def write_state(self, change: Change) -> None:
        """Stores a state with its consequences: the source accounts, the webhook, the subscriptions.

        Raises Lost, also for a move that the state machine does not allow.
        """
        id, state = self.lease.account_id, change.state
        ended = state in INACTIVE and state is not AccountState.stopped
        reason = change.reason[:_MAX_REASON] if change.reason else None
        me = None if change.me is None else asdict(change.me)

        async def write(db: asyncpg.Connection) -> Any:
            row = await db.fetchrow(_LOCK, id)
            if row is None or not may(row["state"], state):
                raise Lost
            await self._execute_fenced(
                db, _STATE, state.value, reason, change.code, change.until, change.attempts_left,
                me, change.me.phone if change.me else None, ended, state is AccountState.loggedOut,
            )  # fmt: skip
            if row["deleted"]:  # the deletion has published its own event
                return row
            if row["state"] != state:
                await update_source_accounts(db, id, state)
            await state_history.record(
                db, id, row["state"], state, reason=reason, code=change.code, until=change.until
            )
            if (await accounts.settings_of(db, id)).has_webhook(state):
                encrypted_value = sealed.seal(self._services.vault, id, change.value) if change.value else {}
                body = _state_body(row, change, reason, self._services.db.now())
                await outbox.put(db, id, [outbox.OutboxEvent("state", {**body, **encrypted_value})])
            return row

        row = await self.in_transaction(write)
        self._owner = row["owner_id"]
        self.state, self.reason = state, (change.code, reason)
        self._on_state(change)
        if row["deleted"]:
            return
        await self._publish(
            {
                "type": "state",
                "account": str(id),
                "state": state.value,
                "step": step(state),
                "code": change.code,
                "reason": reason,
                "until": change.until,
                "expiresAt": change.expires_at,
                "attemptsLeft": change.attempts_left,
                "at": self._services.db.now(),
            }
        )

    async def write_checked(self) -> datetime | None:
        """Stores that the session was probed and is alive. Raises Lost."""
        async with self._services.db.reading() as db:
            row = await db.fetchrow(_CHECKED, self.lease.account_id, self.lease.holder, self.lease.fence)
        if row is None:
            raise Lost
        checked: datetime = row["checked_at"]
        return checked

    async def check_restriction(self, to: str) -> None:
        """Raises Restricted if `to` is a stranger, and the messenger is known to let none be written to."""
        async with self._services.db.reading() as db:
            await restrictions.check(db, self.lease.account_id, to)

    async def write_restriction(self, reason: str, until: datetime | None, to: str) -> bool:
        """Stores that the account may write to no stranger, and returns whether `to` is one. Raises Lost."""

        async def write(db: asyncpg.Connection) -> bool:
            self._owner = (await db.fetchrow(_LOCK, self.lease.account_id) or {"owner_id": None})["owner_id"]
            return await restrictions.restrict(db, self.lease.account_id, reason, until, to)

        restricted = await self.in_transaction(write)
        await self._publish(
            {"type": "state", "account": str(self.lease.account_id), "state": self.state.value}
        )
        return restricted

    async def write_stopped(self, row: Any) -> None:
        """Stores that the account is stopped: the owner does not want it connected, or is suspended."""
        if self.state in INACTIVE:
            return
        suspended = row["wanted"] and row["owner_status"] == "suspended"
        change = Change(
            AccountState.stopped,
            code="owner_suspended" if suspended else None,
            reason="The owner of this account is suspended. The account connects again when the owner is activated."
            if suspended
            else None,
        )
        await self.write_state(change)

    async def write_cleared(self) -> None:
        """Stores that the session and all that belongs to it are deleted. Raises Lost."""

        async def write(db: asyncpg.Connection) -> Any:
            row = await db.fetchrow(_LOCK, self.lease.account_id)
            await self._execute_fenced(db, _CLEARED)
            if row is not None and row["state"] != AccountState.stopped and not row["deleted"]:
                await update_source_accounts(db, self.lease.account_id, AccountState.stopped)
                await state_history.record(db, self.lease.account_id, row["state"], AccountState.stopped)
            return row

        row = await self.in_transaction(write)
        self.state = AccountState.stopped
        if row is not None and not row["deleted"]:
            self._owner = row["owner_id"]
            await self._publish({"type": "state", "account": str(self.lease.account_id), "state": "stopped"})

    async def _publish(self, change: Mapping[str, Any]) -> None:
        await publish_account(self._services.store, self.lease.account_id, self._owner, change)

    def _check_lease(self) -> None:
        if not self.lease.valid:
            raise Lost

    async def _execute_fenced(self, db: asyncpg.Connection, sql: str, *values: Any) -> None:
        lease = self.lease
        if await db.fetchval(sql, lease.account_id, lease.holder, lease.fence, *values) is None:
            lease.lost = True
            raise Lost

    async def in_transaction(self, write: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
        """Runs `write` in a transaction, again while the database is away or busy. Raises Lost."""

        async def once() -> T:
            self._check_lease()
            async with self._services.db.transaction() as db:
                return await write(db)

        return await until_done(once, longest_pause=_LONGEST_PAUSE)


def _state_body(row: Mapping[str, Any], change: Change, reason: str | None, now: datetime) -> dict[str, Any]:
    """Returns the webhook's body: the vendor's fields, as far as a state has them, and our own."""
    return {
        "hook_type": "state",
        "source": row["source"],
        "login": row["login"],
        "time": int(now.timestamp()),
        "accountState": change.state.value,
        "step": step(change.state),
        "code": change.code,
        "reason": reason,
        "until": _iso(change.until),
        "expiresAt": _iso(change.expires_at),
    }


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else instant(moment)


def as_history(events: Sequence[Any]) -> list[Any]:
    """Marks requested messages as history: they are stored without an event."""
    return [replace(event, past=True) for event in events]
