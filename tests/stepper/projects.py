"""Messages of a project: two workers, a reaper, a stop, a retry and a report, through engine/projects."""

from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from channels.port import Receipt, Result
from core.ids import uuid7
from engine.projects import batch_money, batch_recovery, batches, project_moves
from engine.projects.items import RecordState
from engine.reports import report_writer, statements
from tests.stepper.sessions import Session

PRICE = Decimal("0.01")
LEASE = timedelta(hours=1)
ROUTE = "http"

_COPY_PROJECT = """
INSERT INTO sending_projects SELECT (jsonb_populate_record(p, jsonb_build_object('id', $2::uuid))).*
FROM sending_projects AS p WHERE id = $1
"""
_COPY_CONTENT = (
    "INSERT INTO project_contents SELECT $2, number, content FROM project_contents WHERE project_id = $1"
)
_BATCH = "INSERT INTO sending_units (id, project_id) VALUES ($1, $2)"
_COLUMNS = """
SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
WHERE table_name = 'message_records' AND table_schema = current_schema() AND is_identity = 'NO'
  AND is_generated = 'NEVER'
"""
_COPY_MESSAGE = """
INSERT INTO message_records ({columns}) SELECT {columns} FROM (
  SELECT (jsonb_populate_record(m, jsonb_build_object('id', $2::uuid, 'project_id', $3::uuid, 'unit_id', $4::uuid))).*
  FROM message_records AS m WHERE id = $1
) AS copy
"""
_QUEUED = """
SELECT id, attempts, tries, price, handed_at FROM message_records WHERE unit_id = $1 AND status = 'queued' ORDER BY seq
"""
_END_CLAIMS = "UPDATE sending_units SET expires_at = now() - interval '1 hour' WHERE claim_id IS NOT NULL"
_ROWS = """
SELECT m.id, m.status, m.price, m.attempts, EXISTS (SELECT FROM sending_units WHERE id = m.unit_id) AS has_batch
FROM message_records AS m WHERE project_id = $1
"""
_MONEY = """
SELECT COALESCE(-(SELECT sum(amount) FROM ledger_entries WHERE project_id = $1), 0) AS spent,
  COALESCE((SELECT sum(price) FROM message_records WHERE project_id = $1), 0) AS price,
  COALESCE((SELECT sum(held) FROM sending_units WHERE project_id = $1), 0) AS held,
  (SELECT balance FROM accounts WHERE id = $2) AS balance
"""


