"""The legacy bridge through both doors, with an old service on loopback that records what it gets."""

import asyncio

import pytest

from core.legacy_bridge import LegacyBridge, LegacyLimits
from tests.legacy.upstream import Upstream, answer, upstream
from tests.support.people import Person
from tests.support.waits import PATIENCE

CALL = "mutation($input: LegacyCall!) { legacyCall(input: $input) { ok legacyStatus data warnings } }"


@pytest.fixture
async def old(app):
    """An old service, and the bridge to it."""
    async with upstream(answer(b'{"id": 7}')) as service:
        app.services.legacy = LegacyBridge(
            service.url,
            prefixes=["/v1"],
            limits=LegacyLimits(connect_timeout=PATIENCE, total_timeout=PATIENCE),
        )
        yield service
        await app.services.legacy.close()
        app.services.legacy = None


async def test_every_method_goes_through(ada: Person, old: Upstream):
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        await goes_through(ada, old, method)


async def goes_through(ada: Person, old: Upstream, method: str) -> None:
    body = b"" if method == "GET" else b'{"name": "Ada"}'
    got = await ada.rest(
        method,
        "/legacy/v1/customers/7?a=1&a=2&b=%2F",
        content=body,
        headers={
            "content-type": "application/json",
            "x-request-id": "abc",
            "x-other": "no",
            "idempotency-key": "k",
        },
    )
    assert got.status_code == 200
    assert got.json() == {"ok": True, "legacyStatus": 200, "data": {"id": 7}, "warnings": []}
    request = old.got[-1]
    assert (request.method, request.target, request.body) == (method, "/v1/customers/7?a=1&a=2&b=%2F", body)
    assert request.values("x-request-id") == ["abc"]
    assert request.values("idempotency-key") == ["k"]
    assert request.values("authorization") == request.values("x-other") == []


async def test_our_request_id_goes_along(ada: Person, old: Upstream):
    got = await ada.rest("GET", "/legacy/v1/x")
    assert old.got[0].values("x-request-id") == [got.headers["x-request-id"]]


async def test_any_answer_is_a_200(ada: Person, old: Upstream):
    for status in ("201 Created", "204 No Content", "302 Found", "404 Not Found", "500 Oops"):
        code = int(status[:3])
        body = b"" if code == 204 else b'{"a": 1}'
        old.reply = answer(body, "location: http://elsewhere/", status=status)
        got = await ada.rest("GET", "/legacy/v1/x")
        assert got.status_code == 200
        assert (got.json()["ok"], got.json()["legacyStatus"]) == (code < 300, code)
        assert await ada.data(CALL, {"input": {"path": "/v1/x"}}) == {"legacyCall": got.json()}
    assert len(old.got) == 10  # no redirect was followed


async def test_data_that_is_deep_or_no_json(ada: Person, old: Upstream):
    old.reply = answer(b"[" * 90 + b"]" * 90)
    assert (await ada.rest("GET", "/legacy/v1/x")).json()["warnings"] == []
    old.reply = answer(b"<h1>hello</h1>", type="text/html")
    got = (await ada.rest("GET", "/legacy/v1/x")).json()
    assert got["data"] == "<h1>hello</h1>" and len(got["warnings"]) == 1


async def test_paths_that_are_refused(ada: Person, old: Upstream):
    """The paths are sent as they are written: nothing between here and the bridge may decode or fold them."""
    for path in (
        b"/legacy/v2/x", b"/legacy/", b"/legacy/v1/%2e%2e/x", b"/legacy/v1/%2E./x", b"/legacy/v1%2f..%2fx",
        b"/legacy//v1/x", b"/legacy/v1/%252e%252e/x", b"/legacy/v1/%5c..", b"/legacy/v1//x", b"/legacy/v1/%ff",
        b"/legacy%2fv1/x", b"/legacy%2fv1", b"/legacy/http://evil/",
    ):  # fmt: skip
        got = await raw(ada, path)
        assert (got["status"], got["code"]) == (400, "legacy_path_refused"), path
    assert old.got == []


