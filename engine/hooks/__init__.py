"""Stores the events that a user's own engines post to the user's hooks.

`turns.py` is the order in which callbacks of providers begin.

a body ──► bodies: read leniently ──► hook_events: stored once, in one transaction a request
                                          ├─► mail_events         bounces and complaints about emails
                                          ├─► engine/reports      what became of other messages
                                          ├─► engine/inbound      replies
                                          └─► complaints          block the address
"""
