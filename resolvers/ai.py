"""ai: contract §3."""
