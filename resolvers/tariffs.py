"""tariffs: contract §3."""
