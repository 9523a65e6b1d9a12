"""Runs a worker's periodic round once, as a worker does: only if its condition holds."""

from typing import Any

from engine.jobs import ROUNDS


async def run_round(services: Any, name: str) -> None:
    """Runs the round whose function has this name."""
    (periodic,) = [each for each in ROUNDS if each.work.__name__ == name]
    if periodic.due is None or await services.db.fetchval(f"SELECT {periodic.due}"):
        await periodic.work(services)
