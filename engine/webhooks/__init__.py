"""Delivers events to webhooks: an outbox, and the deliverer that empties it.

what happened ── same transaction ──► outbox.put: a delivery for each webhook that wants the event, and a job
   chat_bodies: the body                    │
   sealed: login values, encrypted          ▼ wakes it; without a wake its sweep finds the events
deliverer: claims endpoints and renews the claims; failing ones have fewer slots of their own; fair to owners
   │
   └─► delivery_loop, one an endpoint: the events of a thread in order, threads in parallel
         read events ──► sealed.opened ──► signing ──► call, guarded by core/outbound
                                                         │
   outcomes: accepted: the deliveries are deleted ◄──────┴──► failed: the thread waits (backoff), the others go on;
             and what was behind them is ready                after eight failures in a row the loop ends, and
                                                              the endpoint is tried with one event at a time
upkeep: events that are too old, or too many, become dead letters, which are deleted after a time
endpoints: an account's webhooks, for resolvers: saved, probed, removed
callbacks: the hosts of status callbacks, whose deliveries a trigger of messages puts into the outbox
claim_queries, delivery_queries: the SQL of both
"""
