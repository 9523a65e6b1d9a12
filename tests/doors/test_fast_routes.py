"""Every route of both doors, with the fast route switched on and off: the same status, headers and body.

One user asks the application with `fast_routes`, another user the one without, on the same database. Each has rows of
every kind and sends the same requests in the same order, so only ids, times and tokens may differ.
"""

import re
from collections.abc import AsyncIterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import httpx
import orjson
import pytest
from fastapi.routing import APIRoute

from core.passwords import Passwords
from engine.messengers.host import hosting
from postern.app import doors, make_app
from runtime.fast.router import FastRoute, FastRouter
from tests.doors.case import UNKNOWN, Case
from tests.doors.matrix import MATRIX
from tests.doors.test_matrix import HOSTED, Doors, make_world, makers_of
from tests.support import servers
from tests.support.people import People, Person

pytestmark = pytest.mark.rotating

ROUTES = [
    route
    for route in doors(explorable=True).router.routes
    if isinstance(route, APIRoute) and route.path != "/graphql/stream"  # which does not end
]
PARTS = 4
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
JSON = {"content-type": "application/json"}
BODIES = (b"", b"{}", b"[]", b"null", b'"x"', b"{", b'{"nope": 1}', b'{"id": 1e400}', b'"\xff"', b"[" * 2000)
ENDING = ("logout", "change_password", "delete", "revoke")
"""Operations with one of these in their names come last: other operations of their feature fail after them."""
VALUED = (
    "content-type",
    "www-authenticate",
    "allow",
    "cache-control",
    "vary",
    "content-disposition",
    "accept-ranges",
)
"""Headers whose values must be the same; of all others, the names must be."""
CHANGING = [
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "<uuid>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?"), "<time>"),
    (re.compile(r'"qrPng":"[^"]+"'), '"qrPng":"<picture>"'),
    (re.compile(r"whsec_[A-Za-z0-9+/=]+"), "<token>"),
    (re.compile(r'"(hint|remaining)":("[^"]*"|\d+)'), r'"\1":<value>'),
    (re.compile(r'"latencyMs":[\d.]+'), '"latencyMs":<time>'),
    (re.compile(r'(?<="retryAfter":)\d+|(?<=again in )\d+(?= s)'), "<seconds>"),
    (re.compile(r'(content|nonce)="[\w-]{22}"'), r'\1="<nonce>"'),
    (re.compile(r'"bytes":\d+'), '"bytes":<count>'),  # cursors are not all of one length
    (re.compile(r"k=rsa; p=[A-Za-z0-9+/=]+"), "<key>"),
    (re.compile(r"postern-\d{8}-[a-z0-9]{4}"), "<selector>"),
    (re.compile(r"[A-Za-z0-9_.=-]{32,}"), "<token>"),
]


