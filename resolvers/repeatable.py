"""repeatable projects: contract §3."""
