"""Routes under /auth/second-factors, and /auth/recovery-codes: extensions (contract §8.7)."""

from typing import Any
from uuid import UUID

from resolvers import second_factors
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.second_factors import (
    BegunTotp,
    NewTotp,
    RecoveryCodes,
    SecondFactorCheck,
    SecondFactorCode,
    SecondFactorProof,
    SecondFactors,
)

api = router("auth", prefix="/auth/second-factors", extension=True)
recovery = router("auth", prefix="/auth/recovery-codes", extension=True)


@api.get("", response_model=SecondFactors, responses=errors(401, 503), openapi_extra={**BEARER})
async def list_second_factors(ctx: Ctx) -> Any:
    return await second_factors.list(ctx)


@api.post(
    "/totp",
    status_code=201,
    response_model=BegunTotp,
    responses=errors(400, 401, 403, 409, 503),
    openapi_extra={**BEARER},
)
async def begin_totp(ctx: Ctx, body: NewTotp | None = None) -> Any:
    return await second_factors.begin_totp(ctx, body or NewTotp())


@api.post(
    "/{id}/confirm",
    response_model=RecoveryCodes,
    responses=errors(400, 401, 403, 404, 409, 429, 503),
    openapi_extra={**BEARER},
)
async def confirm_totp(ctx: Ctx, id: UUID, body: SecondFactorCode) -> Any:
    return await second_factors.confirm_totp(ctx, id, body)


@api.delete(
    "/{id}",
    status_code=204,
    responses=errors(400, 401, 403, 404, 409, 429, 503),
    openapi_extra={**BEARER},
)
async def remove_second_factor(ctx: Ctx, id: UUID, body: SecondFactorProof | None = None) -> None:
    return await second_factors.remove(ctx, id, body or SecondFactorProof())


@api.post(
    "/verify",
    response_model=SecondFactorCheck,
    responses=errors(400, 401, 403, 409, 429, 503),
    openapi_extra={**BEARER},
)
async def verify_second_factor(ctx: Ctx, body: SecondFactorCode) -> Any:
    return await second_factors.verify(ctx, body)


@recovery.post(
    "",
    response_model=RecoveryCodes,
    responses=errors(400, 401, 403, 409, 429, 503),
    openapi_extra={**BEARER},
)
async def new_recovery_codes(ctx: Ctx, body: SecondFactorProof | None = None) -> Any:
    return await second_factors.new_recovery_codes(ctx, body or SecondFactorProof())
