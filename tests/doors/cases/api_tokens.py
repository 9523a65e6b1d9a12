"""The cases of api_tokens, as tests/doors/case.py describes them."""

from tests.doors.case import RELATION, Case, Rest

CASES: dict[str, Case] = {
    "api_tokens.page": Case("own", Rest("GET", "/api-tokens"), "{apiTokens{nodes{uuid name}}}"),
    "api_tokens.of_users": Case("own", None, "{me{apiTokens{nodes{uuid name}}}}", why=RELATION),
    "api_tokens.get": Case(
        "row", Rest("GET", "/api-tokens/{api_token}"), "query($id:ID!){apiToken(id:$id){uuid name}}",
        {"id": "{api_token}"}
    ),
    "api_tokens.create": Case(
        "own", Rest("POST", "/api-tokens", {"name": "t"}, 201), 'mutation{createApiToken(input:{name:"t"}){token}}'
    ),
    "api_tokens.revoke": Case(
        "row", Rest("DELETE", "/api-tokens/{api_token}"), "mutation($id:ID!){revokeApiToken(id:$id){uuid}}",
        {"id": "{api_token}"}
    ),
    "api_tokens.update": Case(
        "row", Rest("PATCH", "/api-tokens/{api_token}", {"name": "u"}),
        'mutation($id:ID!){updateApiToken(id:$id,input:{scopes:["messages:read"]}){uuid scopes}}', {"id": "{api_token}"}
    ),
    "api_tokens.permissions": Case(
        "own", Rest("GET", "/permissions"), "{permissions{name description presets granted}}"
    ),
}  # fmt: skip