class Project:
    """A copy of a project with two messages in one batch, and what a provider has accepted of them."""

    def __init__(self, template: UUID, *, idempotent: bool) -> None:
        self.template = template
        self.routes = [f"email:{ROUTE}"] if idempotent else []
        self.id, self.batch = uuid7(), uuid7()
        self.ids: list[UUID] = []
        self.row: dict[str, Any] = {}
        self.balance = Decimal(0)  # of the account, before the first dispatch
        self.accepted: dict[UUID, list[str]] = {}
        self.stopped = False

    async def copy(self, db: Any) -> None:
        """Copies the template."""
        await db.execute(_COPY_PROJECT, self.template, self.id)
        await db.execute(_COPY_CONTENT, self.template, self.id)
        await db.execute(_BATCH, self.batch, self.id)
        statement = _COPY_MESSAGE.format(columns=await db.fetchval(_COLUMNS))
        for row in await db.fetch(
            "SELECT id FROM message_records WHERE project_id = $1 ORDER BY seq", self.template
        ):
            self.ids.append(uuid7())
            await db.execute(statement, row["id"], self.ids[-1], self.id, self.batch)
        self.row = dict(await db.fetchrow("SELECT * FROM sending_projects WHERE id = $1", self.id))
        self.balance = await db.fetchval("SELECT balance FROM accounts WHERE id = $1", self.row["account_id"])

    async def work(self, db: Any) -> None:
        """Claims the batch, renews, pays, records intents, dispatches, stores outcomes, and closes it."""
        claim = uuid7()
        batch = await batches.claim(db, self.id, claim, "w", LEASE)
        if batch is None:
            return
        rows = await db.fetch(_QUEUED, batch)
        if rows and await batches.renew(db, claim, LEASE):
            # The message has its price already if its outcome is uncertain.
            owed = sum((PRICE - row["price"] for row in rows), Decimal(0))
            if not owed or await batch_money.reserve(db, self.row["account_id"], self.id, batch, claim, owed):
                await self._send(db, batch, claim, rows)
        await batches.close(db, batch, claim, self.row["account_id"], self.id, timedelta())

    async def _send(self, db: Any, batch: UUID, claim: UUID, rows: Any) -> None:
        items: list[Any] = [
            SimpleNamespace(
                id=row["id"], attempts=row["attempts"], tries=row["tries"], price=PRICE, content=self.row["content"],
                variant=None, sender=None, sms_sender=None, price_prefix=None, price_version_id=None, parts=None,
            )
            for row in rows
        ]  # fmt: skip
        async with db.transaction():
            ids = await batches.record_intents(db, batch, claim, self.row, ROUTE, items)
        states = [self._dispatched(item) for item in items if item.id in ids]
        if states:
            async with db.transaction():
                await batches.record(
                    db, batch, claim, self.row, states, {},
                    lambda written: sum((PRICE - state.price for state in states if state.id in written), Decimal(0)),
                )  # fmt: skip
            await report_writer.apply_early(db, statements.PROJECTS, [state.id for state in states])

    def _dispatched(self, item: Any) -> RecordState:
        """Returns what the provider says: it accepts the first message, and refuses the second."""
        assert not self.stopped, "a message of a stopped project was dispatched"
        if item.id == self.ids[1]:
            return RecordState(
                item.id, "failed", item.attempts + 1, item.tries, Decimal(0), code="refused", refused=True
            )
        key, keys = f"{item.id}:{item.attempts}", self.accepted.setdefault(item.id, [])
        if not (self.routes and key in keys):
            keys.append(key)
        return RecordState(
            item.id, "sent", item.attempts, item.tries, PRICE, provider_message_id=f"SM{item.id}"
        )

    async def reap(self, db: Any) -> None:
        """Lets the leases of all claims end, and recovers their messages."""
        await db.execute(_END_CLAIMS)
        await batch_recovery.recover(db, self.routes)

    async def stop(self, db: Any) -> None:
        """Stops the project."""
        async with db.transaction():
            await project_moves.stop(db, self.id)
        self.stopped = True

    async def retry(self, db: Any) -> None:
        """Stops the project, and starts it again."""
        await self.stop(db)
        self.stopped = False
        async with db.transaction():
            await project_moves.retry(db, self.id, unknown=False)

    async def report(self, db: Session) -> None:
        """Brings the delivery report of the first message, which the provider may have accepted a moment ago."""
        await db.fetchval("SELECT 'a report comes'")  # whenever the schedule says so
        if self.ids[0] in self.accepted:
            receipt = Receipt(f"SM{self.ids[0]}", Result.delivered)
            await report_writer.receive_receipts(db, ROUTE, [receipt], "email")  # type: ignore[arg-type]

    async def check(self, db: Any) -> None:
        """Ends what is left, and checks messages and money."""
        await db.execute(_END_CLAIMS)
        await batch_recovery.recover(db, self.routes)
        rows = await db.fetch(_ROWS, self.id)
        assert len(rows) == len(self.ids), "a message is lost"
        for row in rows:
            accepted = self.accepted.get(row["id"], [])
            what = f"{row['status']}, accepted {len(accepted)} times, price {row['price']}"
            assert len(accepted) <= 1, what
            assert row["status"] != "sending", what
            assert row["status"] != "queued" or row["has_batch"], f"{what}: it is in no batch"
            if accepted:
                again = f"{row['id']}:{row['attempts']}"  # the key under which it is asked for
                assert row["status"] != "failed", what
                assert row["status"] != "queued" or (self.routes and again in accepted), what
            else:
                assert row["status"] not in ("sent", "delivered"), what
        money = await db.fetchrow(_MONEY, self.id, self.row["account_id"])
        assert money["spent"] == money["price"] + money["held"], dict(money)
        assert money["held"] == 0, dict(money)
        assert money["balance"] == self.balance - money["spent"], dict(money)


ACTORS = {
    "worker": Project.work,
    "other": Project.work,
    "reaper": Project.reap,
    "stop": Project.stop,
    "retry": Project.retry,
    "report": Project.report,
}
