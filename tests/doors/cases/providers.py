"""The cases of the providers. The test and the set-up are refused by the guard: the server's name is this machine."""

from tests.doors.case import Case, Rest

_VALUES = {"from": "a@example.com", "host": "localhost", "user": "u", "password": "p"}
_INPUT = {"channel": "email", "provider": "mail-server", "values": _VALUES}

CASES: dict[str, Case] = {
    "providers.every": Case(
        "admin",
        Rest("GET", "/system/providers"),
        "{providers{name label about channels fields{name label about secret required example default choices}}}",
    ),
    "providers.set_up": Case(
        "admin",
        Rest("POST", "/system/providers", _INPUT, 400),
        "mutation($input:NewProvider!){setUpProvider(input:$input){name made}}",
        {"input": _INPUT},
        owner="bad_route",
    ),
    "providers.test": Case(
        "admin",
        Rest("POST", "/system/providers/test", {**_INPUT, "to": "b@example.com"}, 400),
        "mutation($input:ProviderTest!){testProvider(input:$input){sent result code reason}}",
        {"input": {**_INPUT, "to": "b@example.com"}},
        owner="bad_route",
    ),
}
