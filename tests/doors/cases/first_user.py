"""The case of the first administrator. One exists here; tests/first_user has links that work."""

from tests.doors.case import Case, Rest

_INPUT = {"token": "x", "email": "first@example.com", "password": "correct horse"}

CASES: dict[str, Case] = {
    "first_user.create": Case(
        "public",
        Rest("POST", "/auth/first-user", _INPUT, 410),
        "mutation($input:FirstUser!){createFirstUser(input:$input){accessToken}}",
        variables={"input": _INPUT},
        owner="first_user_link_gone",
    ),
}
