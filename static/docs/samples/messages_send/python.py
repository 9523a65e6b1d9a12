from postern_sdk import Postern
from postern_sdk.models import SendMessage

with Postern() as postern:  # of POSTERN_URL, as POSTERN_TOKEN
    message = postern.messages.send(
        SendMessage(channel="sms", to="+14155550100", body="Your table is ready"),
        idempotency_key="booking-17",
    )
    print(message.id, message.status)
