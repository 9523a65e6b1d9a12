"""Sends a message once, however often this runs: `python safe_retry.py +14155550100 order-4711`.

Each try of a request has the same idempotency key, so that a request whose answer was lost does nothing twice. The
client makes such a key by itself; one of your own also covers a program that was killed, or a job that runs again.
"""

import sys

from postern_sdk import ConnectionFailed, Postern, Retries
from postern_sdk.models import SendMessage

to, order = sys.argv[1:]

with Postern(retries=Retries(most=5)) as postern:
    try:
        message = postern.messages.send(
            SendMessage(channel="sms", to=to, body=f"Your order {order} is on its way"),
            idempotency_key=f"on-its-way-{order}",
        )
    except ConnectionFailed as error:
        sys.exit(f"{error} Run it again later, with the same key: that is safe.")
    print(message.id)
