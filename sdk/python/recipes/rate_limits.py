"""Sends more messages than the limit allows at once: `python rate_limits.py +14155550100 +14155550101 …`.

The client waits as long as `Retry-After` says, and sends the request again. Only what takes longer than `longest_wait`
is an error.
"""

import sys

from postern_sdk import Postern, RateLimited, Retries
from postern_sdk.models import SendMessage

with Postern(retries=Retries(most=10, longest_wait=120)) as postern:
    for to in sys.argv[1:]:
        try:
            message = postern.messages.send(SendMessage(channel="sms", to=to, body="Your table is ready"))
        except RateLimited as error:
            sys.exit(f"{error.explain()} Try again in {error.retry_after} s.")
        print(message.id)
