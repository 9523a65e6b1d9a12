"""events (contract §3)."""
