"""Lists of recipients, read: CSV, spreadsheets, JSON and text lines, in bounded memory.

Runs in a process of its own (`python -m engine.reading`), which has neither secrets nor a database: what a file
does to its reader stays there, and the worker that waits for it goes on sending. engine/imports.py writes down
what comes out.
"""
