"""Reads lists of recipients: CSV, spreadsheets, JSON and text lines, in bounded memory.

It runs in a process of its own (`python -m engine.reading`), which has neither secrets nor a database: a file that
harms its reader harms nothing else, and the worker that waits for it goes on sending. engine/imports.py stores the
rows.
"""
