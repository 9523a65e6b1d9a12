"""recipients (contract §3)."""
