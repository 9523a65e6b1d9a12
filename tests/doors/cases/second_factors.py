"""The cases of second_factors, as tests/doors/case.py describes them. What codes do is in tests/second_factors."""

from tests.doors.case import UNKNOWN, Case, Rest
from tests.support.people import PASSWORD, Person

_ID = {"id": "{second_factor}"}

CASES: dict[str, Case] = {
    "second_factors.list": Case(
        "own", Rest("GET", "/auth/second-factors"),
        "{secondFactors{factors{uuid name kind} recoveryCodes demanded freshUntil}}",
    ),
    "second_factors.begin_totp": Case(
        "own", Rest("POST", "/auth/second-factors/totp", {"name": "phone", "password": "{password}"}, 201),
        'mutation{beginTotp(input:{name:"phone",password:"{password}"}){uuid secret uri qrPng}}',
    ),
    "second_factors.confirm_totp": Case(
        "row", Rest("POST", "/auth/second-factors/{second_factor}/confirm", {"otp": "000000"}, 401),
        'mutation($id:ID!){confirmTotp(id:$id,input:{otp:"000000"}){recoveryCodes}}', _ID, owner="otp_invalid",
    ),
    "second_factors.remove": Case(
        "row", Rest("DELETE", f"/auth/second-factors/{UNKNOWN}", status=404),
        "mutation($id:ID!){removeSecondFactor(id:$id)}", {"id": UNKNOWN}, owner="second_factor_not_found",
    ),
    "second_factors.verify": Case(
        "own", Rest("POST", "/auth/second-factors/verify", {"otp": "000000"}, 409),
        'mutation{verifySecondFactor(input:{otp:"000000"}){freshUntil}}', owner="no_second_factor",
    ),
    "second_factors.new_recovery_codes": Case(
        "own", Rest("POST", "/auth/recovery-codes", status=409),
        "mutation{newRecoveryCodes{recoveryCodes}}", owner="no_second_factor",
    ),
}  # fmt: skip


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use: an app that is not confirmed, so that her logins need no code."""
    made = await ada.rest("POST", "/auth/second-factors/totp", json={"password": PASSWORD})
    return {"second_factor": made.json()["id"]}
