"""Export links (contract §3)."""

from enum import StrEnum


class ExportStatus(StrEnum):
    """How far an export is."""

    created = "created"
    running = "running"
    ready = "ready"
    failed = "failed"
    canceled = "canceled"


class ExportFormat(StrEnum):
    """What the file will be."""

    csv = "csv"
    xlsx = "xlsx"
    ndjson = "ndjson"
