"""The cases of rules of receivers, as tests/doors/case.py describes them."""

from tests.doors.case import UNKNOWN, Case, Rest

CASES: dict[str, Case] = {
    "receivers.rules": Case(
        "own",
        Rest("GET", "/receiver-rules"),
        "{receiverRules{uuid domain providerClass inFlight perMinute warmUp warmUpFrom pauses allowance"
        " used{providerClass used}}}",
    ),
    "receivers.pauses": Case(
        "own",
        Rest("GET", "/receiver-pauses"),
        "{receiverPauses{uuid ownerUuid domain providerClass until times answer}}",
    ),
    "receivers.set_rule": Case(
        "admin",
        Rest("PUT", "/receiver-rules", {"domain": "example.net", "providerClass": "gmail", "perMinute": 60}),
        'mutation{setReceiverRule(input:{domain:"example.net",inFlight:4}){uuid}}',
    ),
    "receivers.delete_rule": Case(
        "admin",
        Rest("DELETE", f"/receiver-rules/{UNKNOWN}", status=404),
        "mutation($id:UUID!){deleteReceiverRule(uuid:$id)}",
        {"id": UNKNOWN},
        owner="receiver_rule_not_found",
    ),
    "receivers.lift_pause": Case(
        "admin",
        Rest("DELETE", f"/receiver-pauses/{UNKNOWN}", status=404),
        "mutation($id:UUID!){liftReceiverPause(uuid:$id)}",
        {"id": UNKNOWN},
        owner="receiver_pause_not_found",
    ),
}
