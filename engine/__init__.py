"""Background work: what a worker process does (worker.py), and rules that the operations use too.

operation ── rows, and a job in the same transaction (queue, jobs) ──► PgQueuer ──► worker: each group of jobs
                                                                         ▲          has slots of its own
                       rounds (`@every`) find rows whose job was lost ───┘               │
┌────────────────────────────────────────────────────────────────────────────────────────┘
├ direct/      messages and trials: dispatch claims what is due ► sending/     ──► channels/
├ projects/    audience ► cycle: a batch ► sending/; repeatable: by schedules  ──► channels/
├ sending/     the one core: streams of routes ► intents ► ask ► judge ► outcomes
├ imports/     reading/, a child process ► import_rows ► bulk_add              ──► recipients of a project
├ exports/     sources: pages of rows ► formats                                ──► files
├ feed/        event_feed: positions of events                                 ──► those who follow a feed
├ webhooks/    outbox ► deliverer                                              ──► endpoints of users
├ sinks/       rounds ► publisher: a batch of a feed                           ──► sinks/: brokers
└ messengers/  leases ► host ► account_runner                                  ──► messengers/

channels' events, /hooks ──► worker.receive_events ──► reports/, inbound/
a user's own engine      ──► hooks/             ──► reports/, inbound/
  reports/ moves states forward and refunds, and keeps what comes before its message. Stop words, hard bounces and
  unsubscribing block an address (blocks).

render_worker/ is the child process for what users write: texts/ and schedules. windows: quiet hours; tariffs: limits.
upkeep: messages without a job, and expired rows. secret_keys encrypts rows under the newest key; files stores and
discards bytes with their rows.
"""
