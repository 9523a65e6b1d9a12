"""The part of the Python SDK that is written by hand: retries, keys, errors, pages, webhooks. core.ts asks the same of
the TypeScript one.
"""

import asyncio
import base64
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import ModuleType
from typing import Any

import httpx
import pytest
from standardwebhooks import Webhook

from core.installation import ROOT
from tests.sdk.conftest import Sdk
from tests.support.waits import PATIENCE

SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
MESSAGE: dict[str, Any] = json.loads((ROOT / "openapi.json").read_text())["components"]["schemas"]["Message"]


@pytest.fixture(scope="module")
def package(python_sdk: Sdk) -> Iterator[ModuleType]:
    sys.path.insert(0, str(python_sdk.folder / "src"))
    import postern_sdk  # type: ignore[import-not-found]

    yield postern_sdk
    sys.path.remove(str(python_sdk.folder / "src"))


class Service:
    """Answers requests from a list; the last one for ever."""

    def __init__(self, *answers: httpx.Response | httpx.TransportError) -> None:
        self.answers, self.requests = [*answers], list[httpx.Request]()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def connect(package: ModuleType, service: Service, **options: Any) -> Any:
    quick = package.Retries(first_wait=0.001, **options)
    http = httpx.Client(transport=httpx.MockTransport(service))
    return package.Postern("http://postern.example/", "pst_x", owner="o", retries=quick, http=http)


def problem(status: int, code: str = "x", **headers: str) -> httpx.Response:
    return httpx.Response(
        status, json={"statusCode": status, "code": code, "message": "No."}, headers=headers
    )


OK = httpx.Response(200, json={"status": "ok"})
LOST = httpx.ReadError("lost")
REFUSED = httpx.ConnectError("refused")
SENT_AGAIN = [
    # what comes first, a read, a POST with a key, a POST without one
    (problem(429), True, True, True),
    (problem(503), True, True, False),
    (problem(502), True, True, False),
    (problem(504, "uncertain"), True, True, False),
    (problem(500), False, False, False),
    (problem(400), False, False, False),
    (problem(409, "idempotency_in_flight"), False, True, False),
    (problem(409, "conflict"), False, False, False),
    (LOST, True, True, False),
    (httpx.ReadTimeout("late"), True, True, False),
    (REFUSED, True, True, True),
]


def calls(postern: Any) -> list[Any]:
    from postern_sdk.client import Call  # type: ignore[import-not-found]

    def parse(response: httpx.Response) -> Any:
        return response.json()

    return [
        Call({"method": "get", "url": "/x"}, parse),
        Call({"method": "post", "url": "/x", "headers": {"Content-Type": "a/b"}}, parse, keyed=True),
        Call({"method": "post", "url": "/x"}, parse),
    ]


@pytest.mark.parametrize(("first", "read", "keyed", "bare"), SENT_AGAIN, ids=str)
def test_a_request_is_sent_again_where_that_is_safe(package, first, read, keyed, bare):
    for index, again in enumerate((read, keyed, bare)):
        service = Service(first, OK)
        postern = connect(package, service)
        if again:
            assert postern.call(calls(postern)[index]) == {"status": "ok"}
        else:
            with pytest.raises(package.PosternError):
                postern.call(calls(postern)[index])
        assert len(service.requests) == 1 + again
        keys = {request.headers.get("idempotency-key") for request in service.requests}
        assert len(keys) == 1
        assert (keys == {None}) == (index != 1)


def test_it_gives_up_after_the_last_try(package):
    service = Service(problem(503, "unavailable"))
    with pytest.raises(package.Unavailable, match="unavailable"):
        connect(package, service, most=2).call(calls(None)[0])
    assert len(service.requests) == 3
    service = Service(LOST)
    with pytest.raises(package.ConnectionFailed) as error:
        connect(package, service, most=0).call(calls(None)[2])
    assert error.value.maybe_done
    with pytest.raises(package.ConnectionFailed) as error:
        connect(package, Service(REFUSED), most=0).call(calls(None)[2])
    assert not error.value.maybe_done


