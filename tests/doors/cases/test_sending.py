"""test sending: what tests/doors/matrix.py says of this feature."""

from tests.doors.case import Case, Rest
from tests.support.people import Person

CASES: dict[str, Case] = {
    "test_sending.send": Case(
        "own",
        Rest("POST", "/test-sending", {"channel": "telegram", "to": "@ada_lovelace", "text": "hi"}),
        'mutation{sendTestMessage(input:{channel:telegram,to:"@ada_lovelace",text:"hi"}){messageId status}}',
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    return {}
