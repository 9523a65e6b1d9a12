"""The access token that /docs gets for the console's login: who gets it, and when it ends (decision 0038)."""

from datetime import timedelta
from http import HTTPStatus

import httpx
import pytest

from tests.console.test_session import CONSOLE, ORIGIN, cookie_of

_PATH = "/console/session/token"


async def token_for(client: httpx.AsyncClient, cookie: str, **headers: str) -> httpx.Response:
    return await client.post(_PATH, headers={**(headers or CONSOLE), "cookie": cookie})


async def works(client: httpx.AsyncClient, token: str) -> bool:
    answer = await client.get("/auth/me", headers={"authorization": f"Bearer {token}"})
    return answer.status_code == HTTPStatus.OK


async def test_a_page_of_ours_gets_a_token_of_the_same_login(client, ada, services):
    answer = await token_for(client, await cookie_of(client, ada))
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    body = answer.json()
    assert (body["email"], body["expiresIn"]) == (ada.email, services.tokens.lifetime)
    me = await client.get("/auth/me", headers={"authorization": f"Bearer {body['accessToken']}"})
    assert me.json()["email"] == ada.email
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": ORIGIN},
        {"x-postern-console": "1"},
        {**CONSOLE, "origin": "http://evil.example"},
        {**CONSOLE, "origin": "null"},
        {**CONSOLE, "origin": f"{ORIGIN}.evil.example"},
    ],
)
async def test_nobody_else_gets_one(client, ada, headers):
    answer = await token_for(client, await cookie_of(client, ada), **headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_the_console")
    assert "accessToken" not in answer.text


@pytest.mark.settings(cors_origins="http://dashboard.example")
async def test_a_page_that_may_call_the_api_gets_none(client, ada):
    cookie = await cookie_of(client, ada)
    answer = await token_for(client, cookie, **{**CONSOLE, "origin": "http://dashboard.example"})
    assert answer.status_code == HTTPStatus.FORBIDDEN


async def test_without_a_login_there_is_none(client, ada):
    for headers in (
        CONSOLE,
        {**CONSOLE, "cookie": f"postern-console={ada.token}"},
        {**CONSOLE, **ada.headers},
    ):
        answer = await client.post(_PATH, headers=headers)
        assert (answer.status_code, answer.content) == (204, b"")


async def test_it_is_asked_for_by_post_alone(client, ada):
    cookie = await cookie_of(client, ada)
    answer = await client.get(_PATH, headers={**CONSOLE, "cookie": cookie})
    assert "accessToken" not in answer.text


@pytest.mark.parametrize("end", ["logout", "console", "logoutEverywhere", "suspendUser"])
async def test_it_ends_with_the_login(client, ada, admin, end):
    cookie = await cookie_of(client, ada)
    token = (await token_for(client, cookie)).json()["accessToken"]
    assert await works(client, token)
    if end == "suspendUser":
        await admin.data("mutation($id: ID!) { suspendUser(id: $id) { uuid } }", {"id": str(ada.id)})
    elif end == "console":
        await client.request("DELETE", "/console/session", headers={**CONSOLE, "cookie": cookie})
    else:
        headers = {**CONSOLE, "cookie": cookie}
        await client.post("/graphql", json={"query": f"mutation {{ {end} }}"}, headers=headers)
    assert not await works(client, token)
    assert (await token_for(client, cookie)).status_code == HTTPStatus.NO_CONTENT


async def test_it_is_no_longer_valid_than_the_cookie(client, ada, services, monkeypatch):
    cookie = await cookie_of(client, ada)
    # The cookie has ten seconds left.
    monkeypatch.setattr(
        type(services.db), "now", lambda self, now=services.db.now(): now + timedelta(days=30, seconds=-10)
    )
    body = (await token_for(client, cookie)).json()
    assert 0 < body["expiresIn"] <= 10


async def test_it_is_no_cookie(client, ada):
    token = (await token_for(client, await cookie_of(client, ada))).json()["accessToken"]
    asked = {"query": "{ me { email } }"}
    answer = await client.post(
        "/graphql", json=asked, headers={**CONSOLE, "cookie": f"postern-console={token}"}
    )
    assert answer.json()["data"]["me"] is None


@pytest.mark.settings(console=False)
async def test_with_the_console_off_nobody_is_logged_in(client):
    assert (await client.post(_PATH, headers=CONSOLE)).status_code == HTTPStatus.NO_CONTENT


async def test_no_page_can_frame_the_pages_that_use_the_login(client):
    for path in ("/graphql", "/docs"):
        answer = await client.get(path, headers={"accept": "text/html"})
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


@pytest.mark.settings(graphql_allow_only=True, graphiql=True, console=True)
async def test_in_allow_only_mode_the_cookie_runs_trusted_documents_alone(client, ada):
    cookie = await cookie_of(client, ada)
    asked = {"query": "query Me { me { email } }"}
    answer = await client.post(
        "/graphql", json=asked, headers={**CONSOLE, "cookie": cookie, "accept": "application/json"}
    )
    # GraphiQL says by this code that it can't run what is typed.
    assert answer.status_code == HTTPStatus.OK
    assert answer.json()["errors"][0]["extensions"]["code"] == "document_not_allowed"
