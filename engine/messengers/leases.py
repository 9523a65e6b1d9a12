"""The leases of messenger accounts: rows of messenger_holds, taken, renewed and given back in bulk.

A lease lasts LEASE_SECONDS of the database's clock, counted from before it was asked for. This process relies on it for
VALID_SECONDS of its own clocks only, so that it has disconnected before another process may take the account.
`runtime.leases.Renewal` renews them, and the host runs it. All statements run in a thread of their own: a busy event
loop delays none of them, and a lease is renewed from when it is taken, not from when the event loop hears of it.

A row stays for ever, and its `fence` grows with every holder. A lease is given back by letting it expire.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID, uuid4

import asyncpg

from db.session import Database
from engine.faultpoints import fault_point
from engine.messengers.states import ACTIVE
from runtime import leases
from runtime.leases import Moment

LEASE_SECONDS: Final = 10.0
VALID_SECONDS: Final = 8.5
ROUND_SECONDS: Final = 2.0

MAX_ACQUIRED: Final = 25  # accounts taken in one statement
_CONNECTIONS: Final = 2  # one renews while the other takes
_MARGIN: Final = 5  # accounts that a process may hold beyond its share

# Accounts that need a holder: to connect, to clear, or to record that they are not connected.
_ACTIVE = ", ".join(f"'{state.value}'" for state in ACTIVE)
_NEEDS_HOLDER = f"""
(a.clearing OR a.wanted OR a.state IN ({_ACTIVE}))
AND (a.clearing OR (a.wanted AND a.deleted_at IS NULL AND u.status = 'active') OR a.state IN ({_ACTIVE}))
"""

# The first condition of _NEEDS_HOLDER is the condition of the index `ix_messenger_accounts_waits`.
_ACQUIRE = f"""
WITH free AS (
  SELECT a.id FROM messenger_accounts AS a
  JOIN users AS u ON u.id = a.owner_id
  LEFT JOIN messenger_holds AS h ON h.account_id = a.id
  WHERE {_NEEDS_HOLDER} AND (h.account_id IS NULL OR h.expires_at <= now()) AND a.id <> ALL($4::uuid[])
  ORDER BY random() LIMIT $3
)
INSERT INTO messenger_holds AS h (account_id, holder, fence, expires_at)
SELECT id, $1, 1, now() + $2 FROM free ORDER BY id
ON CONFLICT (account_id) DO UPDATE
SET holder = EXCLUDED.holder, fence = h.fence + 1, expires_at = EXCLUDED.expires_at
WHERE h.expires_at <= now()
RETURNING account_id, fence
"""  # noqa: S608  our own condition
# Each running host keeps a row in `leases`; the rows are only counted, to compute the fair share.
_HOST = "messengers:"  # and the holder
_COUNT_HOST = f"""
INSERT INTO leases (name, holder, expires_at) VALUES ('{_HOST}' || $1::uuid, $1::uuid, now() + $2)
ON CONFLICT (name) DO UPDATE SET expires_at = EXCLUDED.expires_at
"""  # noqa: S608  our own name
_RENEW = f"""
WITH counted AS ({_COUNT_HOST})
UPDATE messenger_holds AS h SET expires_at = now() + $2
FROM unnest($3::uuid[], $4::bigint[]) AS mine (account_id, fence)
WHERE h.account_id = mine.account_id AND h.fence = mine.fence AND h.holder = $1 AND h.expires_at > now()
RETURNING h.account_id, h.fence
"""  # noqa: S608  our own statement
_GIVE_BACK = """
UPDATE messenger_holds AS h SET expires_at = '-infinity'
FROM unnest($2::uuid[], $3::bigint[]) AS mine (account_id, fence)
WHERE h.account_id = mine.account_id AND h.fence = mine.fence AND h.holder = $1
"""
_GIVE_BACK_ALL = """
UPDATE messenger_holds SET expires_at = '-infinity' WHERE holder = $1 AND account_id <> ALL($2::uuid[])
"""
_UNCOUNT_HOST = f"""
DELETE FROM leases WHERE name LIKE '{_HOST}%' AND (holder = $1 OR expires_at < now() - interval '1 hour')
"""  # noqa: S608  our own name
# Accounts that may need a holder.
ACCOUNTS: Final = (
    f"SELECT FROM messenger_accounts AS a WHERE a.clearing OR a.wanted OR a.state IN ({_ACTIVE})"
)
_SHARE = f"""
SELECT ({ACCOUNTS.replace("FROM", "count(*) FROM", 1)}) AS accounts,
  (SELECT count(*) FROM leases WHERE name LIKE '{_HOST}%' AND expires_at > now()) AS hosts
"""  # noqa: S608  our own condition
# The wishes of the owners of the held accounts. A deleted row is not returned.
_DESIRED = """
SELECT a.id, a.clearing, a.wanted AND a.deleted_at IS NULL AND u.status = 'active' AS wanted, u.status AS owner_status
FROM messenger_accounts AS a JOIN users AS u ON u.id = a.owner_id WHERE a.id = ANY($1::uuid[])
"""

# The condition of every write by a holder: the lease with this fence is still its own. Evaluate it after the account's
# row is locked: the next holder locks the row first, so its writes come entirely before or after.
FENCED: Final = """
EXISTS (SELECT FROM messenger_holds AS h WHERE h.account_id = {id} AND h.holder = {holder} AND h.fence = {fence}
  AND h.expires_at > clock_timestamp())