@pytest.fixture
async def plain(make_settings, app, request) -> AsyncIterator[People]:
    """Users of an application without the fast route, on the database of `app`."""
    mark = request.node.get_closest_marker("settings")
    made = make_app(make_settings(**(mark.kwargs if mark else {}), fast_routes=False))
    made.services.passwords = Passwords(memory_kib=64)
    servers.patient(made.services.store.client)
    async with made.api.router.lifespan_context(made.api):
        transport = httpx.ASGITransport(made, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://postern.test") as client:
            yield People(made.services, client)


def comparable(response: httpx.Response) -> tuple[int, set[str], dict[str, str], Any]:
    """Returns what must be the same: status, names of the headers, values of some, and the body with its keys in order.

    Of metrics it is their names, since the series depend on what was asked before.
    """
    headers = {name: response.headers[name] for name in VALUED if name in response.headers}
    try:
        body = orjson.dumps(_without_request(orjson.loads(response.content))).decode()
    except orjson.JSONDecodeError:
        body = response.text
    if headers.get("content-type", "").startswith("text/plain; version="):
        body = "\n".join(line for line in body.splitlines() if line.startswith("# TYPE "))
    body = body.replace("@example.org", "@example.com").replace("example-org", "example-com")
    for pattern, name in CHANGING:
        body = pattern.sub(name, body)
    return response.status_code, set(response.headers), headers, body


def _without_request(body: Any) -> Any:
    """Drops the path of an error, which has the ids of the request."""
    return {key: value for key, value in body.items() if key != "path"} if isinstance(body, dict) else body


def test_the_switch_switches(app, make_settings):
    def inner(application: Any) -> Any:
        while not isinstance(application, FastRouter) and application is not tested.api:
            application = getattr(application, "app", None) or application._app
        return application

    tested = app
    assert isinstance(inner(app._outermost), FastRouter)
    tested = make_app(make_settings(fast_routes=False))
    assert inner(tested._outermost) is tested.api


def test_most_routes_have_a_fast_handler():
    fast = [route for route in ROUTES if isinstance(route, FastRoute) and route.fast is not None]
    assert len(fast) > 0.6 * len(ROUTES)


@pytest.mark.settings(sandbox_moment=0.05, qr_attempts=1000)
@pytest.mark.parametrize("feature", sorted({name.split(".")[0] for name in MATRIX}))
async def test_good_requests_are_answered_alike(
    feature: str, services, people: People, plain: People, admin: Person, subtests
):
    async with hosting(services) if feature in HOSTED else nullcontext():
        names = [name for name in MATRIX if name.split(".")[0] == feature]
        cases = [MATRIX[name] for name in names]
        makers = makers_of(cases)
        worlds = [await make_world(users, admin, makers=makers) for users in (people, plain)]
        for name in sorted(names, key=lambda name: any(word in name for word in ENDING)):
            with subtests.test(name):
                answers = []
                for users, world, domain in zip((people, plain), worlds, ("com", "org"), strict=True):
                    case = _with_domain(MATRIX[name], domain)
                    token = {"public": None, "admin": admin.token}.get(case.kind, world.ada.token)
                    calls = Doors(users.client, case, world.rows, token)
                    rest = await calls.rest()
                    sent = await calls.graphql()
                    answers.append((rest and comparable(rest), sent and _shown(sent)))
                assert answers[0] == answers[1]


def _with_domain(case: Case, domain: str) -> Case:
    """Returns the case with addresses and names of its own, since an address is registered only once."""

    def changed(value: Any) -> Any:
        text, own = orjson.dumps(value), domain.encode()
        return orjson.loads(
            text.replace(b"@example.com", b"@example." + own).replace(b"example-com", b"example-" + own)
        )

    rest = case.rest and replace(case.rest, body=changed(case.rest.body))
    return replace(case, rest=rest, graphql=changed(case.graphql), variables=changed(case.variables))


def _shown(body: Any) -> str:
    return comparable(httpx.Response(200, content=orjson.dumps(body)))[3]


@pytest.mark.parametrize("part", range(PARTS))
async def test_bad_requests_are_answered_alike(part: int, people: People, plain: People, subtests):
    tokens, clients = [], [people.client, plain.client]
    for users in (people, plain):
        # An API token outlives a logout.
        made = await (await users.make(credit="10")).data('mutation{createApiToken(input:{name:"t"}){token}}')
        tokens.append(made["createApiToken"]["token"])
    for route in ROUTES[part::PARTS]:
        with subtests.test(f"{min(route.methods)} {route.path}"):
            for method, path, headers, body in _bad(route):
                answers = []
                for client, token in zip(clients, tokens, strict=True):
                    sent = {name: value.replace("TOKEN", token) for name, value in headers.items()}
                    answer = await client.request(method, path, headers=sent, content=body)
                    answers.append(comparable(answer))
                assert answers[0] == answers[1], (method, path, headers, body[:40])
                assert answers[0][0] < 500 or answers[0][0] in (501, 503)


def _bad(route: APIRoute) -> list[tuple[str, str, dict[str, str], bytes]]:
    """Requests, most of which the route refuses."""
    method = min(route.methods)
    path = re.sub(r"{[^}]*}", UNKNOWN, route.path)
    wrong = re.sub(r"{[^}]*}", "no-uuid", route.path)
    right = {"authorization": "Bearer TOKEN"}
    calls = [
        (method, path, {}, b""),
        (method, path, {"authorization": "Bearer x.y.z"}, b""),
        (method, path, {"authorization": "Basic eDp5"}, b""),
        (method, f"{path}?nope=1", right, b""),
        (method, f"{wrong}/", right, b""),
        ("OPTIONS", path, right, b""),
        ("HEAD", path, right, b""),
        *((other, wrong, right, b"") for other in METHODS if other not in route.methods),
    ]
    if not route.include_in_schema:  # a second path of a route that is asked by its first one
        return calls
    names = [field.alias for field in route.dependant.query_params]
    calls += [(method, f"{path}?{name}=%00", right, b"") for name in names]
    calls += [(method, f"{path}?{name}={name}&{name}=-1", right, b"") for name in names]
    if wrong != path:
        calls.append((method, wrong, right, b""))
    if method != "GET":
        bodies = [*BODIES, *_wrong_types(route)]
        calls += [(method, path, {**right, **JSON}, body) for body in bodies]
        calls += [
            (method, wrong, {**right, "content-type": "text/plain"}, b"{}"),
            (method, wrong, JSON, b"{}"),
        ]
    return calls


def _wrong_types(route: APIRoute) -> list[bytes]:
    """Bodies that have one field, with a value that no field takes."""
    if len(route.dependant.body_params) != 1:
        return []
    model: Any = route.dependant.body_params[0].field_info.annotation
    fields = getattr(model, "model_fields", {})
    return [orjson.dumps({field.alias or name: [[{}]]}) for name, field in fields.items()]
