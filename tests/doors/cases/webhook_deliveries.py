"""The cases of deliveries of webhooks, as tests/doors/case.py describes them. The webhooks are those of
cases/webhooks.py.
"""

from tests.doors.case import CONNECTION, RELATION, UNKNOWN, Case, Rest

CASES: dict[str, Case] = {
    "webhook_deliveries.page": Case(
        "row",
        None,
        "query($id:ID!){webhookDeliveries(webhookId:$id){nodes{uuid state}}}",
        {"id": "{feed_webhook}"},
        why=CONNECTION,
    ),
    "webhook_deliveries.list": Case(
        "row", Rest("GET", "/webhooks/{feed_webhook}/deliveries"), None, why=CONNECTION
    ),
    "webhook_deliveries.of_webhooks": Case(
        "row",
        None,
        "query($id:ID!){webhook(id:$id){deliveries{nodes{uuid}}}}",
        {"id": "{feed_webhook}"},
        why=RELATION,
    ),
    "webhook_deliveries.of_subjects": Case(
        "row",
        None,
        "query($id:ID!){message(id:$id){webhookDeliveries{nodes{uuid}}}}",
        {"id": "{message}"},
        why=RELATION,
    ),
    "webhook_deliveries.get": Case(
        "row",
        Rest("GET", f"/webhook-deliveries/{UNKNOWN}", status=404),
        "query($id:ID!){webhookDelivery(id:$id){uuid}}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
    "webhook_deliveries.counts": Case(
        "row", None, "query($id:ID!){webhook(id:$id){waiting dead}}", {"id": "{webhook}"}, why=RELATION
    ),
    "webhook_deliveries.counts_of": Case(
        "row", Rest("GET", "/webhooks/{webhook}/deliveries/counts"), None, why=CONNECTION
    ),
    "webhook_deliveries.letters": Case(
        "row",
        None,
        "query($id:ID!){webhook(id:$id){deadLetters{nodes{uuid type}}}}",
        {"id": "{webhook}"},
        why=RELATION,
    ),
    "webhook_deliveries.letter": Case(
        "row",
        Rest("GET", f"/dead-letters/{UNKNOWN}", status=404),
        "query($id:ID!){deadLetter(id:$id){uuid}}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
    "webhook_deliveries.dead": Case(
        "row",
        Rest("GET", "/webhooks/{webhook}/dead-letters"),
        "query($id:ID!){deadLetters(webhookId:$id){nodes{uuid body} totalCount}}",
        {"id": "{webhook}"},
    ),
    "webhook_deliveries.replay": Case(
        "row",
        Rest("POST", "/webhooks/{webhook}/dead-letters/replay"),
        "mutation($id:ID!){replayDeadLetters(webhookId:$id)}",
        {"id": "{webhook}"},
    ),
}
