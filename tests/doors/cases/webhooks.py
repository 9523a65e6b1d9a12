"""The cases of webhooks, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, RELATION, UNKNOWN, Case, Rest
from tests.support.people import Person

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
        Rest("PATCH", "/webhooks/{webhook}", {"enabled": True}),
        "mutation($id:ID!){updateWebhook(id:$id,input:{events:[message],enabled:true}){uuid events enabled}}",
        {"id": "{webhook}"},
    ),
    "webhooks.delete": Case(
        "row",
        Rest("DELETE", "/webhooks/{spare_webhook}", status=204),
        "mutation($id:ID!){deleteWebhook(id:$id)}",
        {"id": "{webhook}"},
    ),
    "webhooks.remove": Case(
        "row",
        Rest("POST", "/deleteWebhook", {**_CALL, "webhookUrl": _OTHER}),
        None,
        why="GraphQL's deleteWebhook names it by its id",
    ),
    "webhooks.rotate": Case(
        "row",
        Rest("POST", "/webhooks/{webhook}/secret", {}),
        "mutation($id:ID!){rotateWebhookSecret(id:$id){secret webhook{uuid}}}",
        {"id": "{webhook}"},
    ),
    "webhooks.page": Case(
        "row",
        Rest("GET", "/messenger-accounts/{hooked_account}/webhooks"),
        "query($id:ID!){webhooks(accountId:$id){nodes{uuid url account{uuid}}}}",
        {"id": "{hooked_account}"},
    ),
    "webhooks.of_accounts": Case(
        "own", None, "{messengerAccounts{nodes{webhooks{nodes{uuid url}}}}}", why=RELATION
    ),
    "webhooks.by_ids": Case(
        "own",
        None,
        "{messengerAccounts{nodes{webhooks(first:5){nodes{deadLetters(first:5){nodes{webhook{uuid}}}}}}}}",
        why=RELATION,
    ),
    "webhooks.get": Case(
        "row",
        Rest("GET", "/webhooks/{webhook}"),
        "query($id:ID!){webhook(id:$id){uuid url}}",
        {"id": "{webhook}"},
    ),
    "webhooks.create": Case(
        "own",
        Rest("POST", "/webhooks", {"url": _URL}, 201),
        "mutation($u:String!){createWebhook(input:{url:$u}){secret webhook{uuid}}}",
        {"u": _URL},
    ),
    "webhooks.list": Case("own", Rest("GET", "/webhooks"), None, why=CONNECTION),
    "webhooks.test": Case(
        "row",
        Rest("POST", f"/webhooks/{UNKNOWN}/test", status=404),
        "mutation($id:ID!){testWebhook(id:$id){delivered error}}",
        {"id": UNKNOWN},
        owner="webhook_not_found",  # it would call a foreign host; tests/event_webhooks calls one of its own
    ),
    "webhooks.preview": Case(
        "own",
        Rest("POST", "/webhooks/preview", {"types": ["block.added"]}),
        '{previewWebhook(input:{types:["block.added"]}){body cost}}',
    ),
    "webhooks.try_now": Case(
        "row",
        Rest("POST", "/webhooks/{feed_webhook}/try-now"),
        "mutation($id:ID!){tryWebhookNow(id:$id){uuid}}",
        {"id": "{feed_webhook}"},
    ),
    "webhooks.replay": Case(
        "row",
        Rest("POST", "/webhooks/{feed_webhook}/replay", {"since": "2126-01-01T00:00:00Z"}),
        'mutation($id:ID!){replayWebhook(id:$id,input:{since:"2126-01-01T00:00:00Z"})}',
        {"id": "{feed_webhook}"},
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
    feed, spare = [(await ada.rest("POST", "/webhooks", json={"url": _URL})).json()["id"] for _ in range(2)]
    await ada.rest("POST", "/block/previewed@example.com")
    await ada.rest("GET", "/events")  # gives the event its position
    return {
        "hooked_account": account["uuid"],
        "webhook": account["webhooks"]["nodes"][0]["uuid"],
        "feed_webhook": feed,
        "spare_webhook": spare,
    }
