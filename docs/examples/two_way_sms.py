"""Answers SMS that come in: `two_way_sms.py FILE` keeps its position in FILE, and goes on there after a crash."""

import sys
import time
from pathlib import Path
from typing import Any

from api import call

HOURS = "We are open from 9 to 17."
HELP = "Send HOURS for our opening hours. A person will read anything else."


def answer_to(text: str) -> str:
    """Returns the answer to a text."""
    return HOURS if text.strip().upper() == "HOURS" else HELP


def answer(event: dict[str, Any]) -> None:
    """Answers an SMS that has come in; the key is the event's, so that it is answered once."""
    message = event["data"]
    if message["channel"] == "sms":
        reply = {"channel": "sms", "to": message["sender"], "body": answer_to(message["body"])}
        call("POST", "/messages", reply, key=f"answer-{event['id']}")


def follow(file: Path) -> None:
    """Answers everything that comes in, in its order, for ever."""
    cursor = file.read_text() if file.exists() else ""
    while True:
        page = call(
            "GET", "/events?types=message.received&first=100" + (f"&after={cursor}" if cursor else "")
        )
        for event in page["events"]:
            answer(event)
        cursor = page["next"]
        file.write_text(cursor)
        if not page["more"]:
            time.sleep(1)


if __name__ == "__main__":
    follow(Path(sys.argv[1]))
