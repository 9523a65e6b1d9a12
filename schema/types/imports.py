"""Recipient imports (contract §3)."""

from enum import StrEnum


class ImportStatus(StrEnum):
    """How far an import is."""

    processing = "processing"
    ready = "ready"
    failed = "failed"
