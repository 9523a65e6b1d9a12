"""The cases of deliveries of webhooks, as tests/doors/case.py describes them. The webhooks are those of
cases/webhooks.py.
"""

from tests.doors.case import CONNECTION, NOT_LISTED, RELATION, UNKNOWN, Case, Rest

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
        None,
        "query($id:ID!){webhookDelivery(id:$id){uuid}}",
        {"id": UNKNOWN},
        why=CONNECTION,
        owner="not_found",
    ),
    "webhook_deliveries.counts": Case(
        "row", None, "query($id:ID!){webhook(id:$id){waiting dead}}", {"id": "{webhook}"}, why=RELATION
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
        None,
        "query($id:ID!){deadLetter(id:$id){uuid}}",
        {"id": UNKNOWN},
        why=NOT_LISTED,
        owner="not_found",
    ),
    "webhook_deliveries.dead": Case(
        "row",
        None,
        "query($id:ID!){deadLetters(webhookId:$id){nodes{uuid body} totalCount}}",
        {"id": "{webhook}"},
        why=NOT_LISTED,
    ),
    "webhook_deliveries.replay": Case(
        "row",
        None,
        "mutation($id:ID!){replayDeadLetters(webhookId:$id)}",
        {"id": "{webhook}"},
        why=NOT_LISTED,
    ),
}
