"""The console's cookie: who gets it, where it counts, and when it ends."""

from http import HTTPStatus
from http.cookies import SimpleCookie
from typing import Any

import httpx
import pytest

from tests.support.people import PASSWORD, Person
from tests.support.sockets import Closed, connected, live

ORIGIN = "http://postern.test"
CONSOLE = {"origin": ORIGIN, "x-postern-console": "1"}
ME = "{ me { email } }"


async def log_in(
    client: httpx.AsyncClient, person: Person, password: str = PASSWORD, **headers: str
) -> httpx.Response:
    answer = await client.post(
        "/console/session", json={"email": person.email, "password": password}, headers={**CONSOLE, **headers}
    )
    client.cookies.clear()  # each test says itself what is sent
    return answer


async def cookie_of(client: httpx.AsyncClient, person: Person) -> str:
    answer = await log_in(client, person)
    assert answer.status_code == HTTPStatus.NO_CONTENT, answer.text
    return answer.headers["set-cookie"].partition(";")[0]


async def ask(client: httpx.AsyncClient, query: str = ME, **headers: str) -> Any:
    return (await client.post("/graphql", json={"query": query}, headers=headers)).json()


def code_of(body: Any) -> str:
    return str(body["errors"][0]["extensions"]["code"])


async def test_the_cookie_is_one_that_no_script_and_no_other_site_can_use(client, ada):
    answer = await log_in(client, ada)
    assert (answer.status_code, answer.content) == (204, b"")
    (morsel,) = SimpleCookie(answer.headers["set-cookie"]).values()
    assert (morsel.key, morsel["httponly"], morsel["samesite"], morsel["path"]) == (
        "postern-console", True, "strict", "/",
    )  # fmt: skip
    assert (morsel["secure"], morsel["domain"], morsel["max-age"]) == ("", "", str(30 * 86_400))


@pytest.mark.settings(public_url="https://postern.example")
async def test_with_tls_its_name_binds_it_to_this_host(client, ada):
    answer = await log_in(client, ada, origin="https://postern.example")
    (morsel,) = SimpleCookie(answer.headers["set-cookie"]).values()
    assert (morsel.key, morsel["secure"], morsel["path"], morsel["domain"]) == (
        "__Host-postern-console",
        True,
        "/",
        "",
    )
    secure = {**CONSOLE, "origin": "https://postern.example"}
    assert (await ask(client, cookie=f"__Host-postern-console={morsel.value}", **secure))["data"]["me"]
    # A name that another host of the domain could have set does not count with TLS.
    assert code_of(await ask(client, cookie=f"postern-console={morsel.value}", **secure)) == "unauthenticated"


async def test_graphql_takes_it_from_the_console_alone(client, ada):
    cookie = await cookie_of(client, ada)
    assert (await ask(client, cookie=cookie, **CONSOLE))["data"] == {"me": {"email": ada.email}}
    for headers in (
        {"origin": ORIGIN},
        {"x-postern-console": "1"},
        {**CONSOLE, "origin": "http://evil.example"},
        {**CONSOLE, "origin": "null"},
        {},
    ):
        assert code_of(await ask(client, cookie=cookie, **headers)) == "unauthenticated", headers
    url = "/graphql?query=%7Bme%7Bemail%7D%7D"
    answer = await client.get(url, headers={**CONSOLE, "cookie": cookie, "accept": "application/json"})
    assert code_of(answer.json()) == "unauthenticated"


@pytest.mark.settings(cors_origins="http://dashboard.example")
async def test_a_page_that_may_call_the_api_may_not_use_the_cookie(app, client, ada):
    cookie = await cookie_of(client, ada)
    headers = {**CONSOLE, "origin": "http://dashboard.example", "cookie": cookie}
    assert code_of(await ask(client, **headers)) == "unauthenticated"
    with pytest.raises(Closed):
        async with live(app, None, headers=headers):
            pass


async def test_no_other_route_takes_it(client, ada):
    cookie = await cookie_of(client, ada)
    for method, path in (("GET", "/auth/me"), ("GET", "/messages"), ("GET", "/accounts"), ("GET", "/events")):
        answer = await client.request(method, path, headers={**CONSOLE, "cookie": cookie})
        assert answer.status_code == HTTPStatus.UNAUTHORIZED, path


async def test_the_value_is_no_access_token_and_an_access_token_is_no_cookie(client, ada):
    value = (await cookie_of(client, ada)).partition("=")[2]
    answer = await client.get("/auth/me", headers={"authorization": f"Bearer {value}"})
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_token")
    for token in (ada.token, "x", "", '"' + ada.token + '"'):
        body = await ask(client, cookie=f"postern-console={token}", **CONSOLE)
        assert code_of(body) in ("invalid_token", "unauthenticated")


