"""Direct messages: two workers, a reaper, a cancel, an expiry and a report, through the statements of engine/direct."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from channels.port import Receipt, Result
from core.ids import uuid7
from db import ledger
from engine.direct import canceling, claims, outcomes
from engine.direct.outcomes import DirectState
from engine.reports import report_writer, statements
from shapes.messages import DeliveryState
from tests.stepper.sessions import Session
from tests.support.gateway import TO, Gateway
from tests.support.people import Person

LEASE = timedelta(hours=1)
ROUTE = "http"

_QUEUE = """
WITH made AS (
  INSERT INTO messages (id, owner_id, account_id, direction, channel, "to", body, price, expires_at)
  SELECT i.id, $2, $3, 'outbound', 'sms', $4, 'hello', 0.0001, CASE WHEN $5 THEN now() - interval '1 hour' END
  FROM unnest($1::uuid[]) AS i (id) RETURNING id
), charge AS (
  INSERT INTO ledger_entries (id, account_id, kind, amount, reference)
  SELECT gen_random_uuid(), $3, 'charge', -0.0001, id FROM made
)
UPDATE accounts SET balance = balance - 0.0001 * cardinality($1::uuid[]) WHERE id = $3
RETURNING balance + 0.0001 * cardinality($1::uuid[])
"""
_END_CLAIMS = "UPDATE claims SET expires_at = now() - interval '1 hour'"
_ROWS = """
SELECT m.id, m.state, m.claim_id, m.attempts,
  (SELECT count(*) FROM ledger_entries WHERE reference = m.id AND kind = 'refund')::int AS refunds
FROM messages AS m WHERE id = ANY($1)
"""
_MOVED = """
SELECT balance - $2 = (SELECT sum(amount) FROM ledger_entries WHERE reference = ANY($3)) AS sound FROM accounts
WHERE id = $1
"""
_BOOKS = """
SELECT balance = (SELECT sum(amount) FROM ledger_entries WHERE account_id = a.id) AS sound FROM accounts AS a
WHERE id = $1
"""
_COUNTS = """
SELECT
  (SELECT jsonb_object_agg(state, n) FROM (
    SELECT state, sum(stored) AS n FROM message_counters WHERE owner_id = $1 GROUP BY state HAVING sum(stored) <> 0
  ) AS c) = (SELECT jsonb_object_agg(state, n) FROM (
    SELECT state, count(*) AS n FROM messages WHERE owner_id = $1 GROUP BY state
  ) AS m) AS sound
