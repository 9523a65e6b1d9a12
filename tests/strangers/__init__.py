"""Clients that others have written, unmodified, against this service. They are fetched when they run."""
