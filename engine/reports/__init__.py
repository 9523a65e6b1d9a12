"""Reports about messages: their results by providers and engines, in any order and any number of times.

A report comes by a channel (`receive_receipts`), by a user's hook (`receive`), or about a chat message that a project
sent (`engine/messengers/project_links.py`).

a report ──► report_writer: finds the message ──► statements: moves it forward ──► refunds, blocks of bounced addresses
                   │ unknown, or not handed over yet
                   └──► early: kept for 72 hours ── after the message's commit ──► apply_early

Only reports of the way that took the message move money: its route's, its messenger account's, and bounces. A report of
the owner's delivery hook (`Report.by_hook`) moves the shown status alone; `way_status` keeps the way's own, above which
the way's next report counts, so that it overrides the hook in either direction (decision 0082).

The same rules hold for all:

- The status is the result of the set of reports, in every order and grouping: the furthest one (`RANKS`). What was
  canceled or skipped, or what failed without a report, stays so.
- A message that its way calls failed gets its price back, once. An email address that does not exist is blocked, but
  for one of a direct message that a channel reports: the sandbox's `bounced@…` may be written to again.
- A `delivered` or `read` of the way within 72 hours of the first such report (`statements.WINDOW`) takes the refund
  back, once; what the balance lacks is owed, and the next credit pays it. The hours are those at which reports came, so
  that every order has one result; a later `failed` about the same attempt doesn't prolong them. The block that the
  failure alone has made ends, but not one of a bounce. A message that is queued again meanwhile is not sent again; a
  `failed` about the attempt before says nothing.
- No time is before the hand-over. A report without a time, or with one in the future, gets the time at which it came;
  one from more than five minutes before the hand-over is about an older message whose number was used again.
- A report about an unknown message, or one that was not handed over yet, is early: `early.py` keeps it,
  and `apply_early` applies it after the commit that changes that. A hook's report is also early while its message is
  being sent.

A message is found by its id, or by its provider's, which is its own where `provider_message_id` is NULL.
"""
