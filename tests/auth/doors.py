"""The same call through either door, with what both of them say about it."""

from dataclasses import dataclass
from typing import Any

import httpx

from runtime.services import Services
from tests.support.people import PASSWORD

AUTH_TOKENS = "accessToken refreshToken tokenType expiresIn"
USER = "uuid email displayName status roles locale selfService createdAt updatedAt"


async def forget(services: Services) -> None:
    """Empties the caches of who is who, in Redis and in this process."""
    await services.store.client.flushdb()
    services.viewers.local_cache._entries.clear()


_REST = {
    "register": ("POST", "/auth/register"),
    "login": ("POST", "/auth/login"),
    "refresh": ("POST", "/auth/refresh"),
    "exchange": ("POST", "/auth"),
    "logout": ("POST", "/auth/logout"),
    "me": ("GET", "/auth/me"),
}
_GRAPHQL = {
    "register": f"mutation($input: Register!) {{ answer: register(input: $input) {{ {USER} }} }}",
    "login": f"mutation($input: Credentials!) {{ answer: login(input: $input) {{ {AUTH_TOKENS} }} }}",
    "exchange": f"mutation($input: TokenLogin!) {{ answer: loginWithToken(input: $input) {{ {AUTH_TOKENS} }} }}",
    "refresh": f"mutation($input: Refresh!) {{ answer: refresh(input: $input) {{ {AUTH_TOKENS} }} }}",
    "logout": "mutation { answer: logout }",
    "me": f"{{ answer: me {{ {USER} }} }}",
    "logoutEverywhere": "mutation { answer: logoutEverywhere }",
    "changePassword": (
        f"mutation($input: ChangePassword!) {{ answer: changePassword(input: $input) {{ {AUTH_TOKENS} }} }}"
    ),
    "inviteUser": (
        "mutation($input: Invite!) { answer: inviteUser(input: $input) { userId token expiresAt } }"
    ),
    "acceptInvitation": (
        "mutation($input: AcceptInvitation!)"
        f" {{ answer: acceptInvitation(input: $input) {{ {AUTH_TOKENS} }} }}"
    ),
    "createApiToken": (
        "mutation($input: NewApiToken!)"
        " { answer: createApiToken(input: $input)"
        " { token apiToken { uuid name hint createdAt expiresAt revokedAt } } }"
    ),
    "revokeApiToken": "mutation($id: ID!) { answer: revokeApiToken(id: $id) { uuid revokedAt } }",
    "apiTokens": "{ answer: apiTokens(first: 100) { nodes { uuid name hint createdAt expiresAt revokedAt } } }",
    "suspendUser": "mutation($id: ID!) { answer: suspendUser(id: $id) { uuid status } }",
    "activateUser": "mutation($id: ID!) { answer: activateUser(id: $id) { uuid status } }",
    "deleteUser": "mutation($id: ID!) { answer: deleteUser(id: $id) }",
}
BOTH = ("rest", "graphql")


@dataclass(frozen=True)
class Outcome:
    """`code` is None when it went well."""

    code: str | None
    data: Any
    message: Any
    answer: httpx.Response


class Auth:
    """Calls the operations of logins with the credentials that each call names, and no others."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client

    async def call(
        self,
        door: str,
        operation: str,
        input: Any = None,
        *,
        token: str | None = None,
        headers: dict[str, str] | None = None,
        **variables: Any,
    ) -> Outcome:
        headers = {**(headers or {}), **({"Authorization": f"Bearer {token}"} if token else {})}
        if door == "rest":
            method, path = _REST[operation]
            answer = await self.client.request(method, path, json=input, headers=headers)
            body = answer.json() if answer.content else None
            if answer.is_success:
                return Outcome(None, body, None, answer)
            assert answer.status_code < 500 or body["code"].endswith(("unavailable", "busy")), answer.text
            return Outcome(body["code"], None, body["message"], answer)
        if input is not None:
            variables["input"] = input
        sent = {"query": _GRAPHQL[operation], "variables": variables}
        answer = await self.client.post("/graphql", json=sent, headers=headers)
        assert answer.status_code == 200, answer.text
        body = answer.json()
        if "errors" in body:
            error = body["errors"][0]
            (code,) = {error["extensions"]["code"] for error in body["errors"]}
            assert code != "internal_error", body
            return Outcome(error["extensions"]["code"], None, error["message"], answer)
        return Outcome(None, body["data"]["answer"], None, answer)

    async def login(
        self, email: str, password: str = PASSWORD, door: str = "rest", **headers: str
    ) -> Outcome:
        return await self.call(door, "login", {"email": email, "password": password}, headers=headers)

    async def tokens(self, email: str, password: str = PASSWORD) -> tuple[str, str]:
        """Access and refresh token of a new login."""
        done = await self.login(email, password)
        assert done.code is None, done.message
        return done.data["accessToken"], done.data["refreshToken"]

    async def refresh(self, refresh_token: str, door: str = "rest") -> Outcome:
        return await self.call(door, "refresh", {"refreshToken": refresh_token})

    async def me(self, token: str, door: str = "rest") -> str | None:
        """The code that an access or API token earns; None when it is good."""
        return (await self.call(door, "me", token=token)).code
