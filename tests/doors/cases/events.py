"""The cases of events, as tests/doors/case.py describes them."""

from tests.doors.case import RELATION, Case, Rest
from tests.support.people import Person

_ONLY_GRAPHQL = "the specification lists no REST route for it (contract §3: GraphQL has it)"
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
    "events.hook_secrets": Case("own", None, "{hookSecrets{nodes{uuid kind hint}}}", why=_ONLY_GRAPHQL),
    "events.hook_secrets_of": Case("own", None, "{me{hookSecrets{nodes{uuid kind}}}}", why=RELATION),
    "events.hook_secret": Case(
        "row", None, "query($id:ID!){hookSecret(id:$id){uuid kind}}", {"id": "{hook_secret}"}, why=_ONLY_GRAPHQL
    ),
    "events.rotate_hook_secret": Case("own", None, "mutation{rotateHookSecret{secret}}", why=_ONLY_GRAPHQL),
    "events.create_hook_key": Case("own", None, "mutation{createHookKey{secret}}", why=_ONLY_GRAPHQL),
    "events.revoke_hook_secret": Case(
        "row", None, "mutation($id:ID!){revokeHookSecret(id:$id){uuid}}", {"id": "{hook_secret}"},
        why=_ONLY_GRAPHQL,
    ),
}  # fmt: skip


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    made = await ada.data("mutation{createHookKey{hookSecret{uuid}}}")
    return {"hook_secret": made["createHookKey"]["hookSecret"]["uuid"]}
