"""Drivers and their clients at real servers, against a bare client of the same protocol."""
