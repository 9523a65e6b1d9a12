"""Events to the addresses that asked for them: an outbox, and who empties it."""
