"""The short way through a route against the long one: same answers, same refusals."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, get_args, get_origin
from uuid import UUID

import orjson
import pytest
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute, request_response
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AwareDatetime, TypeAdapter

import rest
from core.json_text import dumps_row
from rest.frame.errors import sentences
from rest.frame.routing import Route
from rest.frame.vendor import VendorRoute
from runtime.fast.endpoints import fast_endpoint
from runtime.fast.row_writer import converter_of
from runtime.viewers import Viewer
from shapes.page import Page, Rows
from shapes.shape import Shape
from shapes.users import Role
from tests.support.examples import examples


def _routes() -> Iterator[Route]:
    for route in rest.ROUTES:
        if isinstance(route, Route) and not isinstance(route, VendorRoute):  # Area C has a way of its own
            yield route


SHORT = [route for route in _routes() if fast_endpoint(route) is not None]
# They hold what was put in, whose own rules a random value breaks.
_CHECKED = ("RepeatableSendingProject",)
SHAPES = sorted(
    {
        route.response_model
        for route in SHORT
        if route.response_model is not None
        and not any(name in str(route.response_model) for name in _CHECKED)
    },
    key=str,
)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class _Thing:
    """Has a shape's attributes, as what a resolver may return in a row's place."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def _value(kind: Any) -> st.SearchStrategy[Any]:
    if get_origin(kind) is not None and type(None) in get_args(kind):
        return st.one_of(st.none(), *(_value(part) for part in get_args(kind) if part is not type(None)))
    if get_origin(kind) is Annotated:
        return _value(get_args(kind)[0])
    if get_origin(kind) is dict:
        names = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5)
        return st.dictionaries(names, _value(get_args(kind)[1]), max_size=3)  # as jsonb can hold it
    if get_origin(kind) is list:
        return st.lists(_value(get_args(kind)[0]), max_size=3)
    if isinstance(kind, type) and issubclass(kind, Shape):
        return _things(kind)
    if kind is UUID:
        return st.uuids()
    if kind in (datetime, AwareDatetime):
        return st.integers(0, 4 * 10**15).map(lambda micros: _EPOCH + timedelta(microseconds=micros))
    if kind is Decimal:
        return st.decimals(0, 10**9, places=6, allow_nan=False)
    if kind is bool:
        return st.booleans()
    if kind is float:
        return st.integers(0, 2**53).map(float)
    if kind is int:
        return st.integers(0, 2**53)
    if isinstance(kind, type) and issubclass(kind, str) and kind is not str:
        return st.sampled_from([member.value for member in kind])
    if kind is str:
        return st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    return st.sampled_from([None, 1, "x", {"a": [1, None]}, [True]])


def _things(shape: type[Shape]) -> st.SearchStrategy[_Thing]:
    return st.builds(_Thing, **{name: _value(_bare(field)) for name, field in shape.model_fields.items()})


def _bare(field: Any) -> Any:
    kind = field.annotation
    return datetime if "AwareDatetime" in str(kind) and type(None) not in get_args(kind) else kind


@pytest.mark.rotating
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@settings(max_examples=examples(10), deadline=None)
@given(data=st.data())
def test_what_is_written_is_what_pydantic_would_write(shape: Any, data: st.DataObject):
    write = converter_of(shape)
    assert write is not None
    origin = shape.__pydantic_generic_metadata__["origin"]
    if origin is Page:
        (item,) = shape.__pydantic_generic_metadata__["args"]
        answer: Any = Rows(data.draw(st.lists(_things(item), max_size=3)), 2, 10, 37)
    else:
        answer = data.draw(_things(shape))
    adapter = TypeAdapter(shape)
    theirs = adapter.dump_json(adapter.validate_python(answer, from_attributes=True), by_alias=True)
    assert orjson.loads(dumps_row(write(answer))) == orjson.loads(theirs)
    assert list(orjson.loads(dumps_row(write(answer)))) == list(orjson.loads(theirs))


BODIES = [
    b"",
    b"{}",
    b"[]",
    b"null",
    b'"x"',
    b"{",
    b'{"nope": 1}',
    b'{"to": 1}',
    b'{"email": "x", "password": ""}',
]
QUERIES = [
    b"",
    b"page=0",
    b"page=x&limit=101",
    b"page=1&page=2",
    b"status=none&channel=fax&accountId=7",
    b"q=%00",
]


async def _identify(_: Any) -> Any:
    return Viewer(UUID(int=1), frozenset({Role.admin.value, Role.user.value}))


_SERVICES = _Thing(viewers=_Thing(identify=_identify))
"""The caller may do everything, as others are refused before the rules; operations lack all else and fail."""


async def _refusal(app: Any, route: APIRoute, query: bytes, body: bytes, kind: str) -> list[str] | None:
    """The rules that were broken, or None when the request got through to the operation."""
    path = dict.fromkeys(route.param_convertors, "no-uuid")
    scope = {
        "type": "http", "method": "POST", "path": route.path, "path_params": path, "query_string": query,
        "headers": [(b"content-type", kind.encode())], "app": _Thing(state=_Thing(services=_SERVICES)),
        "postern": {"request_id": "x", "headers": {}, "user_id": None}, "extensions": {}, "root_path": "",
    }  # fmt: skip

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(_: Any) -> None: ...

    try:
        from contextlib import AsyncExitStack

        async with AsyncExitStack() as stack:
            scope["fastapi_middleware_astack"] = stack
            await app(scope, receive, send)
    except RequestValidationError as error:
        return sorted(sentences(error.errors()))
    except Exception:
        return None
    return None


@pytest.mark.rotating
@pytest.mark.parametrize("route", SHORT, ids=lambda route: f"{min(route.methods)} {route.path}")
async def test_what_is_refused_is_what_fastapi_would_refuse(route: APIRoute):
    long = request_response(route.get_route_handler())
    refused = 0
    for kind in ("application/json", "text/plain"):
        for query in QUERIES:
            for body in BODIES:
                ours = await _refusal(fast_endpoint(route), route, query, body, kind)
                theirs = await _refusal(long, route, query, body, kind)
                assert ours == theirs, (kind, query, body)
                refused += ours is not None
    takes = route.dependant
    assert refused or not (
        takes.body_params or any("UUID" in str(p.field_info.annotation) for p in takes.path_params)
    )


def test_most_routes_go_the_short_way():
    assert len(SHORT) >= 25