async def raw(person: Person, path: bytes) -> dict:
    """A GET with exactly this path, past any client that would tidy it up."""
    from urllib.parse import unquote

    import orjson

    sent: list = []
    headers = [(b"host", b"postern.test"), (b"authorization", person.headers["Authorization"].encode())]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
        "path": unquote(path.decode()), "raw_path": path, "query_string": b"", "root_path": "", "headers": headers,
        "client": ("127.0.0.1", 1), "server": ("postern.test", 80),
    }  # fmt: skip

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    await person.client._transport.app(scope, receive, send)
    body = orjson.loads(b"".join(part.get("body", b"") for part in sent[1:]))
    return {"status": sent[0]["status"], "code": body.get("code"), "body": body}


async def test_the_encoded_path_goes_on_as_it_came(ada: Person, old: Upstream):
    assert (await raw(ada, b"/%6Cegacy/v1/a%20b/%C3%A9;x=1"))["status"] == 200
    assert old.targets == ["/v1/a%20b/%C3%A9;x=1"]


async def test_graphql(ada: Person, old: Upstream):
    call = {
        "method": "POST",
        "path": "/v1/a%20b",
        "query": "x=%2F",
        "body": {"name": "Ada"},
        "headers": [
            {"name": "Accept-Language", "value": "de"},
            {"name": "Authorization", "value": "Bearer x"},
        ],
    }
    expected = {"ok": True, "legacyStatus": 200, "data": {"id": 7}, "warnings": []}
    assert await ada.data(CALL, {"input": call}) == {"legacyCall": expected}
    (request,) = old.got
    assert (request.method, request.target, request.body) == ("POST", "/v1/a%20b?x=%2F", b'{"name":"Ada"}')
    assert request.values("content-type") == request.values("accept") == ["application/json"]
    assert request.values("accept-language") == ["de"]
    assert request.values("authorization") == []
    assert await ada.code(CALL, {"input": {"path": "/v1/../x"}}) == "legacy_path_refused"
    assert (
        await ada.code(CALL, {"input": {"path": "/v1", "headers": [{"name": "a\nb", "value": ""}]}})
        == "validation_failed"
    )
    assert old.got[1:] == []


async def test_unreachable_and_slow(ada: Person, old: Upstream, app):
    async def never(writer):
        await asyncio.sleep(2 * PATIENCE)

    old.reply = never
    app.services.legacy._total_timeout = 0.5
    slow = await ada.rest("GET", "/legacy/v1/x")
    assert (slow.status_code, slow.json()["code"], slow.json()["error"]) == (
        504,
        "legacy_timeout",
        "Gateway Timeout",
    )
    assert await ada.code(CALL, {"input": {"path": "/v1/x"}}) == "legacy_timeout"
    app.services.legacy = LegacyBridge("http://127.0.0.1:1", prefixes=["/v1"])
    gone = await ada.rest("GET", "/legacy/v1/x")
    assert (gone.status_code, gone.json()["code"], gone.json()["error"]) == (
        502,
        "legacy_unavailable",
        "Bad Gateway",
    )
    assert await ada.code(CALL, {"input": {"path": "/v1/x"}}) == "legacy_unavailable"


async def test_not_configured(ada: Person, client):
    got = await ada.rest("GET", "/legacy/v1/x")
    assert (got.status_code, got.json()["code"]) == (503, "legacy_not_configured")
    assert "POSTERN_LEGACY_URL" in got.json()["message"]
    assert await ada.code(CALL, {"input": {"path": "/v1/x"}}) == "legacy_not_configured"
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        assert (await client.request(method, "/legacy/v1/x")).status_code == 401
    assert (await ada.rest("OPTIONS", "/legacy/v1/x")).status_code == 405


def test_openapi_says_all_of_it(app):
    document = app.api.openapi()
    operations = document["paths"]["/legacy/{path}"]
    assert set(operations) == {"get", "post", "put", "patch", "delete"}
    for method, operation in operations.items():
        assert operation["x-postern-extension"] and operation["security"] == [{"bearer": []}]
        assert {"200", "400", "401", "502", "503", "504"} <= set(operation["responses"])
        assert ("requestBody" in operation) == (method != "get")
    ids = [operation["operationId"] for item in document["paths"].values() for operation in item.values()]
    assert len(ids) == len(set(ids))
    for path in ("/storage", "/storage/{key}"):
        assert all(operation["x-postern-extension"] for operation in document["paths"][path].values())
    for path in (
        "/settings",
        "/settings/{key}",
        "/common/countries",
        "/common/currencies",
        "/common/timezones",
    ):
        assert all("x-postern-extension" not in operation for operation in document["paths"][path].values())
    assert document["paths"]["/common/countries"]["get"]["security"] == []
