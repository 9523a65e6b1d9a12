"""Routes under /accounts (specification §4); credits and the ledger are extensions."""

from typing import Annotated, Any
from uuid import UUID

from db.lists import Conditions, PageArgs
from resolvers import accounts
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, EXTENSION, IDEMPOTENT, After, Limit, Page, router
from runtime.context import Ctx, OwnerCtx
from runtime.texts import text
from shapes import page as pages
from shapes.accounts import (
    Account,
    AccountLowBalance,
    AccountPatch,
    Balance,
    Credit,
    CreditInput,
    LedgerEntry,
    LedgerWhere,
    LowBalanceInput,
    NewAccount,
)
from shapes.page import PageByCursor

api = router("accounts", "Accounts and their balances, from which messages are paid.", prefix="/accounts")
records = router("accounts", prefix="/ledger", extension=True)


@api.get(
    "",
    description=text(accounts.page),
    response_model=pages.Page[Account],
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def list(ctx: OwnerCtx, page: Page = 1, limit: Limit = 20) -> Any:
    return await accounts.list(ctx, page, limit)


@api.post(
    "",
    status_code=201,
    response_model=Account,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewAccount) -> Any:
    return await accounts.create(ctx, body)


@api.get("/{id}", response_model=Account, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx, id: UUID) -> Any:
    return await accounts.get(ctx, id)


@api.patch(
    "/{id}", response_model=Account, responses=errors(400, 401, 403, 404, 409, 503), openapi_extra={**BEARER}
)
async def update(ctx: Ctx, id: UUID, body: AccountPatch | None = None) -> Any:
    return await accounts.update(ctx, id, body or AccountPatch())


@api.get(
    "/{id}/balance", response_model=Balance, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def get_balance(ctx: Ctx, id: UUID) -> Any:
    return await accounts.balance(ctx, id)


@api.put(
    "/{id}/low-balance",
    response_model=AccountLowBalance,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def set_low_balance(ctx: Ctx, id: UUID, body: LowBalanceInput) -> Any:
    account = await accounts.set_low_balance(ctx, id, body.below)
    return AccountLowBalance(account_id=account.id, below=account.low_balance)


@api.post(
    "/{id}/credit",
    response_model=Account,
    responses=errors(400, 401, 403, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
    tags=EXTENSION,
)
async def credit(ctx: Ctx, id: UUID, body: CreditInput) -> Any:
    return await accounts.credit(ctx, Credit(account_id=id, amount=body.amount, note=body.note))


@api.get(
    "/{id}/ledger",
    response_model=PageByCursor[LedgerEntry],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def list_ledger(
    ctx: Ctx,
    id: UUID,
    where: Annotated[Conditions, filters_of(LedgerWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await accounts.ledger_of(ctx, id, PageArgs(first=limit, after=after), where)


@records.get(
    "/{id}", response_model=LedgerEntry, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def get_ledger_entry(ctx: Ctx, id: UUID) -> Any:
    return await accounts.entry(ctx, id)
