"""tariffs (contract §3)."""
