"""The cases of traffic and of the costs of routes."""

from tests.doors.case import Case, Rest

CASES: dict[str, Case] = {
    "costs.traffic": Case(
        "own",
        Rest("GET", "/traffic?groupBy=country,owner"),
        "{traffic(input:{groupBy:[country,owner]}){total countedUntil"
        " items{country ownerUuid messages charged margin}}}",
    ),
    "costs.routes": Case(
        "admin",
        Rest("GET", "/route-costs"),
        "{routeCosts{route listId validFrom createdBy createdAt}}",
    ),
    "costs.set_route": Case(
        "admin",
        Rest("PUT", "/route-costs/sandbox", {"listId": None}),
        'mutation{setRouteCosts(route:"sms-1",input:{listId:null}){route listId}}',
    ),
}
