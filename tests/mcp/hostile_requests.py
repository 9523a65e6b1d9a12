"""Requests that are too large, of another form, for somebody else's things, or say two things at once."""

from typing import Any, Final
from uuid import UUID, uuid4

import httpx
import orjson

from doors.mcp.catalog import TOOLS
from tests.mcp.agent import META, MODERN, OLD, sent
from tests.mcp.scripted import Script, read
from tests.mcp.stage import Stage, Task, adding
from tests.mcp.tasks import later

HOSTILE: Final[list[Task]] = []
hostile = adding(HOSTILE)
TO: Final = "+14155550142"


def sms(stage: Stage, **changes: Any) -> dict[str, Any]:
    """Returns the arguments of a message."""
    return {"to": TO, "channel": "sms", "body": stage.text(), "idempotencyKey": uuid4().hex, **changes}


def body(arguments: Any, name: str = "send_message") -> bytes:
    """Returns the body of a call."""
    params = {"name": name, "arguments": arguments, "_meta": META}
    return orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


async def posted(agent: Script, raw: bytes, **changes: str) -> httpx.Response:
    """Posts a body with the headers of a call of `send_message`."""
    headers = {"mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": "send_message"}
    return await sent(
        agent.person, raw, {**headers, **{name.replace("_", "-"): value for name, value in changes.items()}}
    )


@hostile("arguments of 1 MB")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    for arguments in (
        sms(stage, variables={"x": "x" * 1_000_000}),
        sms(stage, body="x" * 1_000_000),
        sms(stage, metadata={str(each): "x" for each in range(100_000)}),
        {**sms(stage), "x" * 1_000_000: 1},
    ):
        answer = await posted(agent, body(arguments))
        stage.refused("1 MB", read(answer))
        assert len(answer.content) < 4_000
    answer = await posted(agent, body(sms(stage, variables={"x": "x" * 3_000_000})))
    assert answer.status_code == 413


@hostile("JSON that is nested 100,000 times, and 900 times")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    for depth in (900, 100_000):
        deep = b"[" * depth + b"]" * depth
        raw = body(sms(stage, variables={"x": 1})).replace(b'{"x":1}', b'{"x":' + deep + b"}")
        answer = await posted(agent, raw)
        assert answer.status_code in (200, 400), answer.text
        stage.refused("deep JSON", read(answer))


@hostile("headers that say another tool, method or revision than the body")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    for changes in (
        {"mcp_name": "who_am_i"},
        {"mcp_method": "tools/list"},
        {"mcp_protocol_version": OLD},
        {"mcp_name": "=?base64?d2hvX2FtX2k=?="},
        {"mcp_name": "Send_Message"},
    ):
        answer = await posted(agent, body(sms(stage)), **changes)
        assert answer.status_code == 400
        stage.refused(str(changes), read(answer))


@hostile("headers that stand twice")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    for name, value in (
        ("mcp-name", "who_am_i"),
        ("mcp-method", "tools/list"),
        ("mcp-protocol-version", OLD),
    ):
        headers = [
            ("authorization", f"Bearer {agent.person.token}"),
            ("content-type", "application/json"),
            (name, value),
            ("mcp-protocol-version", MODERN),
            ("mcp-method", "tools/call"),
            ("mcp-name", "send_message"),
        ]
        answer = await stage.client.post("/mcp", content=body(sms(stage)), headers=headers)
        stage.refused(name, read(answer))


@hostile("arguments of wrong types")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    for name, value in (
        ("to", 14155550142),
        ("to", [TO]),
        ("to", ""),
        ("to", None),
        ("channel", "smoke"),
        ("channel", {}),
        ("body", 1.5),
        ("body", "a\x00b"),
        ("sendAt", "soon"),
        ("accountId", "mine"),
        ("variables", []),
        ("idempotencyKey", 5),
        ("idempotencyKey", ""),
        ("idempotencyKey", "é"),
        ("idempotencyKey", "x" * 201),
        ("again", "yes"),
        ("ownerId", str(uuid4())),
        ("__class__", "x"),
    ):
        said = await agent.call("send_message", **{**sms(stage), name: value})
        stage.refused(f"{name}={value!r}", said)


@hostile("numbers and texts that JSON parsers read differently")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    plain = body(sms(stage, variables={"x": 1}))
    for value in (b"1e400", b"NaN", b'"\\ud800"', b"'x'", b"01", b"-", b"1" * 5_000):
        answer = await posted(agent, plain.replace(b'{"x":1}', b'{"x":' + value + b"}"))
        assert answer.status_code in (200, 400), answer.text
        stage.refused(value[:20].decode(), read(answer))
    answer = await posted(agent, plain.replace(b'"id":1', b'"id":{"x":1}'))
    stage.refused("an id that is none", read(answer))


