"""Domains of emails: who may send from them, and the keys that sign their emails.

POST /domains ──► domains, dkim_keys ──► the owner sets records in the DNS
                        ▲                            │
POST …/verify, rounds ──┴── checks: asks the DNS ◄───┘   pending ──► verified ──► lost ──► expired
                                                         a key: pending ──► active ──► retired ──► deleted

postern dkim ──► dkim_keys of the installation, for a channel's own From

a worker ──► senders: keys of the domains that a batch needs ──► Outgoing.signers ──► channels/smtp/dkim
"""
