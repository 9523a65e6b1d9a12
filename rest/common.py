"""Routes under /common (specification §4). They need no credential, and caches may store their responses."""

from typing import Annotated, Any

from fastapi import Header, Request

from resolvers import common
from rest.frame.caching import CACHEABLE, cacheable
from rest.frame.errors import errors
from rest.frame.routing import router
from runtime.context import Ctx
from shapes.common import Country, Currency

api = router("common", "Countries, time zones and currencies.", prefix="/common")
Language = Annotated[
    str | None,
    Header(
        alias="Accept-Language",
        description="language of the names; default: English",
        examples=["de-CH, fr;q=0.8"],
    ),
]


@api.get("/countries", response_model=list[Country], responses={**CACHEABLE, **errors(400)})
async def list_countries(ctx: Ctx, request: Request, language: Language = None) -> Any:
    return cacheable(request, await common.countries(ctx, language), vary="Accept-Language")


@api.get("/timezones", response_model=list[str], responses={**CACHEABLE, **errors(400)})
async def list_timezones(ctx: Ctx, request: Request) -> Any:
    return cacheable(request, await common.timezones(ctx))


@api.get("/currencies", response_model=list[Currency], responses={**CACHEABLE, **errors(400)})
async def list_currencies(ctx: Ctx, request: Request, language: Language = None) -> Any:
    return cacheable(request, await common.currencies(ctx, language), vary="Accept-Language")
