"""The cases of agents, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest

_REQUEST = {
    "clientId": "agent_of_nobody",
    "redirectUri": "http://127.0.0.1/callback",
    "responseType": "code",
    "codeChallenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    "codeChallengeMethod": "S256",
}

CASES: dict[str, Case] = {
    "agents.connected": Case("own", Rest("GET", "/agents"), "{connectedAgents{items{tokenUuid clientName}}}"),
    "agents.review": Case(
        "own",
        Rest("POST", "/agents/review", _REQUEST, 400),
        "query($i:AgentRequest!){agentReview(input:$i){clientName}}",
        {"i": _REQUEST},
        owner="unknown_client",
    ),
    "agents.allow": Case(
        "own",
        Rest("POST", "/agents", {**_REQUEST, "scopes": ["messages:read"]}, 400),
        "mutation($i:AllowAgent!){allowAgent(input:$i){redirectUrl}}",
        {"i": {**_REQUEST, "scopes": ["messages:read"]}},
        owner="unknown_client",
    ),
}
