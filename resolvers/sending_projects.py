"""projects: contract §3."""
