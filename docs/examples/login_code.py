"""Proves that a phone is a person's: an SMS with a code, and an email if the SMS does not arrive. `login_code.py PHONE EMAIL`."""

import sys

from api import Refused, call


def start(phone: str, email: str) -> str:
    """Sends a code. Starting again within its time sends the same code. Returns the id of the verification."""
    verification = call(
        "POST",
        "/verifications",
        {
            "to": phone,
            "chain": [{"channel": "sms", "within": 30}, {"channel": "email", "to": email}],
            "purpose": "login",
        },
    )
    return str(verification["id"])


def check(verification: str, code: str) -> str:
    """Returns what the code is: approved, wrong, expired, used, too_many."""
    return str(call("POST", f"/verifications/{verification}/check", {"code": code})["status"])


if __name__ == "__main__":
    try:
        verification = start(*sys.argv[1:])
    except Refused as error:
        sys.exit(f"No code was sent: {error} ({error.code})")
    print("A code is on its way. Enter it:")
    for line in sys.stdin:
        status = check(verification, line.strip())
        print(status)
        if status != "wrong":
            break
