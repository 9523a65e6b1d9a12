"""Routes under /system: the installation, for administrators. Postern's own."""

import builtins
from typing import Annotated, Any

from fastapi import Path, Query

from resolvers import system
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.system import (
    DoctorReport,
    IpAllowlist,
    IpAllowlistLine,
    NewSystemRoute,
    SystemRoute,
    SystemRoutePatch,
)

api = router("system", "The installation, for administrators.", prefix="/system", extension=True)

Fresh = Annotated[
    bool, Query(description="true: check again, unless the last check ended within two seconds")
]
RouteName = Annotated[
    str, Path(alias="name", max_length=32, description="name of the route", examples=["sms-2"])
]
Address = Annotated[
    str | None, Query(max_length=200, description="only requests with exactly this `x-real-ip`")
]


@api.get(
    "/doctor", response_model=DoctorReport, responses=errors(400, 401, 403, 503), openapi_extra={**BEARER}
)
async def get_doctor(ctx: Ctx, fresh: Fresh = False) -> Any:
    return await system.doctor(ctx, fresh)


@api.get(
    "/routes",
    response_model=builtins.list[SystemRoute],
    responses=errors(400, 401, 403, 503),
    openapi_extra={**BEARER},
)
async def list_routes(ctx: Ctx) -> Any:
    return await system.routes(ctx)


@api.post(
    "/routes",
    status_code=201,
    response_model=SystemRoute,
    responses=errors(400, 401, 403, 409, 503),
    openapi_extra={**BEARER},
)
async def create_route(ctx: Ctx, body: NewSystemRoute) -> Any:
    return await system.create_route(ctx, body)


@api.patch(
    "/routes/{name}",
    response_model=SystemRoute,
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def set_route(ctx: Ctx, name: RouteName, body: SystemRoutePatch) -> Any:
    return await system.set_route(ctx, name, body)


@api.delete(
    "/routes/{name}",
    status_code=204,
    responses=errors(400, 401, 403, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def delete_route(ctx: Ctx, name: RouteName) -> None:
    return await system.delete_route(ctx, name)


@api.get(
    "/ip-allowlist",
    response_model=IpAllowlist,
    responses=errors(400, 401, 403, 503),
    openapi_extra={**BEARER},
)
async def get_ip_allowlist(ctx: Ctx) -> Any:
    return await system.ip_allowlist(ctx)


@api.get(
    "/ip-allowlist/lines",
    response_model=builtins.list[IpAllowlistLine],
    responses=errors(400, 401, 403, 503),
    openapi_extra={**BEARER},
)
async def list_ip_allowlist_lines(ctx: Ctx, address: Address = None) -> Any:
    return await system.ip_allowlist_lines(ctx, address)
