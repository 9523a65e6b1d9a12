"""Reports about messages: their results by providers and engines, in any order and any number of times.

A report comes by a channel (`receive_receipts`), by a user's hook (`receive`), or about a chat message that a project
sent (`engine/messengers/project_links.py`).

a report ──► report_writer: finds the message ──► statements: moves it forward ──► refunds, blocks of bounced addresses
                   │ unknown, or not handed over yet
                   └──► early: kept for 72 hours ── after the message's commit ──► apply_early

Only reports of the way that took the message move money: its route's, its messenger account's, and bounces. A report of
the owner's delivery hook (`Report.by_hook`) moves the shown status alone; `way_status` keeps the way's own, above which
the way's next report counts, so that it overrides the hook in either direction (decision 0082).

Decision 0103 and docs/states.md have the rules: the status is what the set of reports says, a late `delivered` takes
the refund and the block of the failure back, and no time is before the hand-over. A report about an unknown message, or
one that was not handed over yet, is early; a hook's is also early while its message is being sent. An email address
that does not exist is blocked, but for one of a direct message that a channel reports: the sandbox's `bounced@…` may be
written to again.

A message is found by its id, or by its provider's, which is its own where `provider_message_id` is NULL.
"""
