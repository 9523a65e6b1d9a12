"""Connecting an agent by OAuth 2.1: consent, code, tokens, and the ways around that are closed."""

from typing import Any
from urllib.parse import urlsplit

import orjson
import pytest

from doors.mcp.catalog import TOOLS
from resolvers import agents
from resolvers.agents import clients
from runtime.services import Services
from tests.mcp.agent import asked, result, tool
from tests.mcp.connecting import BASE, LOOPBACK, allowed, form, registered, request, token
from tests.support.people import People, Person

pytestmark = pytest.mark.settings(mcp=True, public_url=BASE, mcp_registration=True)


def agent_of(person: Person, tokens: dict[str, Any]) -> Person:
    return Person(person.id, person.email, person.account_id, tokens["access_token"], person.client)


async def test_a_client_without_a_credential_learns_where_to_get_one(ada: Person):
    ada.token = "nonsense"
    answer = await asked(ada, "tools/list")
    header = answer.headers["www-authenticate"]
    assert header == f'Bearer resource_metadata="{BASE}/.well-known/oauth-protected-resource/mcp"'
    protected = (await ada.client.get(urlsplit(header.split('"')[1]).path)).json()
    assert (protected["resource"], protected["authorization_servers"]) == (f"{BASE}/mcp", [BASE])
    server = (await ada.client.get("/.well-known/oauth-authorization-server")).json()
    assert (server["issuer"], server["code_challenge_methods_supported"]) == (BASE, ["S256"])
    assert server["client_id_metadata_document_supported"]
    went = await ada.client.get("/oauth/authorize?client_id=x&state=1")
    assert (went.status_code, went.headers["location"]) == (
        302,
        f"{BASE}/console/agents/connect?client_id=x&state=1",
    )


async def test_from_consent_to_a_call_and_to_the_end(ada: Person):
    client = await registered(ada)
    seen = await ada.data(
        "query($i:AgentRequest!){agentReview(input:$i)"
        "{clientName clientHost local redirectHost scopes available denyUrl}}",
        {"i": request(client, scope="messages:send nonsense users:admin")},
    )
    assert seen["agentReview"] == {
        "clientName": "Example Agent",
        "clientHost": None,
        "local": True,
        "redirectHost": "127.0.0.1",
        "scopes": ["messages:send"],
        "available": [each.value for each in agents.OFFERED],
        "denyUrl": "http://127.0.0.1:33418/callback?error=access_denied&error_description=The+person+has+refused."
        "&state=a+b%26c&iss=https%3A%2F%2Fpostern.example.com",
    }
    status, tokens = await token(ada, form(client, await allowed(ada, client, approvalAbove=5, days=30)))
    assert (status, tokens["token_type"]) == (200, "Bearer")
    agent = agent_of(ada, tokens)
    assert (await tool(agent, "who_am_i"))["email"] == ada.email
    assert {each["name"] for each in (await result(agent, "tools/list"))["tools"]} == {
        "who_am_i",
        "send_message",
        "get_message",
        "list_messages",
        "cancel_message",
    }
    (connected,) = (await ada.rest("GET", "/agents")).json()["items"]
    assert (connected["clientName"], connected["approvalAbove"]) == ("Example Agent", 5)
    status, renewed = await token(
        ada, {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "client_id": client}
    )
    assert status == 200
    agent = agent_of(ada, renewed)
    assert (await tool(agent, "who_am_i"))["id"] == str(ada.id)
    for method, path, body in (  # an agent makes no other agent, and decides nothing
        ("POST", "/agents", {**request(client), "scopes": ["messages:read"]}),
        ("POST", "/api-tokens", {"name": "more"}),
    ):
        assert (await agent.rest(method, path, json=body)).status_code == 403
    assert (await ada.rest("DELETE", f"/api-tokens/{connected['tokenUuid']}")).status_code in (200, 204)
    assert (await asked(agent, "tools/list")).status_code == 401
    assert (await ada.rest("GET", "/agents")).json()["items"] == []
    again = {"grant_type": "refresh_token", "refresh_token": renewed["refresh_token"], "client_id": client}
    assert await token(ada, again) == (
        400,
        {"error": "invalid_grant", "error_description": "This login has ended. Log in again."},
    )


