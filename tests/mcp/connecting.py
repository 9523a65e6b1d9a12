"""Connecting an agent by OAuth, as a client and a person do it."""

import base64
import hashlib
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.support.people import Person

BASE = "https://postern.example.com"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
LOOPBACK = "http://127.0.0.1/callback"


async def registered(person: Person, *uris: str) -> str:
    """Registers a client by itself, and returns its id."""
    body = {"client_name": "Example Agent", "redirect_uris": [*(uris or [LOOPBACK])]}
    answer = await person.client.post("/oauth/register", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["client_id"])


def request(client: str, **changes: Any) -> dict[str, Any]:
    return {
        "clientId": client,
        "redirectUri": "http://127.0.0.1:33418/callback",
        "responseType": "code",
        "codeChallenge": CHALLENGE,
        "codeChallengeMethod": "S256",
        "resource": f"{BASE}/mcp",
        "state": "a b&c",
        **changes,
    }


async def allowed(person: Person, client: str, **changes: Any) -> str:
    """Gives an agent access, and returns the code."""
    body = {**request(client), "scopes": ["profile:read", "messages:send", "messages:read"], **changes}
    answer = await person.rest("POST", "/agents", json=body)
    assert answer.status_code == 201, answer.text
    url = urlsplit(answer.json()["redirectUrl"])
    query = {name: value for name, (value,) in parse_qs(url.query).items()}
    assert url.netloc == "127.0.0.1:33418"
    assert (query["iss"], query["state"]) == (BASE, "a b&c")
    return query["code"]


def form(client: str, code: str, **changes: str) -> dict[str, str]:
    return {
        "grant_type": "authorization_code",
        "code": code,
        "client_id": client,
        "redirect_uri": "http://127.0.0.1:33418/callback",
        "code_verifier": VERIFIER,
        **changes,
    }


async def token(person: Person, fields: dict[str, str]) -> tuple[int, dict[str, Any]]:
    answer = await person.client.post("/oauth/token", data=fields)
    assert answer.headers["cache-control"] == "no-store"
    return answer.status_code, answer.json()