@hostile("arguments that are no object, and parameters that are none")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    for arguments in ("send", 1, [sms(stage)], True):
        stage.refused(repr(arguments), read(await posted(agent, body(arguments))))
    raw = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": [1]})
    stage.refused("a list", read(await posted(agent, raw)))


@hostile("every tool beyond its scopes")
async def _(stage: Stage) -> None:
    agent = await stage.agent(scopes=["profile:read"])
    for tool in TOOLS:
        if tool.name == "who_am_i":
            continue
        values: dict[str, Any] = {name: str(uuid4()) for name in tool.schema.get("required", ())}
        values |= {"channel": "sms"} if "channel" in values else {}
        values |= {"recipients": [{"phone": TO}]} if "recipients" in values else {}
        values |= {"planHash": "0" * 64} if "planHash" in values else {}
        said = await agent.call(tool.name, **values)
        stage.refused(tool.name, said, "forbidden", "validation_failed")


@hostile("another owner's ids for every tool that takes one")
async def _(stage: Stage) -> None:
    other = stage.other
    made = await other.rest("POST", "/sending-project", json={"name": "x", "channel": "sms", "text": "mine"})
    project = made.json()["uuid"]
    await other.rest("POST", f"/recipient/{project}", json={"recipients": [{"phone": TO}]})
    plan = (await other.rest("POST", f"/sending-project/{project}/plans")).json()["hash"]
    message = {"to": TO, "channel": "sms", "body": "mine", "sendAt": later()}
    id = (await other.rest("POST", "/messages", json=message)).json()["id"]
    agent = await stage.agent()
    for tool, values in (
        ("get_message", {"id": id}),
        ("cancel_message", {"id": id}),
        ("get_project", {"id": project}),
        ("add_recipients", {"projectId": project, "recipients": [{"phone": "+14155550143"}]}),
        ("plan_project", {"id": project}),
        ("start_project", {"id": project, "planHash": plan, "idempotencyKey": "1"}),
        ("stop_project", {"id": project}),
        ("send_message", sms(stage, accountId=str(other.account_id))),
    ):
        stage.refused(tool, await agent.call(tool, **values))
    row = await stage.db.fetchrow(
        "SELECT status, (SELECT count(*) FROM recipients WHERE project_id = p.id) AS people FROM sending_projects AS p"
        " WHERE id = $1",
        UUID(project),
    )
    assert (row["status"], row["people"]) == ("draft", 1)
    assert not (await agent.call("list_messages", to=TO))["items"]


@hostile("an owner whom the header names and the agent is no member of")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    agent.person.acts_for = stage.other.id
    said = await agent.call("list_accounts")
    if str(stage.other.account_id) in str(said):
        stage.let_in.append(str(said))
    await agent.call("send_message", **sms(stage))
    written = "SELECT count(*) FROM messages WHERE owner_id = $1"
    assert await stage.db.fetchval(written, stage.other.id) == 0


@hostile("tools and methods that do not exist, with names of 10,000 characters")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    for name in ("approve", "x" * 10_000, "send_message\n", "../send_message", "Send_message", "__init__"):
        raw = body(sms(stage), name)
        legacy = orjson.dumps({**orjson.loads(raw), "params": {"name": name, "arguments": sms(stage)}})
        answer = await sent(agent.person, legacy)
        stage.refused(name[:20], read(answer))
        assert len(answer.content) < 1_000
    for method in (
        "prompts/get",
        "resources/read",
        "completion/complete",
        "sampling/createMessage",
        "x" * 9_000,
    ):
        raw = orjson.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"uri": "file:///etc/passwd"}}
        )
        answer = await sent(agent.person, raw)
        stage.refused(method[:20], read(answer))
        assert len(answer.content) < 1_000


@hostile("a page of another origin, with the credential")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    for origin in (
        "https://evil.example",
        "null",
        "http://127.0.0.1.evil.example",
        "https://postern.example.com.evil",
    ):
        answer = await posted(agent, body(sms(stage)), origin=origin)
        if answer.status_code != 403:
            stage.let_in.append(f"{origin}: {answer.text}")


@hostile("other forms of bodies than JSON")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answer = await posted(agent, b"x=" + body(sms(stage)), content_type=kind)
        stage.refused(kind, read(answer))
    for raw in (b"", b"\xef\xbb\xbf{}", b"\x1f\x8b\x08", body(sms(stage))[:-1], body(sms(stage)) * 2):
        stage.refused(repr(raw[:9]), read(await posted(agent, raw)))
