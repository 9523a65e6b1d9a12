from postern_sdk import Postern
from postern_sdk.models import BatchMessage, SendMessages

with Postern() as postern:  # of POSTERN_URL, as POSTERN_TOKEN
    text = "Your table is ready"
    messages = [
        BatchMessage(channel="sms", to="+14155550100", body=text, key="booking-17"),
        BatchMessage(channel="email", to="anna@example.com", body=text, key="booking-18"),
    ]
    sent = postern.message_batches.send(SendMessages(messages=messages))
    for result in sent.results:
        print(result.index, result.error or result.message)
