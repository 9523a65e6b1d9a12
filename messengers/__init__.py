"""Drivers of live messenger accounts: `port.py` and one package per driver. `engine/messengers/` holds the accounts."""
