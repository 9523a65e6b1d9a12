"""messages of projects: contract §3."""
