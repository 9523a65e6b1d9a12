"""files: contract §3."""
