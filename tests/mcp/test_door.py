"""The door for agents: its protocol in both kinds of revisions, its tools, and what it refuses."""

from typing import Any

import orjson
import pytest

from doors.mcp.catalog import TOOLS
from tests.mcp.agent import META, MODERN, OLD, asked, key, result, sent, tool
from tests.support.people import Person

pytestmark = pytest.mark.settings(mcp=True)

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", OLD, MODERN)
SMS = {"to": "+14155550100", "channel": "sms", "body": "Hello"}


@pytest.mark.settings()
async def test_it_is_off_unless_an_operator_switches_it_on(ada: Person):
    assert (await asked(ada, "tools/list")).status_code == 404


@pytest.mark.parametrize("revision", REVISIONS[:-1])
async def test_a_client_with_a_handshake_is_served_without_a_session(ada: Person, revision: str):
    hello = {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}
    answer = await asked(ada, "initialize", hello, revision=revision)
    assert answer.json()["result"]["protocolVersion"] == revision
    assert "mcp-session-id" not in answer.headers
    noted = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert (await sent(ada, noted, {"mcp-protocol-version": revision})).status_code == 202
    assert await result(ada, "ping", revision=revision) == {}
    tools = await result(ada, "tools/list", revision=revision)
    assert [each["name"] for each in tools["tools"]] == [each.name for each in TOOLS]
    assert (await tool(ada, "who_am_i", revision=revision))["email"] == ada.email


async def test_a_client_of_2026_is_served_by_single_requests(ada: Person):
    found = await result(ada, "server/discover")
    assert found["supportedVersions"] == [MODERN]
    assert (found["resultType"], found["cacheScope"]) == ("complete", "public")
    tools = await result(ada, "tools/list")
    assert (tools["resultType"], tools["cacheScope"], tools["ttlMs"]) == ("complete", "private", 60_000)
    assert len(tools["tools"]) == 15
    assert len(orjson.dumps(tools)) <= 30_000
    hints = {each["name"]: each["annotations"] for each in tools["tools"]}
    assert hints["list_messages"]["readOnlyHint"]
    assert not hints["send_message"]["readOnlyHint"]
    assert hints["stop_project"]["destructiveHint"]


