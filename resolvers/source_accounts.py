"""source accounts: contract §3."""
