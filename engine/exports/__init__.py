"""Exports: tables as files that are written in the background.

a link ── a job ──► export_links ◄── sources: pages of rows (port) ──► formats: CSV, XLSX, NDJSON ──► engine/files
"""