async def test_a_credential_in_the_header_comes_first(client, ada, bob):
    cookie = await cookie_of(client, ada)
    body = await ask(client, cookie=cookie, authorization=f"Bearer {bob.token}", **CONSOLE)
    assert body["data"]["me"]["email"] == bob.email


@pytest.mark.parametrize("headers", [{}, {"origin": ORIGIN}, {**CONSOLE, "origin": "http://evil.example"}])
async def test_another_site_can_log_nobody_in_or_out(client, ada, headers):
    login = {"email": ada.email, "password": PASSWORD}
    answer = await client.post("/console/session", json=login, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_the_console")
    cookie = await cookie_of(client, ada)
    answer = await client.request("DELETE", "/console/session", headers={**headers, "cookie": cookie})
    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert (await ask(client, cookie=cookie, **CONSOLE))["data"]["me"]


async def test_a_wrong_password_is_told_as_by_login(client, ada):
    answer = await log_in(client, ada, "not the password")
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_credentials")
    assert "set-cookie" not in answer.headers


async def test_logout_ends_it_and_takes_the_cookie_away(client, ada):
    cookie, other = await cookie_of(client, ada), await cookie_of(client, ada)
    answer = await client.request("DELETE", "/console/session", headers={**CONSOLE, "cookie": cookie})
    assert answer.status_code == HTTPStatus.NO_CONTENT
    (morsel,) = SimpleCookie(answer.headers["set-cookie"]).values()
    assert (morsel.value, morsel["max-age"]) == ("", "0")
    assert code_of(await ask(client, cookie=cookie, **CONSOLE)) == "session_ended"
    assert (await ask(client, cookie=other, **CONSOLE))["data"]["me"]
    again = await client.request("DELETE", "/console/session", headers={**CONSOLE, "cookie": cookie})
    assert (again.status_code, "set-cookie" in again.headers) == (204, True)


@pytest.mark.parametrize("end", ["logout", "logoutEverywhere", "changePassword", "suspendUser"])
async def test_it_ends_with_the_login(client, ada, admin, end):
    cookie = await cookie_of(client, ada)
    assert (await ask(client, cookie=cookie, **CONSOLE))["data"]["me"]  # now it is cached
    if end == "suspendUser":
        await admin.data("mutation($id: ID!) { suspendUser(id: $id) { uuid } }", {"id": str(ada.id)})
    elif end == "changePassword":
        change = f'input: {{currentPassword: "{PASSWORD}", newPassword: "a longer horse"}}'
        await ada.data(f"mutation {{ changePassword({change}) {{ expiresIn }} }}")
    else:
        assert (await ask(client, f"mutation {{ {end} }}", cookie=cookie, **CONSOLE))["data"] == {end: True}
    assert code_of(await ask(client, cookie=cookie, **CONSOLE)) == "session_ended"


async def test_it_lasts_as_long_as_a_login(client, ada, services, monkeypatch):
    cookie = await cookie_of(client, ada)
    now = services.tokens._clock()
    monkeypatch.setattr(services.tokens, "_clock", lambda: now + 30 * 86_400 - 60)
    assert (await ask(client, cookie=cookie, **CONSOLE))["data"]["me"]
    monkeypatch.setattr(services.tokens, "_clock", lambda: now + 30 * 86_400 + 60)
    assert code_of(await ask(client, cookie=cookie, **CONSOLE)) == "invalid_token"


async def test_a_websocket_takes_it_from_a_page_of_ours(app, client, ada):
    cookie = await cookie_of(client, ada)
    async with live(
        app, None, headers={"origin": ORIGIN, "cookie": cookie, "host": "postern.test"}
    ) as socket:
        await socket.subscribe("subscription { queueStatisticsChanged { __typename } }")
        assert "errors" not in await socket.next()
    for headers in ({"cookie": cookie, "host": "postern.test"}, {"origin": ORIGIN, "host": "postern.test"}):
        with pytest.raises(Closed) as closed:
            async with live(app, None, headers=headers):
                pass
        assert closed.value.reason == "unauthenticated"
    foreign = {"origin": "http://evil.example", "cookie": cookie, "host": "postern.test"}
    async with connected(app, headers=foreign) as refused:
        assert (await refused.event())["type"] != "websocket.accept"


@pytest.mark.settings(console=False)
async def test_it_can_be_off(client, ada):
    for method, path in (("POST", "/console/session"), ("GET", "/console"), ("GET", "/console/messages")):
        answer = await client.request(method, path, headers=CONSOLE, json={})
        assert (answer.status_code, answer.json()["code"]) == (404, "console_off"), path
