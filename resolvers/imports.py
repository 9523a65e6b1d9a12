"""imports: contract §3."""
