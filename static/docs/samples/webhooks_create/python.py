from postern_sdk import Postern
from postern_sdk.models import NewEventWebhook

with Postern() as postern:  # of POSTERN_URL, as POSTERN_TOKEN
    webhook = postern.webhooks.create(
        NewEventWebhook(url="https://example.com/events", types=["message.delivered", "message.failed"])
    )
    print(webhook.id, webhook.secret)  # for verify_webhook; it is shown once
