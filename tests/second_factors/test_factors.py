"""Adding, listing and removing second factors, and what needs a fresh code."""

import base64
from typing import Any

import pytest

from core import totp
from runtime.services import Services
from tests.auth.doors import Auth
from tests.second_factors.factor import Factor, begun, present, second_factor
from tests.support.people import PASSWORD, Person

NEW = "another horse battery"
CREATE_TOKEN = 'mutation{createApiToken(input:{name:"t"}){token}}'


async def rest(person: Person, method: str, path: str, body: Any = None) -> tuple[int, str | None]:
    answer = await person.rest(method, path, json=body)
    return answer.status_code, answer.json()["code"] if answer.status_code >= 400 else None


async def stale(services: Services) -> None:
    """Lets eleven minutes pass since the last code of every login, and the codes of before count no more."""
    await services.db.fetch("UPDATE sessions SET second_factor_at = now() - interval '11 minutes'")


async def test_an_app_is_added_through_both_doors(ada: Person, bob: Person):
    made = await begun(ada)
    assert base64.b64decode(made["qrPng"]).startswith(b"\x89PNG")
    assert made["uri"] == totp.uri(made["secret"], ada.email, "Postern")
    assert (await ada.rest("GET", "/auth/second-factors")).json()["factors"] == []
    other = (
        await bob.data(
            'mutation{beginTotp(input:{name:"tablet",password:"correct horse battery"}){uuid secret}}'
        )
    )["beginTotp"]
    confirm = "mutation($i:ID!,$c:SecondFactorCode!){confirmTotp(id:$i,input:$c){recoveryCodes}}"
    code = {"otp": totp.code_of(other["secret"], present())}
    # Nobody confirms another's.
    assert await ada.code(confirm, {"i": other["uuid"], "c": code}) == "second_factor_not_found"
    codes = (await bob.data(confirm, {"i": other["uuid"], "c": code}))["confirmTotp"]["recoveryCodes"]
    assert len({*codes}) == 10
    seen = await bob.data("{secondFactors{factors{name kind confirmedAt} recoveryCodes demanded freshUntil}}")
    (factor,) = seen["secondFactors"]["factors"]
    assert (factor["name"], factor["kind"], seen["secondFactors"]["recoveryCodes"]) == ("tablet", "totp", 10)
    assert seen["secondFactors"]["freshUntil"]


async def test_a_secret_that_was_not_confirmed_is_replaced_and_a_confirmed_one_is_not(ada: Person):
    first = await begun(ada)
    second = await begun(ada)
    path = f"/auth/second-factors/{first['id']}/confirm"
    assert await rest(ada, "POST", path, {"otp": "123456"}) == (404, "second_factor_not_found")
    path = f"/auth/second-factors/{second['id']}/confirm"
    assert await rest(ada, "POST", path, {"otp": "12345"}) == (400, "validation_failed")
    right = {"otp": totp.code_of(second["secret"], present())}
    assert await rest(ada, "POST", path, right) == (200, None)
    assert await rest(ada, "POST", path, right) == (409, "second_factor_confirmed")
    body = {"password": PASSWORD}
    assert await rest(ada, "POST", "/auth/second-factors/totp", body) == (409, "second_factor_exists")


async def test_a_login_adds_no_factor_without_the_password(ada: Person):
    begin = "mutation($i: NewTotp) { beginTotp(input: $i) { secret } }"
    for body, code in (
        (None, "password_needed"), ({"name": "phone"}, "password_needed"), ({"password": "wrong"}, "bad_credentials"),
    ):  # fmt: skip
        assert await rest(ada, "POST", "/auth/second-factors/totp", body) == (403, code)
        assert await ada.code(begin, {"i": body}) == code
    assert (await ada.data(begin, {"i": {"password": PASSWORD}}))["beginTotp"]["secret"]


async def test_tokens_and_their_logins_have_nothing_to_do_with_factors(ada: Person):
    token = (await ada.data(CREATE_TOKEN))["createApiToken"]["token"]
    pair = (await ada.client.post("/auth", json={"token": token})).json()
    factor = await second_factor(ada)
    for credential in (token, pair["accessToken"]):
        by = Person(ada.id, ada.email, ada.account_id, credential, ada.client)
        for method, path, body in _DANGEROUS(factor):
            assert await rest(by, method, path, body) == (403, "needs_login"), path
        assert (await by.rest("GET", "/accounts")).status_code == 200
        assert (await by.rest("GET", "/auth/second-factors")).json()["freshUntil"] is None
    # An exchange of the token needs no code: it is no login of the user's own.
    assert (await ada.client.post("/auth", json={"token": token})).status_code == 200


