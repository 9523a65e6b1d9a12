"""Tells a customer about an order by WhatsApp, and by SMS if WhatsApp does not deliver it: `order_updates.py ORDER PHONE`."""

import sys
import time

from api import call


def tell(order: str, event: str, phone: str, text: str) -> str:
    """Sends a text, once for each event of an order. Returns the id of the message."""
    message = call(
        "POST",
        "/messages",
        {
            "to": phone,
            "body": text,
            "chain": [{"channel": "whatsapp", "within": 300, "until": "delivered"}, {"channel": "sms"}],
        },
        key=f"order-{order}-{event}",
    )
    return str(message["id"])


def outcome(message: str) -> str:
    """Waits until a step has reached its recipient or nothing further begins. Returns what became of the message."""
    while True:
        shown = call("GET", f"/messages/{message}")
        if shown["deliveryState"] not in ("queued", "sending"):
            steps = ", ".join(f"{step['channel']}: {step['deliveryState']}" for step in shown["steps"])
            return f"{shown['deliveryState']} ({steps})"
        time.sleep(0.5)


if __name__ == "__main__":
    order, phone = sys.argv[1:]
    print(outcome(tell(order, "left", phone, f"Your order {order} has left our warehouse.")))
