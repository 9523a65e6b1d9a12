"""Background work: what a worker process does (worker.py), and rules that the operations use too.

operation ── rows, and a job in the same transaction (queue, jobs) ──► PgQueuer ──► worker: each group of jobs
                                                                         ▲          has slots of its own
                       rounds (`@every`) find rows whose job was lost ───┘               │
┌────────────────────────────────────────────────────────────────────────────────────────┘
├ direct messages   dispatch: claims ► sending/ ► outcomes                     ──► channels/
│                   (direct_items: the messages; attached: files; upkeep: what lacks a job or expired)
├ projects/         audience ► cycle: claim ► sending/ ► batches               ──► channels/
│                   (project_moves: states; texts, windows, tariffs, blocks; bodies: renders a text again)
├ sending/          the one core: streams of routes ► intents ► ask ► judge ► outcomes
├ repeatable        schedules: when ► a project with its recipients, begun     ──► projects/
├ imports           reading/, a child process ► import_rows ► additions        ──► recipients of a project
├ exports           export_sources: pages of rows ► export_formats             ──► files
├ webhooks/         outbox ► deliverer                                         ──► endpoints of users
└ messengers/       leases ► host ► account_runner                             ──► messengers/

channels' events, /hooks ──► worker.take_events ──► reports, inbound ► replies
a user's own engine      ──► hook_bodies ► hook_events ──► reports, replies, direct_replies
  Reports move states forward and refund; early_reports keeps what comes before its message. Stop words, hard bounces
  and unsubscribing block an address (blocks).

programs/ is a child process for what users write: texts (liquid_rules, liquid_filters) and schedules.
secret_keys encrypts rows under the newest key; files stores and discards bytes with their rows.
"""
