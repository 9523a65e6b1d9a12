"""statistics: contract §3."""
