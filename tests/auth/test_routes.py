"""Passwords, invitations, API tokens and suspensions by REST."""

import httpx

from tests.support.people import PASSWORD, People, Person


async def test_an_api_token_by_rest(ada: Person, bob: Person):
    made = await ada.rest("POST", "/api-tokens", json={"name": "nightly"})
    assert made.status_code == 201
    issued = made.json()
    token = issued["apiToken"]
    assert token["hint"] == issued["token"][-4:]
    assert (await ada.rest("GET", f"/api-tokens/{token['id']}")).json() == token
    assert (await ada.rest("GET", "/api-tokens")).json() == {"items": [token], "next": None}
    by_token = {"headers": {"Authorization": f"Bearer {issued['token']}"}}
    assert (await ada.client.get("/auth/me", **by_token)).status_code == 200
    refused = await ada.client.post("/api-tokens", json={"name": "another"}, **by_token)
    assert (refused.status_code, refused.json()["code"]) == (403, "needs_login")
    for method in ("GET", "DELETE"):
        assert (await bob.rest(method, f"/api-tokens/{token['id']}")).status_code == 404
    for _ in range(2):
        revoked = await ada.rest("DELETE", f"/api-tokens/{token['id']}")
        assert (revoked.status_code, revoked.json()["revokedAt"] is None) == (200, False)
    assert (await ada.client.get("/auth/me", **by_token)).status_code == 401


async def test_api_tokens_are_read_page_by_page(ada: Person):
    names = [f"token {number}" for number in range(5)]
    for name in names:
        await ada.rest("POST", "/api-tokens", json={"name": name})
    seen: list[str] = []
    after: dict[str, str] = {}
    while len(seen) <= len(names):
        page = (await ada.rest("GET", "/api-tokens", params={"limit": 2, **after})).json()
        seen += [token["name"] for token in page["items"]]
        if page["next"] is None:
            break
        after = {"after": page["next"]}
    assert seen == names[::-1]
    for query, code in (
        ("after=x", "bad_cursor"),
        ("after=", "validation_failed"),
        ("limit=101", "validation_failed"),
        ("page=2", "validation_failed"),
    ):
        answer = await ada.rest("GET", f"/api-tokens?{query}")
        assert (answer.status_code, answer.json()["code"]) == (400, code)


async def test_a_password_is_changed_by_rest(client: httpx.AsyncClient, ada: Person):
    change = {"currentPassword": PASSWORD, "newPassword": "a longer horse"}
    wrong = await ada.rest("POST", "/auth/password", json={**change, "currentPassword": "no horse"})
    assert (wrong.status_code, wrong.json()["code"]) == (403, "bad_credentials")
    tokens = (await ada.rest("POST", "/auth/password", json=change)).json()
    assert (await ada.rest("GET", "/auth/me")).json()["code"] == "session_ended"
    headers = {"Authorization": f"Bearer {tokens['accessToken']}"}
    assert (await client.get("/auth/me", headers=headers)).json()["email"] == ada.email
    assert (await client.post("/auth/logout-everywhere", headers=headers)).status_code == 204
    assert (await client.get("/auth/me", headers=headers)).json()["code"] == "session_ended"


async def test_an_invitation_by_rest(client: httpx.AsyncClient, ada: Person, admin: Person):
    invite = {"email": "new@example.com", "displayName": "New"}
    assert (await ada.rest("POST", "/auth/invitations", json=invite)).status_code == 403
    invited = await admin.rest("POST", "/auth/invitations", json=invite)
    assert invited.status_code == 201
    accept = {"token": invited.json()["token"], "password": PASSWORD}
    tokens = (await client.post("/auth/invitations/accept", json=accept)).json()
    me = await client.get("/auth/me", headers={"Authorization": f"Bearer {tokens['accessToken']}"})
    assert (me.json()["id"], me.json()["displayName"]) == (invited.json()["userId"], "New")
    assert (await client.post("/auth/invitations/accept", json=accept)).status_code == 401


async def test_a_suspension_by_rest(people: People, ada: Person, admin: Person):
    bob = await people.make()
    assert (await ada.rest("POST", f"/users/{bob.id}/suspend")).status_code == 403
    suspended = await admin.rest("POST", f"/users/{bob.id}/suspend")
    assert (suspended.status_code, suspended.json()["status"]) == (200, "suspended")
    assert (await bob.rest("GET", "/auth/me")).json()["code"] == "session_ended"
    active = await admin.rest("POST", f"/users/{bob.id}/activate")
    assert (active.status_code, active.json()["status"]) == (200, "active")
    last = await admin.rest("POST", f"/users/{admin.id}/suspend")
    assert (last.status_code, last.json()["code"]) == (409, "last_admin")
