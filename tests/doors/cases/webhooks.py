"""webhooks: what tests/doors/matrix.py says of this feature."""

from tests.doors.case import Case, Rest
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
    "webhooks.list_of": Case(
        "row",
        None,
        "query($id:ID!){webhooks(accountId:$id){uuid url waiting dead account{uuid}}}",
        {"id": "{hooked_account}"},
        why=_VENDOR,
    ),
    "webhooks.get": Case(
        "row", None, "query($id:ID!){webhook(id:$id){uuid url}}", {"id": "{webhook}"}, why=_VENDOR
    ),
    "webhooks.dead": Case(
        "row",
        None,
        "query($id:ID!){deadLetters(webhookId:$id){items{uuid body} meta{total}}}",
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
    made = await ada.data("{messengerAccounts{items{uuid login}}}")
    (account,) = [one["uuid"] for one in made["messengerAccounts"]["items"] if one["login"] == "hooked"]
    hooks = await ada.data("query($id:ID!){webhooks(accountId:$id){uuid}}", {"id": account})
    return {"hooked_account": account, "webhook": hooks["webhooks"][0]["uuid"]}
