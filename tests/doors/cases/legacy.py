"""The cases of legacy, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest

CASES: dict[str, Case] = {
    "legacy.call": Case(
        "own", Rest("GET", "/legacy/x", status=503), 'mutation{legacyCall(input:{path:"/x"}){ok}}',
        owner="legacy_not_configured",
    ),
}  # fmt: skip