def test_it_waits_as_long_as_it_is_asked_to_and_no_longer(package, monkeypatch):
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    at = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    service = Service(problem(429, **{"retry-after": "7"}), problem(429, **{"retry-after": at}), OK)
    connect(package, service, longest_wait=60).call(calls(None)[0])
    assert 7 <= waits[0] < 7.1
    assert 25 < waits[1] < 31
    service = Service(problem(429, "ai_limit_reached", **{"retry-after": "40000"}), OK)
    with pytest.raises(package.RateLimited) as error:
        connect(package, service).call(calls(None)[0])
    assert error.value.retry_after == 40_000
    assert len(service.requests) == 1


def test_an_error_says_what_is_wrong_and_what_to_do(package):
    body = {
        "statusCode": 402,
        "code": "insufficient_balance",
        "message": "The balance is too low.",
        "details": None,
    }
    service = Service(httpx.Response(402, json=body, headers={"x-request-id": "r-1"}))
    with pytest.raises(package.PaymentRequired) as raised:
        connect(package, service).call(calls(None)[0])
    error = raised.value
    assert (error.status, error.code, error.request_id, error.details) == (
        402,
        "insufficient_balance",
        "r-1",
        {},
    )
    assert error.advice
    assert error.explain() == (
        f"insufficient_balance: The balance is too low. What to do: {error.advice}. (request r-1)"
    )
    rules = httpx.Response(400, json={"code": "validation_failed", "message": ["a is missing", "b is long"]})
    with pytest.raises(package.BadRequest) as raised:
        connect(package, Service(rules)).call(calls(None)[0])
    assert raised.value.reasons == ["a is missing", "b is long"]


@pytest.mark.parametrize("body", [b"<html>Bad gateway</html>", b"", b"[1]", b"null", b'{"code": 7}'])
def test_the_answer_of_a_proxy_is_an_error_too(package, body):
    with pytest.raises(package.Unavailable) as raised:
        connect(package, Service(httpx.Response(502, content=body)), most=0).call(calls(None)[0])
    assert raised.value.status == 502
    with pytest.raises(package.ApiError):  # a redirect is not followed: the token is for one host
        connect(package, Service(httpx.Response(307, headers={"location": "http://evil.example"}))).call(
            calls(None)[0]
        )


def test_the_credentials_are_in_the_headers_alone(package):
    service = Service(OK)
    connect(package, service).call(calls(None)[0])
    (request,) = service.requests
    assert str(request.url) == "http://postern.example/x"
    assert (request.headers["authorization"], request.headers["x-postern-owner"]) == ("Bearer pst_x", "o")


def test_without_an_address_it_says_what_to_do(package, monkeypatch):
    monkeypatch.delenv("POSTERN_URL", raising=False)
    with pytest.raises(package.PosternError, match="POSTERN_URL"):
        package.Postern()


def test_a_file_is_sent_whole_in_each_try(package):
    from io import BytesIO

    from postern_sdk.models import FilesUploadBody

    service = Service(LOST, problem(400))
    with pytest.raises(package.BadRequest):
        file = package.File(BytesIO(b"a,b"), "x.csv")
        connect(package, service).files.upload(FilesUploadBody(file=file))
    assert len(service.requests) == 2
    assert all(b"a,b" in request.content for request in service.requests)


def row(number: int) -> dict[str, Any]:
    return {
        "key": f"k{number}",
        "value": number,
        "updatedAt": "2026-11-30T00:00:00Z",
        "later": "an unknown field",
    }


def test_lists_are_read_to_their_end(package):
    """By number and by cursor; by asyncio, too."""
    meta = [{"page": page, "limit": 2, "total": 3, "totalPages": 2} for page in (1, 2)]
    pages = [[row(1), row(2)], [row(3)]]

    def numbered() -> Service:
        return Service(
            *(
                httpx.Response(200, json={"items": items, "meta": m})
                for items, m in zip(pages, meta, strict=True)
            )
        )

    service = numbered()
    connection = connect(package, service)

    def page(*, page: int = 1) -> Any:
        from types import SimpleNamespace

        answer = connection.call(calls(None)[0])
        m = answer["meta"]
        return SimpleNamespace(
            items=answer["items"], meta=SimpleNamespace(page=m["page"], total_pages=m["totalPages"])
        )

    assert [each["value"] for each in package.iterate(page)] == [1, 2, 3]
    cursors = Service(
        httpx.Response(200, json={"items": [], "next": "c1"}),
        httpx.Response(200, json={"items": [], "next": None}),
    )
    assert list(package.iterate(connect(package, cursors).topics.page, limit=5)) == []
    assert [dict(request.url.params) for request in cursors.requests] == [
        {"limit": "5"},
        {"after": "c1", "limit": "5"},
    ]

    async def read() -> list[Any]:
        service = Service(
            httpx.Response(200, json={"items": [], "next": "c1"}),
            problem(503),
            httpx.Response(200, json={"items": [], "next": None}),
        )
        http = httpx.AsyncClient(transport=httpx.MockTransport(service))
        async with package.AsyncPostern(
            "http://x", retries=package.Retries(first_wait=0.001), http=http
        ) as postern:
            rows = [each async for each in package.aiterate(postern.topics.page)]
        assert len(service.requests) == 3
        return rows

    assert asyncio.run(read()) == []


