"""The cases of events, as tests/doors/case.py describes them."""

from tests.doors.case import RELATION, Case, Rest
from tests.support.people import Person

_EVENTS = [{"event": "delivery", "providerMessageId": "SM1", "status": "delivered"}]
_CHANNEL = {"engineUserUuid": "{user}", "event": "connected", "source": "telegram", "login": "7999"}

CASES: dict[str, Case] = {
    # Engines have other proofs than a user's token, so the frame asks for none; without any it is refused.
    "events.deliver": Case(
        "public", Rest("POST", "/delivery-hook/{user}", {"events": _EVENTS}, 401),
        "mutation($e:[JSON!]!){deliverEvents(input:{events:$e}){accepted}}", {"e": _EVENTS},
        owner="unauthenticated",
    ),
    "events.channel": Case(
        "public", Rest("POST", "/webhook/user-channel", _CHANNEL, 401),
        'mutation{reportChannel(input:{event:connected,source:"telegram",login:"7999"}){accepted}}',
        owner="unauthenticated",
    ),
    "events.hook_secrets": Case(
        "own", Rest("GET", "/hook-secrets"), "{hookSecrets{nodes{uuid kind hint}}}"
    ),
    "events.hook_secrets_of": Case("own", None, "{me{hookSecrets{nodes{uuid kind}}}}", why=RELATION),
    "events.hook_secret": Case(
        "row", Rest("GET", "/hook-secrets/{hook_secret}"), "query($id:ID!){hookSecret(id:$id){uuid kind}}",
        {"id": "{hook_secret}"}
    ),
    "events.rotate_hook_secret": Case(
        "own", Rest("POST", "/hook-secrets/rotate", status=201), "mutation{rotateHookSecret{secret}}"
    ),
    "events.create_hook_key": Case(
        "own", Rest("POST", "/hook-secrets/keys", status=201), "mutation{createHookKey{secret}}"
    ),
    "events.revoke_hook_secret": Case(
        "row", Rest("DELETE", "/hook-secrets/{hook_secret}"), "mutation($id:ID!){revokeHookSecret(id:$id){uuid}}",
        {"id": "{hook_secret}"}
    ),
}  # fmt: skip


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    made = await ada.data("mutation{createHookKey{hookSecret{uuid}}}")
    return {"hook_secret": made["createHookKey"]["hookSecret"]["uuid"]}
