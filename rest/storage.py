"""Routes under /storage: key-value storage. The routes are Postern's own, the value is the specification's (§2)."""

from typing import Annotated, Any

from fastapi import Path, Query
from starlette.convertors import PathConvertor, register_url_convertor

from resolvers import storage
from rest.frame.errors import errors
from rest.frame.routing import BEARER, Limit, Page, router
from runtime.context import Ctx
from runtime.texts import text
from shapes import page as pages
from shapes.storage import Key, NewStorageValue, Prefix, StorageValue


class _Anything(PathConvertor):
    """Matches line breaks, too. Starlette's `path` stops at them, so `a%0A` would be taken for `a`."""

    regex = "(?s:.*)"


register_url_convertor("anything", _Anything())
api = router("storage", "Key-value storage.", prefix="/storage", extension=True)
PathKey = Annotated[Key, Path()]
Beginning = Annotated[
    Prefix, Query(description="only keys that start with this text; there are no wildcards")
]


@api.get(
    "",
    description=text(storage.page),
    response_model=pages.Page[StorageValue],
    responses=errors(400, 401, 413, 503),
    openapi_extra={**BEARER},
)
async def list(ctx: Ctx, prefix: Beginning = "", page: Page = 1, limit: Limit = 20) -> Any:
    return await storage.list(ctx, prefix, page, limit)


@api.get(
    "/{key:anything}",
    response_model=StorageValue,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, key: PathKey) -> Any:
    return await storage.get(ctx, key)


@api.put(
    "/{key:anything}",
    response_model=StorageValue,
    responses=errors(400, 401, 413, 503),
    openapi_extra={**BEARER},
)
async def put(ctx: Ctx, key: PathKey, body: NewStorageValue) -> Any:
    return await storage.put(ctx, key, body.value, body.ttl_seconds)


@api.delete("/{key:anything}", status_code=204, responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def delete(ctx: Ctx, key: PathKey) -> None:
    return await storage.delete(ctx, key)
