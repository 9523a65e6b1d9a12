"""The cases of webhooks, as tests/doors/case.py describes them."""

from tests.doors.case import RELATION, UNKNOWN, Case, Rest
from tests.support.people import Person

_VENDOR = "the vendor has no such method (contract §4: GraphQL has it)"
_CALL = {"source": "telegram", "login": "hooked"}
# Public addresses, so that nothing has to be looked up.
_URL, _OTHER, _THIRD = (f"https://93.184.215.14/{name}" for name in ("one", "two", "three"))

CASES: dict[str, Case] = {
    "webhooks.add": Case(
        "row",
        Rest("POST", "/addWebhook", {**_CALL, "webhookUrl": _THIRD}),
        "mutation($id:ID!,$u:String!){addWebhook(accountId:$id,input:{webhookUrl:$u}){secret webhook{uuid url}}}",
        {"id": "{hooked_account}", "u": _URL},
    ),
    "webhooks.update": Case(
        "row",
        None,
        "mutation($id:ID!){updateWebhook(id:$id,input:{events:[message],enabled:true}){uuid events enabled}}",
        {"id": "{webhook}"},
        why=_VENDOR,
    ),
    "webhooks.delete": Case(
        "row", None, "mutation($id:ID!){deleteWebhook(id:$id)}", {"id": "{webhook}"}, why=_VENDOR
    ),
    "webhooks.remove": Case(
        "row",
        Rest("POST", "/deleteWebhook", {**_CALL, "webhookUrl": _OTHER}),
        None,
        why="GraphQL's deleteWebhook names it by its id",
    ),
    "webhooks.rotate": Case(
        "row",
        None,
        "mutation($id:ID!){rotateWebhookSecret(id:$id){secret webhook{uuid}}}",
        {"id": "{webhook}"},
        why=_VENDOR,
    ),
    "webhooks.page": Case(
        "row",
        None,
        "query($id:ID!){webhooks(accountId:$id){nodes{uuid url account{uuid}}}}",
        {"id": "{hooked_account}"},
        why=_VENDOR,
    ),
    "webhooks.of_accounts": Case(
        "own", None, "{messengerAccounts{nodes{webhooks{nodes{uuid url}}}}}", why=RELATION
    ),
    "webhooks.counts": Case(
        "row", None, "query($id:ID!){webhook(id:$id){waiting dead}}", {"id": "{webhook}"}, why=RELATION
    ),
    "webhooks.letters": Case(
        "row",
        None,
        "query($id:ID!){webhook(id:$id){deadLetters{nodes{uuid type}}}}",
        {"id": "{webhook}"},
        why=RELATION,
    ),
    "webhooks.by_ids": Case(
        "own",
        None,
        "{messengerAccounts{nodes{webhooks(first:5){nodes{deadLetters(first:5){nodes{webhook{uuid}}}}}}}}",
        why=RELATION,
    ),
    "webhooks.letter": Case(
        "row",
        None,
        "query($id:ID!){deadLetter(id:$id){uuid}}",
        {"id": UNKNOWN},
        why=_VENDOR,
        owner="not_found",
    ),
    "webhooks.get": Case(
        "row", None, "query($id:ID!){webhook(id:$id){uuid url}}", {"id": "{webhook}"}, why=_VENDOR
    ),
    "webhooks.dead": Case(
        "row",
        None,
        "query($id:ID!){deadLetters(webhookId:$id){nodes{uuid body} totalCount}}",
        {"id": "{webhook}"},
        why=_VENDOR,
    ),
    "webhooks.replay": Case(
        "row", None, "mutation($id:ID!){replayDeadLetters(webhookId:$id)}", {"id": "{webhook}"}, why=_VENDOR
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    added = await ada.rest("POST", "/addAccount", json={**_CALL, "webhookUrls": [_URL, _OTHER]})
    assert added.status_code == 200, added.text
    made = await ada.data(
        '{messengerAccounts(where:{login:{eq:"hooked"}}){nodes{uuid webhooks{nodes{uuid}}}}}'
    )
    (account,) = made["messengerAccounts"]["nodes"]
    return {"hooked_account": account["uuid"], "webhook": account["webhooks"]["nodes"][0]["uuid"]}
