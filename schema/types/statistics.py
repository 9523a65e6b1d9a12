"""statistics (contract §3)."""
