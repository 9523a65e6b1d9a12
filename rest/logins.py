"""Logins of messenger accounts at the vendor's paths (contract §4, area C)."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query, Response

from resolvers import logins
from resolvers.messenger_accounts.waits import LoginCode
from rest.frame.vendor import vendor
from runtime.context import Ctx
from shapes.logins import AuthCodeAnswer, EnablePhoneAuth, QrAnswer, SolveChallenge, TwoFactorAuth
from shapes.messenger_accounts import Login, MessengerSource
from shapes.vendor import Answer, Call

api = vendor("messenger logins", "QR codes, login codes and passwords for logging in to a messenger.")

_PNG: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "the QR code as a PNG image",
        "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@api.post("/enablePhoneAuth", response_model=Answer)
async def enable_phone_auth(ctx: Ctx, body: EnablePhoneAuth) -> Any:
    """Makes the account log in with a code for this phone instead of a QR code, from its next start."""
    await logins.set_phone(ctx, body, body.phone)


@api.post("/disablePhoneAuth", response_model=Answer)
async def disable_phone_auth(ctx: Ctx, body: Call) -> Any:
    """Makes the account log in with a QR code, from its next start."""
    await logins.set_phone(ctx, body, None)


@api.post("/getAuthCode", response_model=AuthCodeAnswer)
async def get_auth_code(ctx: Ctx, body: Call) -> Any:
    code = await logins.pairing_code(ctx, body)
    return {"auth_code": code.value, "expires_at": code.expires_at}


@api.post("/getQr", response_model=QrAnswer)
async def get_qr(ctx: Ctx, body: Call) -> Any:
    qr = await logins.qr(ctx, body)
    return {"value": qr.value, "expires_at": qr.expires_at}


@api.get("/screenshot", response_class=Response, responses=_PNG)
async def get_screenshot(
    ctx: Ctx,
    source: Annotated[MessengerSource | None, Query(description="messenger of the account")] = None,
    login: Annotated[Login | None, Query()] = None,
    token: Annotated[
        str | None, Query(max_length=4096, description="an API token; prefer the Authorization header")
    ] = None,
    account: Annotated[UUID | None, Query(description="part of a signed link")] = None,
    expires: Annotated[int | None, Query(ge=0, le=2**53, description="part of a signed link")] = None,
    signature: Annotated[str | None, Query(max_length=64, description="part of a signed link")] = None,
) -> Response:
    return _picture(await logins.screenshot(ctx, source, login, account, expires, signature))


@api.post("/solveChallenge", response_model=Answer)
async def solve_challenge(ctx: Ctx, body: SolveChallenge) -> Any:
    """Submits the login code that the messenger has sent."""
    await logins.solve(ctx, body, body.code)


@api.post("/twoFactorAuth", response_model=Answer)
async def submit_two_factor_auth(ctx: Ctx, body: TwoFactorAuth) -> Any:
    """Submits the account's cloud password (two-step verification)."""
    await logins.give_password(ctx, body, body.code)


def _picture(qr: LoginCode) -> Response:
    """Returns the QR code. It may not be cached: as long as it is valid, it gives access to the account."""
    return Response(qr.png, media_type="image/png", headers={"Cache-Control": "no-store"})