"""


@dataclass(slots=True, eq=False)
class AccountLease(leases.Lease):
    """The lease of one account. Every write under it names `fence`, the number of this holder."""

    account_id: UUID
    fence: int
    holder: UUID

    @property
    def lease(self) -> "AccountLease":
        """Returns itself: a lease is renewed before there is work under it."""
        return self


@dataclass(frozen=True, slots=True)
class DesiredState:
    """Says whether the owner wants the account to be connected, or to be cleared."""

    wanted: bool
    clearing: bool
    owner_status: str


class Leases:
    """The leases of one process. `holder` is its id, new with every start."""

    def __init__(self, db: Database, holder: UUID | None = None) -> None:
        self._db = db
        self.holder = holder or uuid4()
        self._leases: dict[UUID, AccountLease] = {}
        # Leases that the thread has taken. The next `take` removes them.
        self._acquired: set[AccountLease] = set()
        self.thread = db.own_thread(_CONNECTIONS)

    async def _fetch(self, sql: str, *arguments: Any) -> list[Any]:
        return await self.thread.run(lambda connection: connection.fetch(sql, *arguments), LEASE_SECONDS / 2)

    async def close(self) -> None:
        """Closes the thread within about 2 s; never raises."""
        await self.thread.close()

    def __contains__(self, account_id: UUID) -> bool:
        return account_id in self._leases

    @property
    def has_any(self) -> bool:
        """Returns whether this process has leases, including lost ones."""
        return bool(self._leases or self._acquired)

    def all(self) -> list[AccountLease]:
        """Returns all leases of this process, the lost ones too."""
        return list(self._leases.values())

    async def acquire(
        self, limit: int = MAX_ACQUIRED, *, excluding: Collection[UUID] = ()
    ) -> list[AccountLease]:
        """Takes up to `limit` of the accounts that need a holder and have none, except `excluding`.

        The caller starts the work under the leases before it takes more.
        """
        self._forget_acquired()
        excluded = list(excluding)

        async def acquire(connection: asyncpg.Connection) -> list[AccountLease]:
            requested = Moment()
            rows = await connection.fetch(
                _ACQUIRE, self.holder, timedelta(seconds=LEASE_SECONDS), limit, excluded
            )
            fault_point("messenger.leased")
            taken = [
                AccountLease(
                    row["account_id"], row["fence"], self.holder, seconds=VALID_SECONDS, renewed=requested
                )
                for row in rows
            ]
            self._acquired.update(taken)
            return taken

        leases = await self.thread.run(acquire, LEASE_SECONDS / 2)
        for lease in leases:
            self._leases[lease.account_id] = lease
        return leases

    def just_acquired(self) -> list[AccountLease]:
        """Returns the leases of the last `take`, also those that the event loop has not heard of yet."""
        return list(self._acquired)

    def _forget_acquired(self) -> None:
        for lease in self.just_acquired():
            if (
                self._leases.get(lease.account_id) is not lease
            ):  # the call was cancelled: nothing runs under it
                lease.lost = True
            self._acquired.discard(lease)

    async def room(self) -> int | None:
        """Returns how many more accounts this process may take without taking the share of others; None if no account
        needs a holder.
        """
        (row,) = await self._fetch(_SHARE)
        if not row["accounts"]:
            self._forget_acquired()
            return None
        share = math.ceil(int(row["accounts"]) / max(1, int(row["hosts"])))
        return share + _MARGIN - len(self._leases)

    async def appear(self) -> None:
        """Counts this process as a host for the length of a lease, so that others leave it its share."""
        await self._fetch(_COUNT_HOST, self.holder, timedelta(seconds=LEASE_SECONDS))

    async def disappear(self) -> None:
        """Ends the count of this process as a host."""
        await self._fetch(_UNCOUNT_HOST, self.holder)

    async def renew(
        self, connection: asyncpg.Connection, current: Collection[AccountLease]
    ) -> set[AccountLease]:
        """Renews these leases in one statement, which also counts this process as a host.

        Returns the leases that this process keeps. The thread calls it.
        """
        rows = await connection.fetch(
            _RENEW,
            self.holder,
            timedelta(seconds=LEASE_SECONDS),
            [lease.account_id for lease in current],
            [lease.fence for lease in current],
        )
        renewed = {(row["account_id"], row["fence"]) for row in rows}
        return {lease for lease in current if (lease.account_id, lease.fence) in renewed}

    def drop_lost(self) -> None:
        """Removes the leases that are not `valid`, by the clocks alone."""
        self._leases = {id: lease for id, lease in self._leases.items() if lease.valid}

    async def give_back(self, leases: Collection[AccountLease]) -> None:
        """Ends these leases, so that others need not wait until they expire. The connections must be closed before."""
        for lease in leases:
            lease.lost = True
        mine = [lease for lease in leases if self._leases.get(lease.account_id) is lease]
        for lease in mine:
            del self._leases[lease.account_id]
        if leases:
            await self._fetch(
                _GIVE_BACK,
                self.holder,
                [lease.account_id for lease in leases],
                [lease.fence for lease in leases],
            )

    async def give_back_all(self, excluding: Collection[UUID]) -> None:
        """Ends all leases except `excluding`, including those taken by a statement whose answer never arrived."""
        for lease in self.all():
            if lease.account_id not in excluding:
                lease.lost = True
                del self._leases[lease.account_id]
        await self._fetch(_GIVE_BACK_ALL, self.holder, list(excluding))

    async def desired_states(self) -> dict[UUID, DesiredState]:
        """Returns the present wishes of the owners of the held accounts."""
        rows = await self._fetch(_DESIRED, list(self._leases)) if self._leases else []
        return {row["id"]: DesiredState(row["wanted"], row["clearing"], row["owner_status"]) for row in rows}


def reconnect_delay(failures: int) -> float:
    """Returns the seconds before the next attempt after `failures` in a row: 2 s … 5 min."""
    return float(min(300.0, 2.0 * math.pow(2.0, min(failures - 1, 10))))
