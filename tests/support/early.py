"""Applies early reports as a sender does after the commit that made its provider's ids known."""

from collections.abc import Sequence

import asyncpg

from engine.reports import report_writer
from engine.reports.report import Report


async def retry_early(db: asyncpg.Connection, provider: str, numbers: Sequence[str]) -> int:
    """Applies the early reports about the messages with these numbers. Returns how many messages moved."""
    reports = [Report(None, provider, number, "sent") for number in numbers]
    return (await report_writer.retry_early(db, reports)).changed
