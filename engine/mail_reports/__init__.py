"""Reads the reports about an email after the next server took it: bounces, delays and complaints that come as mail.

door: SMTP or LMTP ──► inbox: groups of mails, each read in a process and recorded in a transaction

a mail ──► reading: bounded MIME, the parts of a report ──► recipients: a DSN's fields (RFC 3464)
                │                                            bounce_text: a bounce without them
                │                                            feedback: a complaint (RFC 5965)
                ├──► classes: what a failure says about the address, the content or us
                └──► reference: the token of ours that names the message ──► effects: what that leads to
                                                                             recording: stores it and does so

Up to `effects` all is pure: it needs neither a database nor a network, and changes nothing. A mail is written by
anybody, so it is read in a process of its own (`read_mail_reports` in engine/render_worker/tasks.py), never in that of
the API or a worker.
"""
