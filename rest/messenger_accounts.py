"""Messenger accounts at the vendor's paths (contract §4, area C), and under /messenger-accounts what it lacks."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from engine.messengers.states import step
from resolvers import messenger_accounts
from resolvers.messenger_accounts.account_rows import state_of
from rest.frame.errors import errors
from rest.frame.routing import BEARER, IDEMPOTENT, router
from rest.frame.vendor import check_state, vendor
from runtime.context import Ctx
from shapes.messenger_accounts import EnabledDriver, MessengerAccountsSummary, MessengerSource
from shapes.messenger_calls import (
    AccountAnswer,
    AccountInfo,
    AddAccount,
    GetInfo,
    GetInfoByToken,
    InfoAnswer,
    InfosAnswer,
    MeAnswer,
    ProxyAnswer,
    SetState,
    UpdateAccount,
)
from shapes.vendor import Answer, Call

api = vendor("messenger accounts", "Telegram and WhatsApp accounts: add, start and stop them.")
extension = router("messenger accounts", prefix="/messenger-accounts", extension=True)


@api.post("/addAccount", response_model=AccountAnswer, openapi_extra=IDEMPOTENT)
async def add(ctx: Ctx, body: AddAccount) -> Any:
    """Adds a messenger account. It is connected only after setState."""
    return {"account": _info(await messenger_accounts.add(ctx, body))}


@api.post("/updateAccount", response_model=AccountAnswer)
async def update(ctx: Ctx, body: UpdateAccount) -> Any:
    return {"account": _info(await messenger_accounts.update(ctx, body, body))}


@api.post("/deleteAccount", response_model=Answer)
async def delete(ctx: Ctx, body: Call) -> Any:
    return await messenger_accounts.delete(ctx, body)


@api.post("/setState", response_model=Answer)
async def set_state(ctx: Ctx, body: SetState) -> Any:
    """Switches an account on or off. The call succeeds when the account works or is stopped; otherwise the error names
    the next login step. It waits up to 25 seconds. Repeating it is not an error.
    """
    return _check_state(
        await messenger_accounts.set_state(ctx, body, body.set_state), switched_on=body.set_state
    )


@api.post("/forceStop", response_model=Answer)
async def force_stop(ctx: Ctx, body: Call) -> Any:
    return _check_state(await messenger_accounts.stop(ctx, body), switched_on=False)


@api.post("/clearSession", response_model=Answer)
async def clear_session(ctx: Ctx, body: Call) -> Any:
    return _check_state(await messenger_accounts.clear(ctx, body), switched_on=False)


@api.post("/getInfo", response_model=InfoAnswer)
async def get_info(ctx: Ctx, body: GetInfo) -> Any:
    """Returns the state of an account and the reason for it. The messenger is queried first, unless details are
    skipped.
    """
    return _info(await messenger_accounts.get(ctx, body, not body.skip_details))


@api.post("/getInfoByToken", response_model=InfosAnswer)
async def get_info_by_token(ctx: Ctx, body: GetInfoByToken) -> Any:
    listing = await messenger_accounts.everything(ctx, body.source)
    return {"clients": [_info(account) for account in listing.accounts], "summary": listing.summary}


@api.post("/getMe", response_model=MeAnswer)
async def get_me(ctx: Ctx, body: Call) -> Any:
    return {"me": await messenger_accounts.me(ctx, body)}


@api.post("/getNewProxy", response_model=ProxyAnswer)
async def get_new_proxy(ctx: Ctx, body: Call) -> Any:
    return {"proxy": (await messenger_accounts.renew_proxy(ctx, body)).proxy_shown}


def _check_state(account: Any, *, switched_on: bool) -> None:
    return check_state(state_of(account), account, switched_on=switched_on)


def _info(account: Any) -> dict[str, Any]:
    """Returns a row with the vendor's field names."""
    state = state_of(account)
    return {
        "account_uuid": account.id,
        "login": account.login,
        "source": account.source,
        "name": account.name,
        "driver": account.driver,
        "activated": account.activated,
        "state": account.wanted,
        "account_state": state,
        "step": step(state),
        "connected_phone": account.connected_phone,
        "webhook_urls": account.webhook_urls,
        "checked_at": account.checked_at,
        "proxy": account.proxy_shown,
        "until": account.until,
        "reason": account.reason,
        "reason_code": account.reason_code,
        "restriction": account.restriction,
        "restriction_reason": account.restriction_reason,
        "restricted_at": account.restricted_at,
        "restricted_until": account.restricted_until,
    }


@extension.get(
    "/drivers", response_model=list[EnabledDriver], responses=errors(401, 503), openapi_extra={**BEARER}
)
async def list_drivers(ctx: Ctx) -> Any:
    return await messenger_accounts.drivers(ctx)


@extension.get(
    "/summary",
    response_model=MessengerAccountsSummary,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def get_summary(ctx: Ctx, source: MessengerSource | None = None) -> Any:
    return await messenger_accounts.summary(ctx, source)


@extension.post(
    "/{accountUuid}/lift-restriction",
    response_model=AccountInfo,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def lift_restriction(
    ctx: Ctx, id: Annotated[UUID, Path(alias="accountUuid", description="uuid of the messenger account")]
) -> Any:
    return AccountInfo.model_validate(_info(await messenger_accounts.lift_restriction(ctx, id)))
