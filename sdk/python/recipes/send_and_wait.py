"""Sends a message and waits until it is delivered: `python send_and_wait.py +14155550100`.

POSTERN_URL and POSTERN_TOKEN say where Postern is and who is calling. To follow many messages, take a webhook
(receive_webhook.py) instead of asking for each.
"""

import sys
import time

from postern_sdk import Postern
from postern_sdk.models import SendMessage

LONGEST = 60  # seconds

with Postern() as postern:
    message = postern.messages.send(SendMessage(channel="sms", to=sys.argv[1], body="Your table is ready"))
    ends = time.monotonic() + LONGEST
    while message.status not in {"delivered", "failed"} and time.monotonic() < ends:
        time.sleep(0.5)
        message = postern.messages.get(message.id)
    print(message.id, message.status, message.failure_reason or "")
    sys.exit(message.status != "delivered")
