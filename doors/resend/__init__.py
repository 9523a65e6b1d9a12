"""The door for Resend's clients: one address and one key in their configuration, and they send through this service.

POST /doors/resend/emails ──► route.py: the API key, the JSON, the call; errors.py: what is refused, in Resend's form
                                │
     emails.py ◄────────────────┼──────────────► contacts.py (read), webhooks.py
       │ email_requests.py: an email becomes a message for each recipient
       │ attachments.py:    base64 becomes files
       ▼
     messages.send, message_batches.send: the same operations that POST /messages calls

The bodies of webhooks with the format `resend` are made where webhooks are sent (engine/webhooks/resend_bodies.py).
"""

from doors.resend.route import BODY_BYTES, PREFIX, ROUTES, refusal

__all__ = ["BODY_BYTES", "PREFIX", "ROUTES", "refusal"]
