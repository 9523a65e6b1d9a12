"""ai (contract §3)."""
