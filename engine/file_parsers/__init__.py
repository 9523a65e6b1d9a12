"""Reads lists of recipients: CSV, spreadsheets, JSON and text lines, in bounded memory.

imports.py ── job (JSON, standard input) ──► __main__: memory, processor time and priority are bounded
                                                │
   tables.open_source: which format? ──► CsvTable (text: encoding, lines) · Sheet · JsonRows · TextLines
                                                │
   mapping: which column is the address, the name, the time zone; all others are variables
                                                │
   rows.batches: normalizes (addresses), finds faults and duplicates ──► the text of a COPY
                                                │
imports.py ◄── frames: head, rows, end or preview (standard output) ── stores them in import_rows

It runs in a process of its own (`python -m engine.file_parsers`), which has neither secrets nor a database: a file that
harms its reader harms nothing else, and the worker that waits for it goes on sending.
"""
