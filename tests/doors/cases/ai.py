"""The cases of ai, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest

CASES: dict[str, Case] = {
    "ai.generate": Case(
        "own",
        Rest("POST", "/ai-integration", {"prompt": "x"}, 503),
        'mutation{generateText(input:{prompt:"x"}){texts model usage{totalTokens}}}',
        owner="ai_not_configured",
    ),
}
