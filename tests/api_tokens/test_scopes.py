"""API tokens with scopes and networks, and what is made from them."""

from typing import Any

import pytest

from runtime.services import Services
from tests.api_tokens.made import CREATE, caller, exchanged, made
from tests.auth.doors import forget
from tests.support.people import Person
from tests.support.sockets import Closed, live

UPDATE = "mutation($id:ID!,$i:ApiTokenPatch!){updateApiToken(id:$id,input:$i){uuid name scopes networks}}"


async def _status(person: Person, path: str) -> tuple[int, str | None]:
    answer = await person.rest("GET", path)
    return answer.status_code, answer.json().get("code") if answer.status_code != 200 else None


async def test_a_token_may_what_its_scopes_say_in_all_that_is_made_from_it(ada: Person):
    token, _ = await made(ada, scopes=["accounts:read"])
    pair = await exchanged(ada, token)
    refreshed = (await ada.client.post("/auth/refresh", json={"refreshToken": pair["refreshToken"]})).json()
    for credential in (token, pair["accessToken"], refreshed["accessToken"]):
        limited = caller(ada, credential)
        assert await _status(limited, "/accounts") == (200, None)
        assert await _status(limited, "/messages") == (403, "forbidden")
        assert (await limited.data("{accounts{nodes{uuid}}}"))["accounts"]["nodes"]
        assert await limited.code("{messages{nodes{uuid}}}") == "forbidden"
        # What an object leads to is asked for, too.
        assert await limited.code("{accounts{nodes{owner{email}}}}") == "forbidden"


async def test_a_preset_is_a_set_of_scopes(ada: Person, admin: Person):
    sender = (await ada.data(CREATE, {"i": {"name": "t", "preset": "send"}}))["createApiToken"]
    assert sender["apiToken"]["scopes"] == [
        "accounts:read", "files:write", "messages:read", "messages:send", "verifications:read", "verifications:write",
    ]  # fmt: skip
    assert await ada.code(CREATE, {"i": {"name": "t", "preset": "metrics"}}) == "scope_beyond_yours"
    token, _ = await made(admin, preset="metrics")
    scraper = caller(admin, token)
    assert (await scraper.rest("GET", "/metrics")).status_code == 200
    assert await _status(scraper, "/users") == (403, "forbidden")


async def test_an_administrator_s_token_is_one_only_in_its_scopes(ada: Person, admin: Person):
    token, _ = await made(admin, scopes=["accounts:read"])
    path = f"/accounts/{ada.account_id}"
    assert (await admin.rest("GET", path)).status_code == 200
    assert (await caller(admin, token).rest("GET", path)).status_code == 404
    token, _ = await made(admin, scopes=["accounts:read", "users:admin"])
    assert (await caller(admin, token).rest("GET", path)).status_code == 200


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        ({"scopes": []}, "validation_failed"),
        ({"scopes": ["messages:sent"]}, "unknown_scope"),
        ({"scopes": ["public"]}, "unknown_scope"),
        ({"scopes": ["system:read"]}, "scope_beyond_yours"),
        ({"scopes": ["messages:read"], "preset": "send"}, "scopes_and_preset"),
        ({"networks": ["192.0.2.1/24"]}, "bad_network"),
        ({"networks": ["10.0.0.0/7"]}, "bad_network"),
        ({"networks": ["2001:db8::/31"]}, "bad_network"),
        ({"networks": ["home"]}, "bad_network"),
        ({"networks": []}, "validation_failed"),
    ],
)
async def test_limits_that_cannot_be(ada: Person, limits: dict[str, Any], code: str):
    assert await ada.code(CREATE, {"i": {"name": "t", **limits}}) == code
    answer = await ada.rest("POST", "/api-tokens", json={"name": "t", **limits})
    assert answer.json()["code"] == code
    assert answer.status_code == (403 if code == "scope_beyond_yours" else 400)


async def test_a_bad_network_is_named_with_its_field(ada: Person):
    for network in ("192.0.2.1/24", "10.0.0.0/7"):
        answer = await ada.rest("POST", "/api-tokens", json={"name": "t", "networks": [network]})
        assert answer.json()["message"].startswith("networks: ")


async def test_an_unknown_scope_is_answered_with_the_nearest(ada: Person):
    answer = await ada.rest("POST", "/api-tokens", json={"name": "t", "scopes": ["messages:sent"]})
    assert "messages:send?" in answer.json()["message"]


async def test_a_narrowed_token_and_its_logins_lose_at_once(ada: Person, services: Services):
    token, id = await made(ada)
    pair = await exchanged(ada, token)
    for credential in (token, pair["accessToken"]):
        assert await _status(caller(ada, credential), "/messages") == (200, None)  # and is cached
    changed = (await ada.data(UPDATE, {"id": id, "i": {"scopes": ["accounts:read"]}}))["updateApiToken"]
    assert changed["scopes"] == ["accounts:read"] and changed["name"] == "t"
    for credential in (token, pair["accessToken"]):
        assert await _status(caller(ada, credential), "/messages") == (403, "forbidden")
        assert await _status(caller(ada, credential), "/accounts") == (200, None)
    await forget(services)
    assert await _status(caller(ada, pair["accessToken"]), "/messages") == (403, "forbidden")
    # The name alone changes no limits, and null takes them away.
    answer = await ada.rest("PATCH", f"/api-tokens/{id}", json={"name": "u"})
    assert (answer.json()["name"], answer.json()["scopes"]) == ("u", ["accounts:read"])
    changed = (await ada.data(UPDATE, {"id": id, "i": {"name": "v"}}))["updateApiToken"]
    assert (changed["name"], changed["scopes"]) == ("v", ["accounts:read"])
    assert (await ada.rest("PATCH", f"/api-tokens/{id}", json={"scopes": None})).json()["scopes"] is None
    for credential in (token, pair["accessToken"]):
        assert await _status(caller(ada, credential), "/messages") == (200, None)


