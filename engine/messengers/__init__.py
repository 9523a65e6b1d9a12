"""Holds live accounts: which process has which account, calls to it, and the storage of what it reports."""
