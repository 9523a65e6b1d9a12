"""test sending: contract §3."""
