"""The cases of logins. The account is stopped; tests/logins has the logins."""

from tests.doors.case import Case, Rest
from tests.support.messengers import UNUSED

_CALL = {"source": "telegram", "login": UNUSED}
_ID = {"id": "{messenger}"}

CASES: dict[str, Case] = {
    "logins.set_phone": Case(
        "row",
        Rest("POST", "/enablePhoneAuth", {**_CALL, "phone": "14155550100"}),
        'mutation($id:ID!){setMessengerPhone(id:$id,input:{phone:"+14155550100"}){uuid phone}}',
        _ID,
    ),
    "logins.qr": Case(
        "row",
        Rest("POST", "/getQr", _CALL, status=409),
        "query($id:ID!){qrCode(id:$id){value png screenshotUrl}}",
        _ID,
        owner="wrong_state",
    ),
    "logins.pairing_code": Case(
        "row",
        Rest("POST", "/getAuthCode", _CALL, status=409),
        "query($id:ID!){pairingCode(id:$id){value}}",
        _ID,
        owner="auth_code_undefined",
    ),
    "logins.solve": Case(
        "row",
        Rest("POST", "/solveChallenge", {**_CALL, "code": "12345"}, status=409),
        'mutation($id:ID!){solveMessengerChallenge(id:$id,input:{code:"12345"}){state}}',
        _ID,
        owner="wrong_state",
    ),
    "logins.give_password": Case(
        "row",
        Rest("POST", "/twoFactorAuth", {**_CALL, "code": "a password"}, status=409),
        'mutation($id:ID!){giveMessengerPassword(id:$id,input:{password:"a password"}){state}}',
        _ID,
        owner="wrong_state",
    ),
    "logins.screenshot": Case(
        "public",
        Rest("GET", "/screenshot?account={messenger}&expires=0&signature=x", status=403),
        None,
        why="a picture leaves by HTTP, and who has a signed link needs no credential (GraphQL: qrCode)",
        owner="bad_link",
    ),
}
