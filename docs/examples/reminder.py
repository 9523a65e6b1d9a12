"""Reminds of an appointment a day before it, and not if it is canceled: `reminder.py PHONE TIME`, `reminder.py cancel ID`."""

import sys
from datetime import datetime, timedelta

from api import Refused, call


def remind(appointment: str, phone: str, at: datetime) -> str:
    """Schedules the reminder of an appointment, once however often it is called. Returns the id of its message."""
    message = call(
        "POST",
        "/messages",
        {
            "channel": "sms",
            "to": phone,
            "body": f"Your appointment is tomorrow at {at:%H:%M}. Call us if you can't come.",
            "sendAt": (at - timedelta(days=1)).isoformat(),
            "validSeconds": 3600,  # a reminder that comes an hour late helps no customer
        },
        key=f"reminder-{appointment}",
    )
    return str(message["id"])


def cancel(message: str) -> bool:
    """Cancels a reminder. Returns False if it was sent before."""
    try:
        call("DELETE", f"/messages/{message}")
    except Refused as error:
        if error.code != "already_submitted":
            raise
        return False
    return True


if __name__ == "__main__":
    if sys.argv[1] == "cancel":
        print("canceled" if cancel(sys.argv[2]) else "too late")
    else:
        phone, time = sys.argv[1:]
        print(remind(f"{phone}-{time}", phone, datetime.fromisoformat(time)))
