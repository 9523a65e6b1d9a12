"""Area C on the wire (contract §4): success, errors, credentials, and what reaches no method."""

from uuid import UUID

import pytest

from postern.app import doors
from rest.frame.vendor_errors import PATHS
from tests.doors.test_contents import specified_of
from tests.support.people import Person

METHODS = [path for method, path in specified_of("C") if method == "POST"]
BODY = {"source": "telegram", "login": "x"}
ERROR = {"$ref": "#/components/schemas/VendorError"}


@pytest.fixture
async def token(ada: Person) -> str:
    made = await ada.data('mutation{createApiToken(input:{name:"t"}){token}}')
    return str(made["createApiToken"]["token"])


def is_error(answer, code, status=200):
    """Checks that an answer is an error in exactly the vendor's shape, and returns True."""
    body = answer.json()
    assert body.keys() == {"status", "uuid", "error"}
    assert body["status"] == "error"
    assert str(UUID(body["uuid"])).replace("-", "") == answer.headers["x-request-id"]
    assert {"message", "code"} <= body["error"].keys() <= {"message", "code", "details"}
    assert isinstance(body["error"]["message"], str)
    assert (answer.status_code, body["error"]["code"]) == (status, code), answer.text
    return True


async def test_the_vendor_s_own_way(client, token):
    for base in ("", "/api"):
        answer = await client.post(f"{base}/addAccount", json={**BODY, "login": base or "x", "token": token})
        body = answer.json()
        assert (answer.status_code, body["status"]) == (200, "ok")
        assert answer.headers["content-type"] == "application/json"
        assert body["uuid"].replace("-", "") == answer.headers["x-request-id"]
    assert is_error(await client.post("/api/addAccount", json={**BODY, "token": token}), "account_exists")


async def test_a_client_that_knows_no_content_type(client, token):
    body = f'{{"source": "telegram", "login": "x", "token": "{token}", "unknown": [1, {{"a": null}}]}}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = await client.post("/getInfo", content=body, headers={"content-type": kind})
        assert is_error(answer, "account_not_found")


@pytest.mark.parametrize("name", ["x-postern-errors", "authorization"])
async def test_the_true_status_for_who_wants_it(client, ada, token, name):
    headers = {name: "http" if name.startswith("x") else f"Bearer {token}"}
    credentials = {"token": token} if name.startswith("x") else {}
    assert is_error(
        await client.post("/getInfo", json={**BODY, **credentials}, headers=headers), "account_not_found", 404
    )
    assert is_error(
        await client.post("/getInfo", json=credentials, headers=headers), "validation_failed", 400
    )
    assert is_error(await client.post("/getInfo", content="{", headers=headers), "bad_json", 400)


async def test_a_token_in_the_body_is_the_vendor_s_way_whatever_header_comes_with_it(client, ada, token):
    both = {"json": {**BODY, "token": token}, "headers": {"authorization": f"Bearer {token}"}}
    assert is_error(await client.post("/getInfo", **both), "account_not_found")
    assert is_error(
        await client.post("/api/getInfo", json={"token": token}, headers=ada.headers), "validation_failed"
    )
    made = await client.post("/addAccount", json={**BODY, "token": token}, headers=ada.headers)
    assert (made.status_code, made.json()["status"]) == (200, "ok")
    both["headers"]["x-postern-errors"] = "http"
    assert is_error(await client.post("/addAccount", **both), "account_exists", 409)


async def test_two_credentials_are_of_one_user(client, ada, bob, token):
    await ada.rest("POST", "/addAccount", json=BODY)
    body = {"token": token}
    assert is_error(await client.post("/getInfoByToken", json=body, headers=bob.headers), "invalid_token")
    for headers in ({"authorization": "Bearer x.y.z"}, {"authorization": "Bearer pst_" + "a" * 40}):
        assert is_error(await client.post("/getInfoByToken", json=body, headers=headers), "invalid_token")
    answer = await client.post("/getInfoByToken", json={"token": "x.y.z"}, headers=ada.headers)
    assert is_error(answer, "invalid_token")
    answer = await client.post("/getInfoByToken", json=body, headers=ada.headers)
    assert [client["login"] for client in answer.json()["clients"]] == ["x"]


@pytest.mark.parametrize("body", ["{", "[]", "7", '"x"', "null", "\xff", "{'a': 1}", "NaN"], ids=repr)
async def test_a_body_that_is_no_object(client, body):
    assert is_error(await client.post("/sendMessage", content=body.encode("latin-1")), "bad_json")


@pytest.mark.parametrize(
    "credentials",
    [None, "", "x.y.z", "pst_" + "a" * 40, 7, ["x"], {"a": 1}, "x" * 5000],
    ids=lambda value: str(value)[:12],
)
async def test_a_token_that_is_none(client, credentials):
    answer = await client.post("/getInfoByToken", json={"token": credentials})
    code = answer.json()["error"]["code"]
    assert code in ("unauthenticated", "invalid_token", "validation_failed")
    assert is_error(answer, code)


async def test_the_token_in_the_body_is_the_caller_s(client, ada, token):
    await ada.rest("POST", "/addAccount", json=BODY)
    answer = await client.post("/getInfoByToken", json={"token": token})
    assert [client["login"] for client in answer.json()["clients"]] == ["x"]


@pytest.mark.parametrize("header", ["Basic Zm9vOmJhcg==", "Digest x", "", "Bearer", "bearers x"], ids=repr)
async def test_a_header_that_is_not_ours_changes_nothing(client, ada, token, header):
    headers = {"authorization": header}
    await ada.rest("POST", "/addAccount", json=BODY)
    answer = await client.post("/getInfoByToken", json={"token": token}, headers=headers)
    assert (answer.status_code, [client["login"] for client in answer.json()["clients"]]) == (200, ["x"])
    body = {**BODY, "login": "y", "token": token}
    assert is_error(await client.post("/getInfo", json=body, headers=headers), "account_not_found")
    assert is_error(await client.post("/getInfoByToken", json={}, headers=headers), "unauthenticated")
    # Elsewhere it is nobody's.
    assert (await client.get("/accounts", headers=headers)).status_code == 401


