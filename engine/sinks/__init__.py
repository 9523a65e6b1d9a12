"""Publishes the events of feeds to brokers.

event feed (positions) ── rounds: which sinks have events or a replay, a lease for each ──► publisher
                                                                                              │ a batch of one feed
   cursors: what was acknowledged, fenced by the lease ◄── acknowledged prefix ── sinks/ ◄────┘
   failures: backoff, `sink.failing` and `sink.recovered`
upkeep: cursors of new users for the installation's sinks
endpoints: a user's sinks, for resolvers: tried, begun, replayed, removed
"""
