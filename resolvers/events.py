"""events: contract §3."""
