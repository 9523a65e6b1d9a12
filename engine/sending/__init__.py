"""The one core through which every message leaves: direct messages, trials and messages of projects.

store: claim ──► delivery: routes in turn ──► stream of the route ──► ask ──► channels/
(port.Claim)                                   ready: direct ones first, then projects in turn
  direct.claim.DirectClaim                     in_flight: calls; concurrency: how many; limits: breakers, accounts
  projects.claim.BatchClaim                    one transaction: outcomes of a group, intents of the next one
     ▲                                            │
     └── judge: outcome + history + policy ──► verdict: sent, delivered, failed, unknown, or queued (when, where)

once: the same steps for one message whose caller waits, without a queue (chats, engine/messengers/attempts.py)

A worker that dies leaves at most `concurrency.ahead` intents a route without a stored outcome. The recovery of their
claims queues them again where the provider drops a second request with the same key, and calls them `unknown`
elsewhere.
"""
