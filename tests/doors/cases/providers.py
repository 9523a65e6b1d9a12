"""The cases of the providers. Nothing is sent: the route is for pushes, and the test is refused by the guard, since the
server's name is this machine.
"""

from tests.doors.case import Case, Rest

_MAIL = {
    "channel": "email",
    "provider": "mail-server",
    "values": {"from": "a@example.com", "host": "localhost", "user": "u", "password": "p"},
    "to": "b@example.com",
}


def _push(name: str) -> dict[str, object]:
    return {"channel": "push", "provider": "http", "name": name, "values": {"host": "1.1.1.1", "token": "t"}}


CASES: dict[str, Case] = {
    "providers.every": Case(
        "admin",
        Rest("GET", "/system/providers"),
        "{providers{name label about channels fields{name label about secret required example default choices}}}",
    ),
    "providers.set_up": Case(
        "admin",
        Rest("POST", "/system/providers", _push("rest-example-com"), 201),
        "mutation($input:NewProvider!){setUpProvider(input:$input){name made}}",
        {"input": _push("graph-example-com")},
    ),
    "providers.test": Case(
        "admin",
        Rest("POST", "/system/providers/test", _MAIL, 400),
        "mutation($input:ProviderTest!){testProvider(input:$input){sent result code reason}}",
        {"input": _MAIL},
        owner="bad_route",
    ),
}
