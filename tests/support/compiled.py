"""Statements are compiled once a test process, as in a service that runs, and not once a test.

SQLAlchemy keeps compiled statements with an engine, by the engine's dialect. Each test has an engine of its own, since
it has a database of its own; so all of them get the dialect and the compiled statements of the first that connected.
"""

from typing import Any

from db.session import Database

_kept: list[tuple[Any, Any]] = []


def share(db: Database) -> None:
    """Gives an engine that has not connected yet the dialect and the statements of an earlier one."""
    engine: Any = db.engine.sync_engine
    if _kept:
        engine.dialect, engine._compiled_cache = _kept[0]
        engine.pool._dialect = engine.dialect


def keep(db: Database) -> None:
    """Keeps the first that has connected: by then it knows the server's version."""
    engine: Any = db.engine.sync_engine
    if not _kept and getattr(engine.dialect, "server_version_info", None):
        _kept.append((engine.dialect, engine._compiled_cache))
