"""Credentials that are others', old, stolen or used twice, and clients that are not who they say."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, Final
from uuid import uuid4

from jose import jwt

from tests.mcp.agent import asked
from tests.mcp.connecting import allowed, form, registered, request, token
from tests.mcp.scripted import Script, read
from tests.mcp.stage import Stage, Task, adding

HOSTILE: Final[list[Task]] = []
hostile = adding(HOSTILE)
TO: Final = "+14155550142"
NO_ALGORITHM: Final = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0"


async def shut_out(stage: Stage, credential: str | None, what: str) -> None:
    """Notes a credential that is let in although it must not be."""
    agent = stage.scripted(credential or "")
    if credential is None:
        answer = await stage.client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    else:
        call = {"to": TO, "channel": "sms", "body": stage.text(), "idempotencyKey": uuid4().hex}
        answer = await asked(agent.person, "tools/call", {"name": "send_message", "arguments": call})
    if answer.status_code != 401:
        stage.let_in.append(f"{what}: {answer.text}")


async def connected(stage: Stage, **changes: Any) -> tuple[Script, str, dict[str, Any]]:
    """Connects an agent by OAuth. Returns it, the id of its client, and its tokens."""
    client = await registered(stage.owner)
    code = await allowed(stage.owner, client, **{"approvalAbove": stage.above, **changes})
    status, tokens = await token(stage.owner, form(client, code))
    assert status == 200, tokens
    return stage.scripted(tokens["access_token"]), client, tokens


@hostile("tokens for another resource, of another issuer, and none")
async def _(stage: Stage) -> None:
    claims = {"sub": str(stage.owner.id), "aud": "https://other.example.com/mcp", "exp": 4_102_444_800}
    other = jwt.encode(claims, "k" * 32, "HS256")
    await shut_out(stage, other, "another key")
    await shut_out(stage, f"{NO_ALGORITHM}.{other.split('.')[1]}.", "no key")
    own = stage.owner.token.split(".")
    await shut_out(stage, ".".join([own[0], other.split(".")[1], own[2]]), "other claims")
    for credential in (None, "x", "pst_" + "x" * 40, "Bearer", stage.owner.token[:-2], "%00"):
        await shut_out(stage, credential, str(credential))


@hostile("a token in the address, and in the body")
async def _(stage: Stage) -> None:
    agent = await stage.agent()
    ping = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    credential = agent.person.token
    for path in (f"/mcp?access_token={credential}", f"/mcp?token={credential}"):
        answer = await stage.client.post(path, json=ping)
        if answer.status_code != 401:
            stage.let_in.append(answer.text)
    answer = await stage.client.post("/mcp", json={**ping, "params": {"access_token": credential}})
    if answer.status_code != 401:
        stage.let_in.append(answer.text)


@hostile("a token that was revoked between two calls", sends=1)
async def _(stage: Stage) -> None:
    made = await stage.owner.rest("POST", "/api-tokens", json={"name": "agent"})
    agent = stage.scripted(made.json()["token"])
    await agent.send(TO, stage.text())
    id = made.json()["apiToken"]["id"]
    assert (await stage.owner.rest("DELETE", f"/api-tokens/{id}")).status_code in (200, 204)
    await shut_out(stage, agent.person.token, "a revoked token")


@hostile("an OAuth code that is used twice, and at the same time")
async def _(stage: Stage) -> None:
    client = await registered(stage.owner)
    code = await allowed(stage.owner, client)
    answers = await asyncio.gather(*(token(stage.owner, form(client, code)) for _ in range(8)))
    tokens = [body for status, body in answers if status == 200]
    if len(tokens) > 1:
        stage.let_in.append("two got tokens for one code")
    for each in tokens:
        await shut_out(stage, each["access_token"], "a login of a code that was used twice")
        again = {"grant_type": "refresh_token", "refresh_token": each["refresh_token"], "client_id": client}
        status, body = await token(stage.owner, again)
        if status == 200:
            stage.let_in.append(str(body))


@hostile("a redirect that differs by a letter, or leads to another host")
async def _(stage: Stage) -> None:
    client = await registered(stage.owner, "https://agent.example.com/callback", "http://127.0.0.1/callback")
    for uri in (
        "https://agent.example.com/callbacK",
        "https://agent.example.com/callback/",
        "https://agent.example.com/callback?x=1",
        "https://agent.example.com/callback#x",
        "https://agent.example.com:8443/callback",
        "https://agent.example.com.evil.example/callback",
        "https://agent.example.com@evil.example/callback",
        "https://evil.example/callback",
        "http://agent.example.com/callback",
        "https://agent.example.com/./callback",
        "https://agent.example.com/%63allback",
        "https://AGENT.example.com/callback",
        "http://127.0.0.1:80/callback2",
        "http://127.0.0.1:1@evil.example/callback",
        "http://localhost/callback",
    ):
        body = {**request(client, redirectUri=uri), "scopes": ["messages:read"]}
        answer = await stage.owner.rest("POST", "/agents", json=body)
        if answer.status_code != 400:
            stage.let_in.append(f"{uri}: {answer.text}")
    grants = "SELECT count(*) FROM agent_grants WHERE client_id = $1"
    assert await stage.db.fetchval(grants, client) == 0


@contextmanager
def inside() -> Iterator[tuple[int, list[bytes]]]:
    """Listens on loopback, and counts who comes."""
    came: list[bytes] = []
    over = Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)

        def accept() -> None:
            while not over.is_set():
                try:
                    connection, _ = server.accept()
                except TimeoutError:
                    continue
                with connection:
                    came.append(b"a connection")

        thread = Thread(target=accept)
        thread.start()
        try:
            yield server.getsockname()[1], came
        finally:
            over.set()
            thread.join()


@hostile("a metadata document that leads inside")
async def _(stage: Stage) -> None:
    with inside() as (port, came):
        for host in (
            "127.0.0.1",
            "localhost",
            "127.1",
            "0x7f000001",
            "2130706433",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "0.0.0.0",
            "169.254.169.254",
            "127.0.0.1.",
            "localhost.",
            "me@127.0.0.1",
        ):
            for person, path in ((stage.owner, "/client.json"), (stage.other, "/a/../client.json")):
                body = request(f"https://{host}:{port}{path}")
                answer = await person.rest("POST", "/agents/review", json=body)
                if answer.status_code < 400:
                    stage.let_in.append(f"{host}: {answer.text}")
        for id in (
            f"http://127.0.0.1:{port}/c",
            "file:///etc/passwd",
            "https://",
            "https://x/#a",
            "gopher://x/y",
        ):
            answer = await stage.owner.rest("POST", "/agents/review", json=request(id))
            assert answer.status_code == 400, answer.text
    if came:
        stage.let_in.append(f"{len(came)} connections to loopback")


@hostile("a code by another verifier, another client, another resource")
async def _(stage: Stage) -> None:
    client, other = await registered(stage.owner), await registered(stage.owner)
    code = await allowed(stage.owner, client)
    for changes in (
        {"code_verifier": "w" * 43},
        {"code_verifier": ""},
        {"client_id": other},
        {"resource": "https://other.example.com/mcp"},
        {"redirect_uri": "http://127.0.0.1:33418/callbacK"},
    ):
        status, body = await token(stage.owner, {**form(client, code), **changes})
        if status == 200:
            stage.let_in.append(f"{changes}: {body}")
    missing = form(client, code)
    del missing["code_verifier"]
    status, body = await token(stage.owner, missing)
    if status == 200:
        stage.let_in.append(f"no verifier: {body}")


@hostile("a refresh token that is used twice")
async def _(stage: Stage) -> None:
    agent, client, tokens = await connected(stage)
    refresh = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "client_id": client}
    status, renewed = await token(stage.owner, refresh)
    assert status == 200, renewed
    # The thief is later than the grace for a client that has lost the answer.
    await stage.db.execute(
        "UPDATE refresh_tokens SET used_at = used_at - interval '1 hour' WHERE used_at IS NOT NULL"
    )
    status, stolen = await token(stage.owner, refresh)
    if status == 200:
        stage.let_in.append(str(stolen))
    await shut_out(stage, renewed["access_token"], "a login whose refresh token came twice")
    await shut_out(stage, agent.person.token, "the token before")


@hostile("a new access token for each few people of a crowd", sends=5)
async def _(stage: Stage) -> None:
    agent, client, tokens = await connected(stage)
    for each in range(6):
        for number in range(2):
            await agent.send(f"+14155504{2 * each + number:03}", stage.text())
        refresh = {
            "grant_type": "refresh_token",
            "refresh_token": tokens["refresh_token"],
            "client_id": client,
        }
        status, tokens = await token(stage.owner, refresh)
        assert status == 200, tokens
        agent = stage.scripted(tokens["access_token"])


@hostile("an agent that connects another agent, or raises its own limits")
async def _(stage: Stage) -> None:
    agent, client, _ = await connected(stage)
    ids = (await stage.owner.rest("GET", "/agents")).json()["items"]
    for method, path, body in (
        ("POST", "/agents", {**request(client), "scopes": ["messages:read"]}),
        ("POST", "/api-tokens", {"name": "more"}),
        ("PATCH", f"/api-tokens/{ids[0]['tokenUuid']}", {"approvalAbove": 1_000}),
        ("DELETE", f"/api-tokens/{ids[0]['tokenUuid']}", None),
        ("POST", "/members", {"email": "evil@example.com", "role": "manager"}),
    ):
        answer = await agent.person.rest(method, path, json=body)
        if answer.status_code < 400:
            stage.let_in.append(f"{method} {path}: {answer.text}")


@hostile("scopes that no tool needs, and more than the person has")
async def _(stage: Stage) -> None:
    client = await registered(stage.owner)
    for scope in ("users:admin", "profile:write", "projects:approve", "*", "messages:read users:admin"):
        answer = await stage.owner.rest("POST", "/agents", json={**request(client), "scopes": [scope]})
        if answer.status_code < 400:
            stage.let_in.append(f"{scope}: {answer.text}")
    asked_for = request(client, scope="users:admin projects:approve messages:send")
    seen = (await stage.owner.rest("POST", "/agents/review", json=asked_for)).json()
    assert seen["scopes"] == ["messages:send"]


@hostile("a call that has no credential any more in the middle of a task", sends=1)
async def _(stage: Stage) -> None:
    agent, _, _ = await connected(stage)
    await agent.send(TO, stage.text())
    (seen,) = (await stage.owner.rest("GET", "/agents")).json()["items"]
    await stage.owner.rest("DELETE", f"/api-tokens/{seen['tokenUuid']}")
    answer = await agent.asked("list_accounts")
    if "result" in answer.json():
        stage.let_in.append(str(read(answer)))
    assert "resource_metadata" in answer.headers["www-authenticate"]
