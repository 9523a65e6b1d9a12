"""Routes under /accounts (specification §4)."""

from typing import Any
from uuid import UUID

from resolvers import accounts
from rest.frame.errors import errors
from rest.frame.routing import BEARER, IDEMPOTENT, Limit, Page, router
from runtime.context import Ctx
from shapes import page as pages
from shapes.accounts import Account, AccountLowBalance, AccountPatch, Balance, LowBalanceInput, NewAccount

api = router("accounts", prefix="/accounts")
extension = router("accounts", prefix="/accounts")


@api.get("", response_model=pages.Page[Account], responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def list(ctx: Ctx, page: Page = 1, limit: Limit = 20) -> Any:
    """Lists your accounts; administrators get all accounts."""
    return await accounts.list(ctx, page, limit)


@api.post(
    "",
    status_code=201,
    response_model=Account,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewAccount) -> Any:
    """Opens an account with a balance of zero."""
    return await accounts.create(ctx, body)


@api.get("/{id}", response_model=Account, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx, id: UUID) -> Any:
    """Returns one account."""
    return await accounts.get(ctx, id)


@api.patch(
    "/{id}", response_model=Account, responses=errors(400, 401, 403, 404, 409, 503), openapi_extra={**BEARER}
)
async def update(ctx: Ctx, id: UUID, body: AccountPatch | None = None) -> Any:
    """Changes name, plan or (before the first entry) currency."""
    return await accounts.update(ctx, id, body or AccountPatch())


@api.get(
    "/{id}/balance", response_model=Balance, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def balance(ctx: Ctx, id: UUID) -> Any:
    """Returns the amount left to spend."""
    return await accounts.balance(ctx, id)


@extension.put(
    "/{id}/low-balance",
    response_model=AccountLowBalance,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def set_low_balance(ctx: Ctx, id: UUID, body: LowBalanceInput) -> Any:
    """Sets the balance below which an account is low: an event `account.low` says when it falls below it. null: none.
    Postern's own route.
    """
    account = await accounts.set_low_balance(ctx, id, body.below)
    return AccountLowBalance(account_id=account.id, below=account.low_balance)
