"""The straight way to a route answers what FastAPI's way answers, whatever the route raises."""

import asyncio
from typing import Any

import orjson
import pytest
from fastapi import APIRouter, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from core.errors import NotFound, RateLimited, ValidationFailed
from core.http.bodies import TooBig, read_body
from postern.app import doors
from postern.middleware import RequestMiddleware
from runtime.fast.router import FastRoute, FastRouter

RAISED = {
    "one of ours": NotFound("There is no such thing.", code="thing_not_found"),
    "with headers": RateLimited("Too many.", details={"retryAfter": 3}),
    "rules": ValidationFailed(["name: too long"]),
    "a subclass of the framework's": TooBig(10),
    "the framework's": HTTPException(418),
    "a client that left": ClientDisconnect(),
    "a bug": ZeroDivisionError("division by zero"),
}


def _api(raised: Exception, *, begin: bool = False) -> Any:
    router = APIRouter(route_class=FastRoute)

    @router.get("/thing")
    async def thing() -> Response:
        raise raised

    async def short(scope: Any, receive: Any, send: Any) -> None:
        if begin:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise raised

    (route,) = router.routes
    assert isinstance(route, FastRoute)
    route.fast = short
    api = doors(explorable=False)
    api.router.routes += router.routes
    return api


async def _run(app: Any) -> tuple[list[dict[str, Any]], str]:
    """Returns what the application sends, and the class of what it raises."""
    sent: list[dict[str, Any]] = []
    scope: dict[str, Any] = {
        "type": "http", "method": "GET", "path": "/thing", "raw_path": b"/thing", "query_string": b"",
        "root_path": "", "headers": [], "scheme": "http", "server": ("x", 80),
        "postern": {"request_id": "x", "headers": {}, "user_id": None},
    }  # fmt: skip

    async def send(message: dict[str, Any]) -> None:
        if "status" in message:
            scope["postern"]["status"] = message["status"]  # as postern/middleware.py does
        sent.append(message)

    try:
        await app(scope, None, send)
    except Exception as error:
        return sent, type(error).__name__
    return sent, ""


def _normalized(sent: list[dict[str, Any]]) -> Any:
    body = orjson.loads(sent[1].pop("body") or b"{}")
    body.pop("timestamp", None)
    sent[0]["headers"] = sorted(pair for pair in sent[0]["headers"] if pair[0] != b"content-length")
    return body, sent


@pytest.mark.parametrize("what", RAISED)
async def test_what_is_raised_is_answered_alike(what):
    straight, raised = await _run(FastRouter(_api(RAISED[what])))
    around, also = await _run(_api(RAISED[what]))
    assert _normalized(straight) == _normalized(around)
    assert raised == also == ("ZeroDivisionError" if what == "a bug" else "")


@pytest.mark.parametrize("what", ["one of ours", "a bug"])
async def test_an_answer_that_has_begun_is_not_begun_again(what):
    sent, raised = await _run(FastRouter(_api(RAISED[what], begin=True)))
    assert [message["type"] for message in sent] == ["http.response.start"]
    assert raised == type(RAISED[what]).__name__


async def test_a_method_that_nobody_takes_is_405(client):
    answer = await client.delete("/graphql")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, POST"
    assert answer.json()["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    "messages",
    [
        [{"body": b"all of it"}],
        [{"body": b"all ", "more_body": True}, {"more_body": True}, {"body": b"of it", "more_body": False}],
        [{"body": b"all of it", "more_body": True}, {}],
    ],
)
async def test_a_body_is_read_to_its_end(messages):
    left = [{"type": "http.request", **message} for message in messages]

    async def receive() -> dict[str, Any]:
        return left.pop(0)

    assert await read_body(receive) == b"all of it"
    assert not left


async def test_half_a_body_is_none():
    left = [{"type": "http.request", "body": b"all", "more_body": True}, {"type": "http.disconnect"}]

    async def receive() -> dict[str, Any]:
        return left.pop(0)

    with pytest.raises(ClientDisconnect):
        await read_body(receive)


async def test_large_bodies_begin_in_different_rounds_of_the_event_loop() -> None:
    rounds, began = 0, list[int]()

    async def count() -> None:
        nonlocal rounds
        while True:
            rounds += 1
            await asyncio.sleep(0)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await read_body(receive)
        began.append(rounds)

    async def request(size: int) -> None:
        messages = [{"type": "http.request", "body": b"x" * size}]
        scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": []}

        async def receive() -> dict[str, Any]:
            return messages.pop(0)

        async def send(_: Any) -> None: ...

        await middleware(scope, receive, send)

    middleware = RequestMiddleware(app, max_body_bytes=1_000_000)
    counting = asyncio.ensure_future(count())
    for size, different in ((100_000, 20), (1_000, 1)):
        began.clear()
        await asyncio.gather(*(request(size) for _ in range(20)))
        assert len({*began}) == different
    counting.cancel()
