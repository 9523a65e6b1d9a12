"""Erases people, and reads the data of one for an export.

    erasePerson ── one transaction ──► erasures, erasure_addresses: from now on nothing is sent to the addresses
                                             │
    a fair job: erasing.py ──► cancel what is queued ──► wait for older transactions, and for what is in flight
                                             │
        registry.py: table by table, page by page; round by round, until one finds nothing ──► lists.py: files
                                             │
                               finish: the addresses are forgotten, contact.erased

Each page is a transaction. The step and the round are stored with the erasure, so that another worker goes on there. A
step that was done already finds nothing to do.
"""