async def test_a_code_that_is_used_twice_ends_what_came_of_it(ada: Person):
    client = await registered(ada)
    code = await allowed(ada, client)
    _, tokens = await token(ada, form(client, code))
    agent = agent_of(ada, tokens)
    assert (await asked(agent, "tools/list")).status_code == 200
    assert (await token(ada, form(client, code)))[1]["error"] == "invalid_grant"
    assert (await asked(agent, "tools/list")).status_code == 401


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": "agent_other"},
        {"redirect_uri": "http://127.0.0.1:33418/callback/"},
        {"redirect_uri": "http://127.0.0.1:33419/callback"},
        {"code_verifier": "w" * 43},
        {"code_verifier": "v" * 42},
        {"code": "guessed"},
        {"resource": "https://other.example.com/mcp"},
        {"grant_type": "password"},
        {"client_id": ""},
    ],
)
async def test_a_code_goes_only_to_the_client_that_asked(ada: Person, changes: dict[str, str]):
    client = await registered(ada)
    code = await allowed(ada, client)
    status, answer = await token(ada, {**form(client, code), **changes})
    assert status == 400
    assert answer["error"] in ("invalid_grant", "invalid_request", "unsupported_grant_type")
    assert (await token(ada, form(client, code)))[0] == 200  # and is not lost by the guess


async def test_a_code_is_valid_for_a_minute(ada: Person, services: Services):
    client = await registered(ada)
    code = await allowed(ada, client)
    await services.db.fetch("UPDATE agent_grants SET code_expires_at = now()")
    assert (await token(ada, form(client, code)))[1]["error"] == "invalid_grant"


