"""files (contract §3)."""
