"""The cases of rules of routes, as tests/doors/case.py describes them."""

from tests.doors.case import UNKNOWN, Case, Rest

_ID = {"id": UNKNOWN}
_NONE = "route_rule_not_found"
_RULE = {"prefix": "49", "route": "sms-1"}

CASES: dict[str, Case] = {
    "route_rules.page": Case(
        "admin",
        Rest("GET", "/route-rules"),
        "{routeRules{nodes{uuid prefix route category ownerId priority weight fallback owner{uuid}}}}",
    ),
    "route_rules.get": Case(
        "admin",
        Rest("GET", f"/route-rules/{UNKNOWN}", status=404),
        "query($id:ID!){routeRule(id:$id){uuid prefix}}",
        _ID,
        owner=_NONE,
    ),
    "route_rules.trace": Case(
        "own",
        Rest("POST", "/route-rules/trace", {"to": "+4930123456"}),
        '{routeFor(input:{to:"+4930123456"}){country candidates{route use state ruleId why} waits{code} sender'
        " senderWhy price refusal{code message}}}",
    ),
    "route_rules.quality": Case(
        "admin",
        Rest("GET", "/route-rules/quality"),
        "{routeQuality{route prefix sent delivered sentBefore deliveredBefore degradedSince retryAt}}",
    ),
    "route_rules.create": Case(
        "admin",
        Rest("POST", "/route-rules", {**_RULE, "ownerId": "{user}"}, 201),
        'mutation($user:UUID!){createRouteRule(input:{prefix:"33",route:"sms-1",ownerId:$user}){uuid}}',
        {"user": "{user}"},
    ),
    "route_rules.update": Case(
        "admin",
        Rest("PUT", f"/route-rules/{UNKNOWN}", _RULE, 404),
        'mutation($id:ID!){updateRouteRule(id:$id,input:{prefix:"49",route:"sms-1"}){uuid}}',
        _ID,
        owner=_NONE,
    ),
    "route_rules.delete": Case(
        "admin",
        Rest("DELETE", f"/route-rules/{UNKNOWN}", status=404),
        "mutation($id:ID!){deleteRouteRule(id:$id)}",
        _ID,
        owner=_NONE,
    ),
}
