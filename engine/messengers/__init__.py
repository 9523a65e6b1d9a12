"""Messenger accounts at work: which process has which account, calls to it, and the storage of what it reports.

leases ──► host ──► account_runner: connect, probe, reconnect ──► the driver's connection (messengers/port.py)
 one process     │                                                    │ reports a state, a session, events
 an account      │                                                    ▼
                 │         account_writer: checks the lease, then in one transaction with the driver's cursor
                 │           event_writer, message_updates: chats, messages, statuses
                 │             ──► webhooks' outbox (engine/webhooks)
                 │           project_links: source accounts, replies, receipts ──► projects
                 │
call_client ──► rpc_transport (Redis, encrypted) ──► host ──► call_handler ──► the driver's connection
  `ask`, from any process: sending, login codes, history, typing
"""
