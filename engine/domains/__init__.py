"""Domains of emails: the keys that sign them.

postern dkim create ──► dkim_keys: pending ──► active ──► retired ──► deleted
                                                 │
a worker ──► senders: keys of the domains that a batch needs ──► Outgoing.signers ──► channels/smtp/dkim
"""