async def test_a_refresh_token_is_the_clients_own(ada: Person):
    client, other = await registered(ada), await registered(ada)
    _, tokens = await token(ada, form(client, await allowed(ada, client)))
    stolen = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "client_id": other}
    assert (await token(ada, stolen))[1]["error"] == "invalid_grant"
    login = await ada.client.post(
        "/auth/login", json={"email": ada.email, "password": "correct horse battery"}
    )
    own = {"grant_type": "refresh_token", "refresh_token": login.json()["refreshToken"], "client_id": client}
    assert (await token(ada, own))[1]["error"] == "invalid_grant"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"clientId": "agent_nobody"}, "unknown_client"),
        ({"clientId": "http://example.com/client.json"}, "unknown_client"),
        ({"clientId": "https://example.com/"}, "unknown_client"),
        ({"clientId": "https://127.0.0.1/client.json"}, "unknown_client"),
        ({"clientId": "https://[::1]:8443/client.json"}, "unknown_client"),
        ({"redirectUri": "http://127.0.0.1:1/callback2"}, "bad_redirect"),
        ({"redirectUri": "http://127.0.0.1.example.com/callback"}, "bad_redirect"),
        ({"redirectUri": "https://127.0.0.1/callback"}, "bad_redirect"),
        ({"redirectUri": "http://127.0.0.1/callback#x"}, "bad_redirect"),
        ({"redirectUri": "http://me@127.0.0.1/callback"}, "bad_redirect"),
        ({"redirectUri": "javascript:alert(1)"}, "bad_redirect"),
        ({"responseType": "token"}, "bad_agent_request"),
        ({"codeChallengeMethod": "plain"}, "bad_agent_request"),
        ({"codeChallenge": "x"}, "bad_agent_request"),
        ({"resource": "https://other.example.com/mcp"}, "bad_agent_request"),
    ],
)
async def test_a_request_that_is_not_the_clients_own_is_refused(
    ada: Person, changes: dict[str, Any], code: str
):
    body = {**request(await registered(ada)), **changes}
    for answer in (
        await ada.rest("POST", "/agents/review", json=body),
        await ada.rest("POST", "/agents", json={**body, "scopes": ["messages:read"]}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (400, code), answer.text


@pytest.mark.parametrize(
    "uri",
    [
        "http://example.com/cb",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "x",
        "https://",
    ],
)
async def test_no_client_registers_an_address_that_leads_elsewhere(ada: Person, uri: str):
    answer = await ada.client.post("/oauth/register", json={"client_name": "x", "redirect_uris": [uri]})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_redirect_uri")


@pytest.mark.settings(mcp=True, public_url=BASE)
async def test_registering_is_off_unless_it_is_switched_on(ada: Person):
    answer = await ada.client.post("/oauth/register", json={"client_name": "x", "redirect_uris": [LOOPBACK]})
    assert answer.status_code == 404
    assert (
        "registration_endpoint"
        not in (await ada.client.get("/.well-known/oauth-authorization-server")).json()
    )


@pytest.mark.parametrize("body", [b"{", b"[]", b"x" * 20_000, b'{"redirect_uris": 1}', b"{}"])
async def test_bad_registrations_are_refused(ada: Person, body: bytes):
    answer = await ada.client.post("/oauth/register", content=body)
    assert answer.status_code == 400, answer.text


@pytest.mark.parametrize("body", [b"", b"\xff", b"a=1&a=2", b"grant_type=authorization_code", b"x" * 20_000])
async def test_bad_forms_are_refused(ada: Person, body: bytes):
    answer = await ada.client.post("/oauth/token", content=body)
    assert (answer.status_code, answer.json()["error"]) in (
        (400, "invalid_request"),
        (400, "unsupported_grant_type"),
    ), answer.text


async def test_a_document_vouches_for_its_client(
    ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    url = "https://agent.example.com/client.json"
    document = {
        "client_id": url,
        "client_name": "Agent\u202e",
        "redirect_uris": ["https://agent.example.com/cb", 1],
    }

    async def fetched(self: Any, asked: str) -> bytes:
        assert asked == url
        return orjson.dumps(document)

    monkeypatch.setattr(clients._Documents, "_fetched", fetched)
    body = request(url, redirectUri="https://agent.example.com/cb")
    seen = (await ada.rest("POST", "/agents/review", json=body)).json()
    assert (seen["clientName"], seen["clientHost"], seen["local"]) == ("Agent", "agent.example.com", False)
    document["client_id"] = "https://other.example.com/client.json"
    services.single(clients._Documents, lambda: None)._read.clear()  # type: ignore[arg-type, return-value]
    assert (await ada.rest("POST", "/agents/review", json=body)).json()["code"] == "unknown_client"


async def test_an_agent_of_a_member_ends_with_the_membership_and_has_its_limits(ada: Person, people: People):
    bob = await people.make()
    invited = await ada.rest("POST", "/members", json={"email": bob.email, "role": "support"})
    assert invited.status_code == 201, invited.text
    accepted = await bob.rest("POST", "/memberships/accept", json={"token": invited.json().get("token")})
    assert accepted.status_code in (200, 201), accepted.text
    bob.acts_for = ada.id
    client = await registered(ada)
    refused = await bob.rest("POST", "/agents", json={**request(client), "scopes": ["projects:send"]})
    assert (refused.status_code, refused.json()["code"]) == (403, "scope_beyond_yours")
    _, tokens = await token(ada, form(client, await allowed(bob, client)))
    agent = agent_of(ada, tokens)
    assert (await result(agent, "tools/list"))["tools"]
    members = (await ada.rest("GET", "/members")).json()["items"]
    assert (await ada.rest("DELETE", f"/members/{members[0]['id']}")).status_code in (200, 204)
    assert (await asked(agent, "tools/list")).status_code == 401


def test_an_agent_can_have_what_tools_need_and_nothing_else():
    assert {*agents.OFFERED} == {each.operation.permission for each in TOOLS}


async def test_no_agent_gets_what_no_tool_needs(ada: Person):
    body = {**request(await registered(ada)), "scopes": ["messages:read", "hooks:write"]}
    answer = await ada.rest("POST", "/agents", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_agent_request")


async def test_a_client_with_a_long_name(ada: Person):
    body = {"client_name": "An agent with a name " * 9, "redirect_uris": [LOOPBACK]}
    client = (await ada.client.post("/oauth/register", json=body)).json()["client_id"]
    assert (await token(ada, form(client, await allowed(ada, client))))[0] == 200
    (listed,) = (await ada.rest("GET", "/agents")).json()["items"]
    assert listed["clientName"].startswith("An agent with a name An agent")