def _DANGEROUS(factor: Factor) -> list[tuple[str, str, Any]]:
    return [
        ("POST", "/auth/password", {"currentPassword": PASSWORD, "newPassword": NEW}),
        ("POST", "/api-tokens", {"name": "x"}),
        ("POST", "/auth/recovery-codes", None),
        ("DELETE", f"/auth/second-factors/{factor.id}", None),
    ]


async def test_what_is_dangerous_needs_a_fresh_code(ada: Person, services: Services):
    token = (await ada.rest("POST", "/api-tokens", json={"name": "t"})).json()["apiToken"]["id"]
    factor = await second_factor(ada)
    assert await rest(ada, "POST", "/api-tokens", {"name": "fresh from the confirmation"}) == (201, None)
    await stale(services)
    for method, path, body in [*_DANGEROUS(factor), ("PATCH", f"/api-tokens/{token}", {"name": "y"})]:
        assert await rest(ada, method, path, body) == (403, "second_factor_needed"), path
    assert await ada.code(CREATE_TOKEN) == "second_factor_needed"
    assert (await ada.rest("GET", "/accounts")).status_code == 200
    assert await rest(ada, "POST", "/auth/second-factors/verify", {"otp": factor.code(0)}) == (
        401,
        "otp_invalid",
    )
    verified = await ada.rest("POST", "/auth/second-factors/verify", json={"otp": factor.code()})
    assert verified.status_code == 200
    assert (
        verified.json()["freshUntil"] == (await ada.rest("GET", "/auth/second-factors")).json()["freshUntil"]
    )
    assert await rest(ada, "POST", "/api-tokens", {"name": "z"}) == (201, None)
    assert await rest(ada, "PATCH", f"/api-tokens/{token}", {"name": "y"}) == (200, None)
    # The login that a new password opens is as fresh as the one that changed it.
    changed = await ada.rest("POST", "/auth/password", json={"currentPassword": PASSWORD, "newPassword": NEW})
    ada.token = changed.json()["accessToken"]
    assert await rest(ada, "POST", "/api-tokens", {"name": "again"}) == (201, None)


async def test_one_login_s_code_is_no_other_s(auth: Auth, ada: Person, services: Services):
    factor = await second_factor(ada)
    await stale(services)
    sent = {"email": ada.email, "password": PASSWORD, "otp": factor.code()}
    other = (await auth.call("rest", "login", sent)).data["accessToken"]
    assert await rest(ada, "POST", "/api-tokens", {"name": "x"}) == (403, "second_factor_needed")
    here = Person(ada.id, ada.email, ada.account_id, other, ada.client)
    assert await rest(here, "POST", "/api-tokens", {"name": "x"}) == (201, None)


@pytest.mark.parametrize("proof", ["fresh", "otp", "recovery"])
async def test_the_last_factor_takes_the_recovery_codes_along(
    auth: Auth, ada: Person, bob: Person, services: Services, proof: str
):
    factor = await second_factor(ada)
    body = None
    if proof != "fresh":
        await stale(services)
        body = {"otp": factor.code() if proof == "otp" else factor.recovery_codes[3]}
    path = f"/auth/second-factors/{factor.id}"
    assert await rest(bob, "DELETE", path) == (404, "second_factor_not_found")
    assert await rest(ada, "DELETE", path, {"otp": factor.code(0)}) == (401, "otp_invalid")
    assert await rest(ada, "DELETE", path, body) == (204, None)
    assert await services.db.fetchval("SELECT count(*) FROM recovery_codes") == 0
    assert (await auth.login(ada.email)).code is None
    assert await rest(ada, "POST", "/api-tokens", {"name": "x"}) == (201, None)


async def test_new_recovery_codes_end_the_old_ones(ada: Person, services: Services):
    factor = await second_factor(ada)
    await stale(services)
    new = "mutation($i:SecondFactorProof){newRecoveryCodes(input:$i){recoveryCodes}}"
    assert await ada.code(new) == "second_factor_needed"
    made = (await ada.data(new, {"i": {"otp": factor.recovery_codes[0]}}))["newRecoveryCodes"][
        "recoveryCodes"
    ]
    assert not {*made} & {*factor.recovery_codes}
    verify = "/auth/second-factors/verify"
    assert await rest(ada, "POST", verify, {"otp": factor.recovery_codes[1]}) == (401, "otp_invalid")
    assert await rest(ada, "POST", verify, {"otp": made[1]}) == (200, None)
