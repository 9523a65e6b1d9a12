"""ai: what tests/doors/matrix.py says of this feature."""

from tests.doors.case import Case, Rest
from tests.support.people import Person

CASES: dict[str, Case] = {
    "ai.generate": Case(
        "own",
        Rest("POST", "/ai-integration", {"prompt": "x"}, 503),
        'mutation{generateText(input:{prompt:"x"}){texts model usage{totalTokens}}}',
        owner="ai_not_configured",
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    return {}
