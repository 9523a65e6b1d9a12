"""Codes that are sent to an address, so that a person proves to have it.

start ──► one transaction: pumping.py counts the group of numbers ──► suspected: no message
            │
            ├─► starting.py: verification, sealed code, limits of the day
            └─► sending.py: the message, with a mask in the code's position
worker ──► engine/direct/withheld_codes.py opens the codes of a batch: a text with one is in memory alone
check ───► checks.py: the row's lock, the MAC of the code ──► approved, wrong, too many tries
every 5 s  upkeep.py: pending ones whose time is over have expired
"""
