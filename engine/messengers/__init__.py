"""Which process holds which account, calls to it, and what it tells, written down."""
