"""blocks: contract §3."""
