"""Stores what a live account reports: the Sink of its connections.

Every write locks the account's row, and then checks the lease (`holds.FENCED`): a holder that has lost the account
writes nothing. While the database is away the driver waits here, for as long as the lease lasts.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any, Final, TypeVar
from uuid import UUID

import asyncpg
import structlog

from core.errors import Unavailable
from core.pubsub import announce
from engine.faultpoints import reach
from engine.messengers import configuration, event_writer
from engine.messengers.leases import FENCED, Hold
from engine.messengers.source_accounts import follow
from engine.messengers.states import RESTING, may, may_tell, step
from engine.webhooks import outbox, sealed
from messengers.port import Change, Event, Lost
from runtime.database_errors import retryable, translate
from runtime.services import Services
from shapes.messenger_accounts import AccountState

T = TypeVar("T")
log = structlog.get_logger("postern.messengers")

_MOST_EVENTS: Final = 200  # events in one transaction
_LONGEST = 500  # characters of a reason

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


class Tells:
    """The Sink of an account's connections, and the host's own writes. `state` is the last stored state.

    `on_state` is called after each stored state, before it is published.
    """

    def __init__(self, services: Services, hold: Hold, on_state: Callable[[Change], None]) -> None:
        self._services = services
        self.hold = hold
        self.state = AccountState.stopped
        self.reason: tuple[str | None, str | None] = (None, None)
        self._on_state = on_state
        self._owner: UUID | None = None
        self._turn = asyncio.Lock()  # reports are stored one after another
        self.muted = False  # while a session is being cleared its reports are ignored

    async def changed(self, change: Change) -> None:
        """Stores a reported state if the state machine allows it."""
        async with self._turn:
            self._check()
            if self.muted or change.state is AccountState.starting:
                return  # the host itself stores `starting`
            if not may_tell(self.state, change.state):
                log.warning(
                    "a messenger driver told a state that can't follow; not written",
                    account=str(self.hold.account_id),
                    state=self.state.value,
                    told=change.state.value,
                    code=change.code,
                )
                return
            await self.write(change)

    async def session(self, session: str | None) -> None:
        """Stores the encrypted session."""
        async with self._turn:
            id = self.hold.account_id
            kept = self._services.vault.seal(session, f"messenger_accounts.session:{id}") if session else None
            if self.muted and kept is not None:
                return

            async def write(db: asyncpg.Connection) -> None:
                await db.fetchval(_LOCK, id)
                await self._fenced(db, _SESSION, kept)

            await self.durable(write)

    async def happened(self, events: Sequence[Event], cursor: Mapping[str, Any] | None = None) -> None:
        """Stores the events in several transactions, the cursor with the last."""
        async with self._turn:
            self._check()
            if self.muted:
                return
            parts = [events[at : at + _MOST_EVENTS] for at in range(0, len(events), _MOST_EVENTS)] or [[]]
            with self._services.news.noting():  # changes of projects that sent through this account
                for place, part in enumerate(parts, 1):
                    await self._record(part, cursor if place == len(parts) else None)

    async def _record(self, events: Sequence[Event], cursor: Mapping[str, Any] | None) -> None:
        try:
            told = await self.durable(lambda db: self._write(db, events, cursor))
        except Lost:
            raise
        except (
            Exception
        ):  # a bug of ours, or a text that the database refuses: the other events must not be lost with it
            if not events:
                raise
            log.exception("what a messenger told can't be written", account=str(self.hold.account_id))
            if len(events) == 1:
                if cursor is not None:
                    await self._record([], cursor)
                return
            for place, event in enumerate(events, 1):
                await self._record([event], cursor if place == len(events) else None)
            return
        for what in told:
            await self._announce(what)

    async def _write(
        self, db: asyncpg.Connection, events: Sequence[Event], cursor: Mapping[str, Any] | None
    ) -> list[Mapping[str, Any]]:
        id = self.hold.account_id
        owner = (await db.fetchrow(_LOCK, id) or {"owner_id": None})["owner_id"]
        # Runs first, so that a holder that lost the account does no work; the row stays locked until the end.
        await self._fenced(db, _CURSOR, dict(cursor) if cursor is not None else None)
        announced = await event_writer.record(self._services, db, id, events) if events else []
        self._owner = owner
        reach("messenger.told")
        return announced

    async def write(self, change: Change, *, wanted: bool = True) -> None:
        """Stores a state with its consequences: the source accounts, the webhook, the subscriptions.

        Raises Lost, also for a move that the state machine does not allow.
        """
        id, state = self.hold.account_id, change.state
        ended = not wanted or (state in RESTING and state is not AccountState.stopped)
        reason = change.reason[:_LONGEST] if change.reason else None
        me = None if change.me is None else asdict(change.me)

        async def write(db: asyncpg.Connection) -> Any:
            row = await db.fetchrow(_LOCK, id)
            if row is None or not may(row["state"], state):
                raise Lost
            await self._fenced(
                db, _STATE, state.value, reason, change.code, change.until, change.attempts_left,
                me, change.me.phone if change.me else None, ended, state is AccountState.loggedOut,
            )  # fmt: skip
            if row["deleted"]:  # the deletion has published its own event
                return row
            if row["state"] != state:
                await follow(db, id, state)
            if (await configuration.of(db, id)).tells(state):
                shown = sealed.seal(self._services.vault, id, change.value) if change.value else {}
                body = _body(row, change, reason, self._services.db.now())
                await outbox.put(db, id, [outbox.Told("state", {**body, **shown})])
            return row

        row = await self.durable(write)
        self._owner = row["owner_id"]
        self.state, self.reason = state, (change.code, reason)
        self._on_state(change)
        if row["deleted"]:
            return
        await self._announce(
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

    async def checked(self) -> datetime | None:
        """Stores that the session was probed and is alive. Raises Lost."""
        async with self._services.db.reading() as db:
            row = await db.fetchrow(_CHECKED, self.hold.account_id, self.hold.holder, self.hold.fence)
        if row is None:
            raise Lost
        checked: datetime = row["checked_at"]
        return checked

    async def cleared(self) -> None:
        """Stores that the session and all that belongs to it are deleted. Raises Lost."""

        async def write(db: asyncpg.Connection) -> Any:
            row = await db.fetchrow(_LOCK, self.hold.account_id)
            await self._fenced(db, _CLEARED)
            if row is not None and row["state"] != AccountState.stopped and not row["deleted"]:
                await follow(db, self.hold.account_id, AccountState.stopped)
            return row

        row = await self.durable(write)
        self.state = AccountState.stopped
        if row is not None and not row["deleted"]:
            self._owner = row["owner_id"]
            await self._announce({"type": "state", "account": str(self.hold.account_id), "state": "stopped"})

    async def _announce(self, what: Mapping[str, Any]) -> None:
        store = self._services.store
        await announce(store, f"messenger:{self.hold.account_id}", dict(what))
        if self._owner is not None:
            await announce(store, f"messengers:{self._owner}", dict(what))

    def _check(self) -> None:
        if not self.hold.sure:
            raise Lost

    async def _fenced(self, db: asyncpg.Connection, sql: str, *values: Any) -> None:
        hold = self.hold
        if await db.fetchval(sql, hold.account_id, hold.holder, hold.fence, *values) is None:
            hold.lost = True
            raise Lost

    async def durable(self, write: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
        """Runs `write` in a transaction, again while the database is away or busy. Raises Lost."""
        pause = 0.05
        while True:
            self._check()
            try:
                async with self._services.db.reading() as db, db.transaction():
                    return await write(db)
            except Lost:
                raise
            except Exception as error:
                known = translate(error)
                if not (retryable(error) or isinstance(known, Unavailable)):
                    raise
                log.debug("what a messenger told has to wait", error=str(error)[:200])
            await asyncio.sleep(random.uniform(pause / 2, pause))
            pause = min(pause * 2, 1.0)


def _body(row: Mapping[str, Any], change: Change, reason: str | None, now: datetime) -> dict[str, Any]:
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
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def past(events: Sequence[Any]) -> list[Any]:
    """Marks requested messages as history: they are stored without an event."""
    return [replace(event, past=True) for event in events]