"""


class Messages:
    """Three messages of one account, and what a provider has accepted of them."""

    def __init__(self, gateway: Gateway, person: Person, *, idempotent: bool, late: bool) -> None:
        """`late`: the messages are too old to be dispatched."""
        self.gateway, self.person, self.late = gateway, person, late
        self.routes = [f"sms:{ROUTE}"] if idempotent else []
        self.ids: list[UUID] = []
        self.balance = Decimal(0)  # of the account, before the messages
        self.accepted: dict[UUID, list[str]] = {}
        self.canceled: set[UUID] = set()
        self.came = False  # the third message has been dispatched

    async def queue(self, db: Any) -> None:
        """Queues the messages."""
        self.ids = [uuid7() for _ in range(3)]
        self.balance = await db.fetchval(
            _QUEUE, self.ids, self.person.id, self.person.account_id, TO["sms"], self.late
        )

    # the actors

    async def work(self, db: Session) -> None:
        """Claims, renews, records intents, dispatches, stores outcomes, applies early reports and releases."""
        claim = uuid7()
        rows = await claims.claim_due(db, claim, "w", "sms", limit=10, lease=LEASE)  # type: ignore[arg-type]
        rows = [row for row in rows if row["id"] in self.ids]
        if not rows:
            return
        if await claims.renew(db, claim, LEASE):  # type: ignore[arg-type]
            ids, attempts = [row["id"] for row in rows], [row["attempts"] for row in rows]
            async with db.transaction():
                ours = await claims.record_intents(db, claim, ROUTE, ids, attempts)  # type: ignore[arg-type]
            states = [self._dispatched(row) for row in rows if row["id"] in ours]
            if states:
                async with db.transaction():
                    await outcomes.record(db, claim, states)  # type: ignore[arg-type]
                sent = [state.id for state in states if state.state is DeliveryState.sent]
                await report_writer.apply_early(db, statements.DIRECT, sent)  # type: ignore[arg-type]
        await claims.release(db, claim)  # type: ignore[arg-type]

    def _dispatched(self, row: Any) -> DirectState:
        """Returns what the provider says: it accepts the first message, and refuses the second. It has no time for the
        third one when that comes first.
        """
        id, key = row["id"], f"{row['id']}:{row['attempts']}"
        assert id not in self.canceled, "a canceled message was dispatched"
        if id == self.ids[1]:
            return DirectState(id, DeliveryState.failed, row["attempts"], ROUTE, code="refused", refused=True)
        if id == self.ids[2] and not self.came:
            self.came = True
            return DirectState(id, DeliveryState.queued, row["attempts"] + 1, code="busy")
        keys = self.accepted.setdefault(id, [])
        if not (self.routes and key in keys):
            keys.append(key)
        return DirectState(id, DeliveryState.sent, row["attempts"], ROUTE, f"SM{id}")

    async def reap(self, db: Session) -> None:
        """Lets the leases of all claims end, and recovers their messages."""
        await db.execute(_END_CLAIMS)
        await claims.recover(db, self.routes)  # type: ignore[arg-type]

    async def cancel(self, db: Session) -> None:
        """Cancels the messages, for their owner. It gives up when it meets a lock, as `until_unlocked` does at last."""
        try:
            async with db.transaction():
                rows = await canceling.cancel(db, self.person.account_id, self.ids)  # type: ignore[arg-type]
        except Exception as error:
            if getattr(error, "sqlstate", None) != "55P03":
                raise
        else:
            self.canceled |= {row["id"] for row in rows}

    async def expire(self, db: Session) -> None:
        """Fails messages that are too old, as Dispatcher.expire does."""
        claim = uuid7()
        rows = await claims.claim_expired(db, claim, "w", "sms", limit=10, lease=LEASE)  # type: ignore[arg-type]
        states = [
            DirectState(row["id"], DeliveryState.failed, row["attempts"], code="expired") for row in rows
        ]
        if states:
            async with db.transaction():
                await outcomes.record(db, claim, states)  # type: ignore[arg-type]
            await claims.release(db, claim)  # type: ignore[arg-type]

    async def refund(self, db: Session) -> None:
        """Refunds the failed messages once more, as a worker does whose commit was answered by nothing."""
        async with db.transaction():
            rows = await db.fetch(
                "SELECT id, account_id, price FROM messages WHERE id = ANY($1) AND state = 'failed'", self.ids
            )
            columns = zip(
                *[(uuid7(), row["account_id"], row["price"], row["id"], None) for row in rows], strict=True
            )
            if rows:
                await db.execute(ledger.REFUND_MANY, *map(list, columns))

    async def report(self, db: Session) -> None:
        """Brings the delivery report of the first message, which the provider may have accepted a moment ago."""
        await db.fetchval("SELECT 'a report comes'")  # whenever the schedule says so
        if self.ids[0] in self.accepted:
            receipt = Receipt(f"SM{self.ids[0]}", Result.delivered)
            await report_writer.receive_receipts(db, ROUTE, [receipt], "sms")  # type: ignore[arg-type]

    # what must hold

    async def check(self, db: Any) -> None:
        """Ends what is left, and checks messages and money."""
        await db.execute(_END_CLAIMS)
        await claims.recover(db, self.routes)
        rows = await db.fetch(_ROWS, self.ids)
        assert len(rows) == len(self.ids), "a message is lost"
        for row in rows:
            accepted = self.accepted.get(row["id"], [])
            what = f"{row['state']}, accepted {len(accepted)} times, {row['refunds']} refunds"
            assert len(accepted) <= 1, what
            assert row["state"] != "sending", what
            assert row["refunds"] == (row["state"] in ("failed", "canceled")), what
            if accepted:
                assert row["state"] not in ("failed", "canceled"), what
                again = f"{row['id']}:{row['attempts']}"  # the key under which it is asked for
                assert row["state"] != "queued" or (self.routes and again in accepted), what
            else:
                assert row["state"] not in ("sent", "delivered"), what
        sound = await db.fetchval(_MOVED, self.person.account_id, self.balance, self.ids)
        assert sound, "the balance has not moved by the entries of the messages"
        # What is left queued is no message of the next schedule.
        await db.execute(
            "UPDATE messages SET due_at = 'infinity', expires_at = NULL WHERE id = ANY($1) AND state = 'queued'",
            self.ids,
        )

    async def check_counts(self, db: Any) -> None:
        """Checks that the counters are what a recount says, and the balance is the sum of the whole ledger."""
        assert await db.fetchval(_BOOKS, self.person.account_id), "the balance is not the sum of the ledger"
        assert await db.fetchval(_COUNTS, self.person.id), "counters differ from a recount"


Work = Callable[[Messages], Callable[[Session], Awaitable[None]]]
ACTORS: dict[str, Work] = {
    "worker": lambda messages: messages.work,
    "other": lambda messages: messages.work,
    "reaper": lambda messages: messages.reap,
    "cancel": lambda messages: messages.cancel,
    "expire": lambda messages: messages.expire,
    "refund": lambda messages: messages.refund,
    "report": lambda messages: messages.report,
}