async def test_an_unknown_hello_gets_the_newest_revision_with_a_handshake(ada: Person):
    hello = {"protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    assert (await sent(ada, body)).json()["result"]["protocolVersion"] == OLD


def _request(method: str = "tools/list", **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": "a", "method": method, "params": {"_meta": META, **params}}


_HEADERS = {"mcp-protocol-version": MODERN, "mcp-method": "tools/list"}
_CALL = {**_HEADERS, "mcp-method": "tools/call", "mcp-name": "who_am_i"}


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"{", {}, 400, -32700),
        (b"\xff", {}, 400, -32700),
        ([], {}, 400, -32600),
        ([_request()], _HEADERS, 400, -32600),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, {}, 400, -32600),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, {}, 400, -32600),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, {}, 400, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": ""}, {}, 400, -32600),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, {}, 400, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}, {}, 400, -32602),
        (_request(), {}, 400, -32020),
        (_request(), {**_HEADERS, "mcp-method": "tools/call"}, 400, -32020),
        (_request(), {**_HEADERS, "mcp-protocol-version": OLD}, 400, -32020),
        (_request("tools/call", name="send_message", arguments={}), _CALL, 400, -32020),
        (
            _request("tools/call", name="who_am_i"),
            {**_CALL, "mcp-name": "=?base64?d2hvX2FtX2k?="},  # without its padding
            400,
            -32020,
        ),
        ({**_request(), "params": {}}, _HEADERS, 400, -32602),
        (
            {
                **_request(),
                "params": {"_meta": {**META, "io.modelcontextprotocol/protocolVersion": "2099-01-01"}},
            },
            {**_HEADERS, "mcp-protocol-version": "2099-01-01"},
            400,
            -32022,
        ),
        (_request("prompts/list"), {**_HEADERS, "mcp-method": "prompts/list"}, 404, -32601),
        (_request("initialize"), {**_HEADERS, "mcp-method": "initialize"}, 404, -32601),
        (_request("tools/call", name="nothing"), {**_CALL, "mcp-name": "nothing"}, 400, -32602),
        (_request("tools/call", name=["who_am_i"]), {**_CALL}, 400, -32020),
    ],
)
async def test_what_is_no_request_is_refused_in_its_own_form(
    ada: Person, body: Any, headers: dict[str, str], status: int, code: int
):
    answer = await sent(ada, body, headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
    assert answer.json()["jsonrpc"] == "2.0"
    assert "id" in answer.json()


async def test_a_header_that_stands_twice_is_refused(ada: Person):
    answer = await ada.client.post(
        "/mcp",
        content=orjson.dumps(_request()),
        headers=[*ada.headers.items(), *_HEADERS.items(), ("mcp-method", "tools/call")],
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)


async def test_without_a_credential_nothing_is_answered(ada: Person):
    ada.token = "nonsense"
    for body in (_request(), {"jsonrpc": "2.0", "method": "notifications/initialized"}):
        answer = await sent(ada, body, _HEADERS)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
    assert (await ada.client.get("/mcp")).status_code == 405
    assert (await ada.client.delete("/mcp")).status_code == 405


async def test_a_message_is_sent_and_read(ada: Person):
    made = await tool(ada, "send_message", **SMS, idempotencyKey=key())
    assert made["status"] == "queued"
    read = await tool(ada, "get_message", id=made["id"])
    assert read["body"] == {"untrustedText": "Hello"}
    listed = await tool(ada, "list_messages", direction="outbound", limit=1)
    assert [each["id"] for each in listed["items"]] == [made["id"]]
    assert (await tool(ada, "cancel_message", id=made["id"]))["deliveryState"] == "canceled"


@pytest.mark.parametrize(
    ("name", "arguments", "rule"),
    [
        ("send_message", SMS, "idempotencyKey: this argument is needed"),
        ("send_message", {**SMS, "idempotencyKey": ""}, "idempotencyKey: it must have"),
        ("send_message", {**SMS, "idempotencyKey": "x", "again": "yes"}, "again: it must be"),
        (
            "send_message",
            {**SMS, "idempotencyKey": "x", "webhook": "https://example.com"},
            "no such argument",
        ),
        ("send_message", {**SMS, "idempotencyKey": "x", "channel": "fax"}, "channel:"),
        ("get_message", {"id": "1"}, "id:"),
        ("list_messages", {"limit": "many"}, "limit:"),
        (
            "add_recipients",
            {"projectId": "00000000-0000-7000-8000-000000000000"},
            "recipients: this argument",
        ),
        ("find_contacts", {"name": "x" * 101}, "name:"),
        ("who_am_i", {"a": "b" * 100_000}, "the arguments have more than"),
    ],
)
async def test_bad_arguments_are_answers_that_say_what_to_do(
    ada: Person, name: str, arguments: dict[str, Any], rule: str
):
    said = await tool(ada, name, **arguments)
    assert said["error"]["code"] == "validation_failed"
    assert rule in said["error"]["message"], said


async def test_what_an_operation_refuses_has_its_code(ada: Person):
    said = await tool(ada, "get_message", id="00000000-0000-7000-8000-000000000000")
    assert said["error"]["code"] == "message_not_found"
    blocked = await tool(ada, "send_message", **{**SMS, "to": "nobody"}, idempotencyKey=key())
    assert blocked["error"]["code"] == "invalid_recipient"


async def test_a_call_is_validated_although_one_like_it_was_valid(ada: Person):
    good = _request("tools/call", name="who_am_i", arguments={})
    assert (await sent(ada, good, _CALL)).status_code == 200
    for meta in ({"x": 1}, {"io.modelcontextprotocol/clientInfo": 5}, {"progressToken": []}):
        bad = {**good, "params": {**good["params"], "_meta": {**META, **meta}}}
        assert (await sent(ada, bad, _CALL)).status_code == (200 if "x" in meta else 400)
    for params in ({"arguments": []}, {"arguments": None, "name": "who_am_i", "more": 1}, {"name": 5}):
        bad = {**good, "params": {**good["params"], **params}}
        answer = await sent(ada, bad, _CALL)
        assert answer.status_code == (200 if "more" in params else 400), answer.text
    raw = orjson.dumps(good).replace(b'"_meta":{', b'"_meta":{"x":' + b"[" * 400 + b"]" * 400 + b",")
    assert (await sent(ada, raw, _CALL)).status_code in (200, 400)