@pytest.mark.parametrize("door", ["GraphQL", "REST"])
async def test_a_change_of_one_value_leaves_the_others(ada: Person, door: str):
    end = "2099-01-01T00:00:00Z"
    kept = {"scopes": ["accounts:read"], "networks": ["127.0.0.0/8"], "expiresAt": end}
    _, id = await made(ada, **kept)
    changes = [
        {"name": "u"},
        {"scopes": ["messages:read"]},
        {"networks": ["127.0.0.0/16"]},
        {"networks": None},
    ]
    for change in changes:
        if door == "GraphQL":
            await ada.data(UPDATE, {"id": id, "i": change})
        else:
            assert (await ada.rest("PATCH", f"/api-tokens/{id}", json=change)).status_code == 200
        kept |= change
        stored = (await ada.rest("GET", f"/api-tokens/{id}")).json()
        assert {name: stored[name] for name in kept} == kept


async def test_no_token_changes_a_token(ada: Person, bob: Person):
    token, id = await made(ada)
    pair = await exchanged(ada, token)
    for credential in (token, pair["accessToken"]):
        answer = await caller(ada, credential).rest("PATCH", f"/api-tokens/{id}", json={"scopes": None})
        assert (answer.status_code, answer.json()["code"]) == (403, "needs_login")
    assert (await bob.rest("PATCH", f"/api-tokens/{id}", json={"name": "x"})).status_code == 404
    limited, own = await made(ada, scopes=["profile:write"])
    answer = await caller(ada, limited).rest("DELETE", f"/api-tokens/{id}")
    assert (answer.status_code, answer.json()["code"]) == (403, "needs_login")
    assert (await caller(ada, limited).rest("DELETE", f"/api-tokens/{own}")).status_code == 200
    assert await _status(caller(ada, limited), "/auth/me") == (401, "invalid_token")
    answer = await ada.rest("PATCH", f"/api-tokens/{own}", json={"name": "x"})
    assert (answer.status_code, answer.json()["code"]) == (409, "token_revoked")


@pytest.mark.settings(trusted_proxies=["127.0.0.1"])
async def test_a_token_is_used_from_its_networks_alone(ada: Person):
    token, _ = await made(ada, networks=["192.0.2.0/24", "2001:db8::/48"])
    limited, pair = caller(ada, token), None
    for address, expected in (
        ("192.0.2.7", 200),
        ("2001:db8:0:9::1", 200),
        ("::ffff:192.0.2.7", 200),
        ("198.51.100.1", 403),
        ("2001:db8:1::1", 403),
    ):
        headers = {"x-real-ip": address}
        answer = await limited.rest("GET", "/accounts", headers=headers)
        assert answer.status_code == expected, address
        login = await ada.client.post("/auth", json={"token": token}, headers=headers)
        assert login.status_code == expected, login.text
        if expected == 403:
            assert (answer.json()["code"], login.json()["code"]) == ("token_network", "token_network")
        else:
            pair = login.json()
    assert pair is not None
    inside, outside = ({"x-real-ip": address} for address in ("192.0.2.7", "198.51.100.1"))
    login = caller(ada, pair["accessToken"])
    assert (await login.rest("GET", "/accounts", headers=inside)).status_code == 200
    assert (await login.rest("GET", "/accounts", headers=outside)).json()["code"] == "token_network"


async def test_both_credentials_of_a_vendor_s_request_count(ada: Person):
    limited, _ = await made(ada, scopes=["accounts:read"])
    reader, _ = await made(ada, scopes=["messengers:read"])
    headers = {"x-postern-errors": "http"}
    for first, second, status in (
        (ada.token, reader, 200),
        (reader, ada.token, 200),
        (ada.token, limited, 403),
        (limited, reader, 403),
        (None, limited, 403),
        (None, reader, 200),
    ):
        sent = {**headers, **({"authorization": f"Bearer {first}"} if first else {})}
        answer = await ada.client.post("/getInfoByToken", json={"token": second}, headers=sent)
        assert answer.status_code == status, answer.text


async def test_a_socket_ends_when_its_token_is_narrowed(app, ada: Person, monkeypatch):
    monkeypatch.setattr("schema.frame.subscriptions.CHECK_SECONDS", 0.05)
    token, id = await made(ada)
    async with live(app, f"Bearer {token}") as socket:
        await socket.subscribe("subscription{events{id}}", {})
        await ada.data(UPDATE, {"id": id, "i": {"scopes": ["accounts:read"]}})
        with pytest.raises(Closed) as closed:
            while True:
                await socket.next()  # the change is an event, too
        assert closed.value.reason == "session_ended"


async def test_permissions_are_listed_with_what_the_caller_has(ada: Person):
    limited, _ = await made(ada, scopes=["profile:read", "messages:send"])
    listed = (await caller(ada, limited).rest("GET", "/permissions")).json()
    assert {each["name"] for each in listed if each["granted"]} == {"profile:read", "messages:send"}
    send = next(each for each in listed if each["name"] == "messages:send")
    assert send["presets"] == ["send"] and send["description"]
    assert not any(each["name"] == "public" for each in listed)


async def test_exports_need_the_permission_of_their_source(ada: Person):
    token, _ = await made(ada, scopes=["exports:write", "exports:read", "projects:read"])
    refused = await caller(ada, token).rest("POST", "/export-link/start", json={"source": "blocked-phones"})
    assert (refused.status_code, refused.json()["details"]) == (403, {"permission": "blocks:read"})
    allowed = await caller(ada, token).rest("POST", "/export-link/start", json={"source": "sending-projects"})
    assert allowed.status_code == 201, allowed.text