async def test_numbers_are_taken_as_logins_and_phones(client, ada, token):
    body = {"source": "telegram", "login": 79990001122, "token": token}
    made = (await client.post("/addAccount", json=body)).json()
    assert made["account"]["login"] == "79990001122"
    for method, fields in (("getInfo", {}), ("enablePhoneAuth", {"phone": 79990001133})):
        answer = (await client.post(f"/{method}", json={**body, **fields})).json()
        assert answer["status"] == "ok", answer
    shown = await ada.data(
        "query($id:ID!){messengerAccount(id:$id){phone}}", {"id": made["account"]["accountUuid"]}
    )
    assert shown["messengerAccount"]["phone"] == "79990001133"
    for wrong in (True, 7.5, [7], {"a": 7}, 10**30):
        answer = await client.post("/getInfo", json={**body, "login": wrong})
        assert is_error(answer, "validation_failed")
        answer = await client.post("/enablePhoneAuth", json={**body, "phone": wrong})
        assert is_error(answer, "validation_failed")
    assert is_error(
        await client.post("/enablePhoneAuth", json={**body, "phone": -12345}), "validation_failed"
    )


async def test_what_reaches_no_method_keeps_its_status(client, ada):
    assert is_error(await client.get("/addAccount"), "method_not_allowed", 405)
    answer = await client.put("/api/setState", json={})
    assert is_error(answer, "method_not_allowed", 405)
    assert answer.headers["allow"] == "POST"
    assert is_error(await client.post("/api/nothing", json={}), "route_not_found", 404)
    assert is_error(await client.post("/api", json={}), "route_not_found", 404)
    for path in ("/getInfo/", "/api/getInfo/", "/screenshot/"):
        for method in ("GET", "POST"):
            assert is_error(await client.request(method, path), "route_not_found", 404)
    huge = b'{"token": "' + b"x" * 3_000_000 + b'"}'
    assert is_error(await client.post("/getInfo", content=huge), "too_large", 413)

    async def pieces():
        for _ in range(30):
            yield b"x" * 100_000

    answer = await client.post("/api/sendTyping", content=pieces())
    assert is_error(answer, "too_large", 413)
    assert answer.headers["connection"] == "close"
    assert is_error(await client.post("/getInfo?a=%00", json={}), "bad_request", 400)
    # Other areas keep their words.
    assert (await client.post("/addAccounts", json={})).json()["code"] == "route_not_found"


async def test_a_declared_length_is_refused_before_it_is_read(client):
    answer = await client.post("/addAccount", content=b"{}", headers={"content-length": str(100 * 2**20)})
    assert is_error(answer, "too_large", 413)


async def test_a_bug_is_told_in_the_same_shape(client, ada, monkeypatch):
    async def broken(*_):
        raise RuntimeError("secret")

    monkeypatch.setattr("resolvers.messenger_accounts.mine", broken)
    answer = await ada.rest("POST", "/getInfo", json=BODY)
    assert is_error(answer, "internal_error", 500)
    assert "secret" not in answer.text


async def test_the_answer_s_uuid_is_the_request_s_id(client):
    answer = await client.post("/getInfo", json={}, headers={"x-request-id": "trace-7"})
    assert answer.json()["uuid"] == "trace-7"


async def test_too_fast_is_told_with_the_time(client, ada, token, services):
    await ada.rest("POST", "/addAccount", json=BODY)
    for _ in range(11):
        answer = await client.post("/solveChallenge", json={**BODY, "token": token, "code": "1"})
    assert is_error(answer, "rate_limited")
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize("path", METHODS)
async def test_every_method_speaks_so(client, ada, path):
    """Every method refuses nonsense, and calls without a token or for an unknown account, in the vendor's shape."""
    for base in ("", "/api"):
        assert is_error(await client.post(f"{base}{path}", content="{"), "bad_json")
        answer = await client.post(f"{base}{path}", json={"source": 7, "login": 7})
        assert answer.json()["error"]["code"] in ("validation_failed", "unauthenticated"), answer.text
        assert answer.status_code == 200
    answer = await ada.rest("POST", path, json={"source": "icq"})
    assert is_error(answer, "validation_failed", 400)


def test_openapi_describes_request_and_answer():
    document = doors(explorable=True).openapi()
    assert {path for _, path in specified_of("C")} == PATHS
    for method, path in specified_of("C"):
        operation = document["paths"][path][method.lower()]
        assert operation["security"] == [{"bearer": []}, {}]
        content = operation["responses"]["200"]["content"]
        if method == "POST":
            request = operation["requestBody"]["content"]["application/json"]["schema"]
            fields = document["components"]["schemas"][request["$ref"].rpartition("/")[2]]
            assert {"token"} <= fields["properties"].keys()
            answer, error = content["application/json"]["schema"]["anyOf"]
            answer = document["components"]["schemas"][answer["$ref"].rpartition("/")[2]]
            assert {"status", "uuid"} <= answer["properties"].keys()
            assert error == ERROR
        else:
            assert content.keys() == {"image/png", "application/json"}
        for status in ("400", "401", "403", "404", "409", "413", "429", "500", "503"):
            named = operation["responses"][status].get("$ref", "").rpartition("/")[2]
            refusal = document["components"]["responses"][named] if named else operation["responses"][status]
            assert refusal["content"]["application/json"]["schema"] == ERROR
        assert f"/api{path}" not in document["paths"]
