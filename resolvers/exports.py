"""exports: contract §3."""