def test_a_value_of_a_later_release_is_read_as_it_is(package):
    from postern_sdk.models import Message

    values: dict[str, Any] = {
        name: "2026-11-30T00:00:00Z" if part.get("format") == "date-time" else
        "0190a5d6-6c3a-7d4e-9a51-2f0f5a7d3c11" if part.get("format") == "uuid" else None
        for name, part in MESSAGE["properties"].items() if name in MESSAGE["required"]
    }  # fmt: skip
    values |= {"status": "teleported", "channel": "pigeon", "feathers": 7}
    message = Message.from_dict(values)
    assert (message.status, message.channel, message["feathers"]) == ("teleported", "pigeon", 7)


def signed(body: str, at: float, secret: str = SECRET, id: str = "msg_1") -> dict[str, str]:
    signature = Webhook(secret).sign(id, datetime.fromtimestamp(at, UTC), body)
    return {"Webhook-Id": id, "webhook-timestamp": str(int(at)), "WEBHOOK-SIGNATURE": signature}


def test_a_webhook_is_verified(package):
    body, now = '{"id": "e", "type": "message.sent"}', 1_800_000_000.0
    assert package.verify_webhook(body.encode(), signed(body, now), SECRET, now=now) == json.loads(body)
    assert package.verify_webhook(body, signed(body, now - 299), SECRET, now=now)
    both = signed(body, now)
    other = signed(body, now, "whsec_" + base64.b64encode(b"o" * 32).decode())["WEBHOOK-SIGNATURE"]
    both["WEBHOOK-SIGNATURE"] = f"v1a,xyz {other} {both['WEBHOOK-SIGNATURE']}"
    assert package.verify_webhook(body, both, SECRET, now=now)  # while a secret is replaced
    wrong = [
        (body + " ", signed(body, now), SECRET),
        (body, signed(body, now - 301), SECRET),
        (body, signed(body, now + 301), SECRET),
        (body, {**signed(body, now), "webhook-timestamp": str(int(now) + 1)}, SECRET),
        (body, {**signed(body, now), "Webhook-Id": "msg_2"}, SECRET),
        (body, {**signed(body, now), "WEBHOOK-SIGNATURE": ""}, SECRET),
        (body, {**signed(body, now), "WEBHOOK-SIGNATURE": "v1, v1,!! v1,AAAA"}, SECRET),
        (body, {**signed(body, now), "webhook-timestamp": "1e9"}, SECRET),
        (body, {}, SECRET),
        (body, signed(body, now), "whsec_"),
        (body, signed(body, now), "whsec_" + base64.b64encode(b"o" * 32).decode()),
    ]
    for text, headers, secret in wrong:
        with pytest.raises(package.WebhookRefused):
            package.verify_webhook(text, headers, secret, now=now)


def test_the_events_of_a_batch(package):
    assert package.events_of({"events": [1, 2]}) == [1, 2]
    assert package.events_of({"id": "e"}) == [{"id": "e"}]


@pytest.mark.parametrize("flags", [[], ["--no-experimental-global-webcrypto"]], ids=["node", "as Node 18"])
def test_the_core_in_typescript(typescript_sdk: Sdk, flags: list[str]):
    """Node 18 has no global `crypto`."""
    body, now = '{"id": "e", "type": "message.sent"}', 1_800_000_000
    case = {"body": body, "now": now, "secret": SECRET, "headers": signed(body, now)}
    program = typescript_sdk.recipes.parent / "tests" / "core.js"
    done = subprocess.run(
        ["node", *flags, "--test-reporter=spec", str(program), json.dumps(case)],
        capture_output=True, text=True, timeout=2 * PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
