"""Invoices of providers. They are accepted here and compared in the background by engine/provider_invoices/."""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import orjson

from core.errors import BadRequest, NotFound
from core.file_store import gone
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import of, p, returning
from engine import files
from engine.costs.lists import CostLists
from engine.jobs import JobName, enqueue
from engine.provider_invoices.comparing import delete_lines
from resolvers.costs import label_of
from resolvers.imports.import_forms import list_options
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.provider_invoices import LONGEST_DAYS, MOST_INVOICES, NewProviderInvoice

_ROW: Final = models.ProviderInvoice
_LISTS: Final = Listing(_ROW, without=("options",))
_BY_ID: Final = of(_ROW, _ROW.id == p("id"))
_LOCK_ALL: Final = "SELECT pg_advisory_xact_lock(hashtextextended('provider_invoices', 0))"
_COUNT: Final = "SELECT count(*) FROM provider_invoices"
_ADD: Final = f"""
INSERT INTO provider_invoices AS made
  (id, owner_id, route, channel, file_uuid, period_from, period_to, currency, options)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb) RETURNING {returning(_ROW, "made")}
"""  # noqa: S608  our own column names
_LOCK: Final = "SELECT id FROM provider_invoices WHERE id = $1 FOR UPDATE"


@operation(Permission.users_admin, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.ProviderInvoice]:
    """Lists invoices of providers, newest first, for administrators."""
    return await _LISTS.page(op.db, page_args, where)


@operation(Permission.users_admin, "read")
async def get(op: Op, id: UUID) -> models.ProviderInvoice:
    """Returns an invoice of a provider with its sums, for administrators. Raises NotFound."""
    row: models.ProviderInvoice | None = await _BY_ID.first(op.db, id=id)
    if row is None:
        raise _unknown()
    return row


@operation(Permission.users_admin, "sql", idempotent=stored_model(models.ProviderInvoice))
async def create(op: Op, input: NewProviderInvoice) -> models.ProviderInvoice:
    """Accepts an invoice of a route's provider, and compares it in the background with what was sent, for
    administrators. Raises NotFound (file, route), BadRequest (`bad_period`, `too_many_invoices`), ValidationFailed.
    """
    db = op.connection
    if not timedelta() < input.period_to - input.period_from <= timedelta(days=LONGEST_DAYS):
        raise BadRequest(
            f"periodTo must be after periodFrom, and at most {LONGEST_DAYS} days later.", code="bad_period"
        )
    await db.execute(_LOCK_ALL)
    if await db.fetchval(_COUNT) >= MOST_INVOICES:
        raise BadRequest(
            f"There may be at most {MOST_INVOICES} invoices. Delete one.", code="too_many_invoices"
        )
    if await files.owned(db, op.viewer.id, input.file_uuid) is None:
        raise gone()
    route = await label_of(op, input.route)
    lists = await CostLists(op.services, db).read()
    currency = input.currency or lists.currency_within(route, input.period_from, input.period_to)
    mapping = input.mapping and input.mapping.model_dump(mode="json", by_alias=True)
    options = {
        **list_options(input),
        "mapping": mapping,
        "region": input.region or op.services.settings.default_region,
        "timezone": input.timezone,
    }
    row: Any = await db.fetchrow(
        _ADD, uuid7(), op.viewer.id, route, input.channel.value, input.file_uuid, input.period_from, input.period_to,
        currency, orjson.dumps(options).decode(),
    )  # fmt: skip
    await enqueue(db, JobName.compare_invoice, row["id"])
    made: models.ProviderInvoice = row
    return made


@operation(Permission.users_admin, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes an invoice of a provider with its differences, for administrators. Its file stays. Raises NotFound."""
    if await op.connection.fetchval(_LOCK, id) is None:
        raise _unknown()
    await delete_lines(op.connection, id)
    await op.connection.execute("DELETE FROM provider_invoices WHERE id = $1", id)


def _unknown() -> NotFound:
    return NotFound("There is no invoice with this id. Check the id.", code="provider_invoice_not_found")
