"""Stores what a user's own engines post to the user's hooks.

a body ──► bodies: read leniently ──► hook_events: stored once, in one transaction a request
                                          ├─► engine/reports      what became of messages
                                          ├─► engine/inbound      replies
                                          └─► complaints          block the address
"""
