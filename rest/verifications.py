"""Routes /verifications. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from db.lists import Conditions, PageArgs
from resolvers import verifications
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.page import PageByCursor
from shapes.pumping import (
    MOST_HOURS,
    SetVerificationProtection,
    SuspectedGroup,
    SuspectedGroupWhere,
    VerificationProtection,
    VerificationReport,
)
from shapes.verifications import (
    CheckCode,
    CheckedCode,
    StartedVerification,
    StartVerification,
    Verification,
    VerificationWhere,
)

api = router(
    "verifications",
    "Codes by which people prove that an address is theirs.",
    prefix="/verifications",
    extension=True,
)
VerificationId = Annotated[UUID, Path(alias="verificationId", description="id of the verification")]
GroupId = Annotated[UUID, Path(alias="groupId", description="id of the suspected group")]
Hours = Annotated[int, Query(ge=1, le=MOST_HOURS, description="length of the report, up to now")]


@api.get(
    "", response_model=PageByCursor[Verification], responses=errors(400, 401, 503), openapi_extra={**BEARER}
)
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(VerificationWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await verifications.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=202,
    response_model=StartedVerification,
    responses=errors(400, 401, 402, 403, 404, 409, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def start(ctx: Ctx, body: StartVerification) -> Any:
    return await verifications.start(ctx, body)


@api.get(
    "/protection", response_model=VerificationProtection, responses=errors(401, 503), openapi_extra={**BEARER}
)
async def protection(ctx: Ctx) -> Any:
    return await verifications.protection(ctx)


@api.put(
    "/protection",
    response_model=VerificationProtection,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def set_protection(ctx: Ctx, body: SetVerificationProtection) -> Any:
    return await verifications.set_protection(ctx, body)


@api.get(
    "/suspected",
    response_model=PageByCursor[SuspectedGroup],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def suspected(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(SuspectedGroupWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await verifications.suspected(ctx, PageArgs(first=limit, after=after), where)


@api.get(
    "/suspected/{groupId}",
    response_model=SuspectedGroup,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def suspected_group(ctx: Ctx, id: GroupId) -> Any:
    return await verifications.suspected_group(ctx, id)


@api.get(
    "/report", response_model=VerificationReport, responses=errors(400, 401, 503), openapi_extra={**BEARER}
)
async def report(ctx: Ctx, hours: Hours = 24) -> Any:
    return await verifications.report(ctx, hours)


@api.get(
    "/{verificationId}",
    response_model=Verification,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: VerificationId) -> Any:
    return await verifications.get(ctx, id)


@api.post(
    "/{verificationId}/check",
    response_model=CheckedCode,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def check(ctx: Ctx, id: VerificationId, body: CheckCode) -> Any:
    return await verifications.check(ctx, id, body)


@api.post(
    "/{verificationId}/resend",
    status_code=202,
    response_model=StartedVerification,
    responses=errors(400, 401, 402, 403, 404, 409, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def resend(ctx: Ctx, id: VerificationId) -> Any:
    return await verifications.resend(ctx, id)


@api.post(
    "/{verificationId}/cancel",
    response_model=Verification,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def cancel(ctx: Ctx, id: VerificationId) -> Any:
    return await verifications.cancel(ctx, id)
