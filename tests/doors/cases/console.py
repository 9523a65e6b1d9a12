"""The cases of the console's login, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest

_FROM_CONSOLE = {"origin": "http://postern.test", "x-postern-console": "1"}
_COOKIE = "it sets a cookie of the browser, which GraphQL has no words for"

CASES: dict[str, Case] = {
    "console.log_in": Case(
        "public",
        Rest(
            "POST", "/console/session", {"email": "{ada_email}", "password": "{password}"}, 204, _FROM_CONSOLE
        ),
        None,
        why=_COOKIE,
    ),
    "console.log_out": Case(
        "public", Rest("DELETE", "/console/session", status=204, headers=_FROM_CONSOLE), None, why=_COOKIE
    ),
    "console.access_token": Case(
        "public",
        Rest("POST", "/console/session/token", status=204, headers=_FROM_CONSOLE),
        None,
        why="GraphQL itself takes the cookie, so it needs no token",
    ),
    "console.demo_login": Case(
        "public",
        Rest("POST", "/console/session/demo", status=204, headers=_FROM_CONSOLE),
        None,
        why="it is for the page on which nobody is logged in",
    ),
}
