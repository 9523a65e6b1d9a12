"""Recipient imports: a list becomes rows in the background, however large it is.

resolvers/imports/__init__.py ── a job ──► jobs.read: owners take turns ──► import_rows, batch by batch
                                       │                                               ▲
                                       ├─ reader.py ── starts ──► engine/file_parsers ──────┘
                                       │   one process a list, with little memory; one with much at a time
                                       contacts.py: rows become contacts · members.py: contacts of a segment get topics
resolvers/imports/__init__.py ── a request ──► preview.py: a queue that is fair between users and networks

The list is read by a process of its own, which has no access to the database. Its output is stored batch by batch: each
in one transaction with the numbers that the owner sees, and only while this worker has the lease. A worker that finds
an import without a reader starts it over, from its first line.
"""

from engine.imports.jobs import ATTEMPTS, BITE, delete, delete_rows, following, ranges, read
from engine.imports.preview import Unreadable, preview, prices
from engine.imports.reader import environment

__all__ = [
    "ATTEMPTS",
    "BITE",
    "Unreadable",
    "delete",
    "delete_rows",
    "environment",
    "following",
    "preview",
    "prices",
    "ranges",
    "read",
]
