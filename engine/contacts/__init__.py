"""Contacts: how rows of requests and imports become people.

    rows ──► locks.py: those with the same addresses wait for each other ──► matching.py: whose row is it, and what
             field_values.py: is each value of its field's type               changes?  ──► upsert.py: a few statements

Rows are applied in memory, one after the other, to the contacts that were read for all of them. So a request of a
thousand takes as many statements as a request of one, and two rows about one person are one contact.
"""
