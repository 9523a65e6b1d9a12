"""Delivers events to webhooks: an outbox, and the deliverer that empties it."""
