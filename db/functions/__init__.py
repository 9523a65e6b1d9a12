"""The functions of the database and their triggers, each in one file: `<name>.sql`, which begins with what it is for.

`db/migrate.py` applies the files after the migrations: those whose text the database does not have. So a file can be
applied again and again (CREATE OR REPLACE), and is always the present text: no migration repeats it.

    functions             all that have changed, in one transaction: it locks no table
    -- Triggers           what follows this line of a file, in a transaction of its own: it locks its table
    schema_functions      the texts that a database has and has had, by name and SHA-256

Processes of the release before go on meanwhile, and call a function as they know it. So a function with other
arguments or another result gets a new name, and so has a trigger function that expects more of its trigger. A file
that is not needed any more is deleted in the release after, by when no process calls its function, with a migration
that drops the function and the file's rows of schema_functions. A column that a function reads is dropped a release
after the function that did, for the same reason. On an empty database there are no functions while the migrations run,
but those that `create` makes.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import partial
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, text

from db import scripts

FOLDER = Path(__file__).resolve().parent

THERE = "SELECT to_regclass('schema_functions') IS NOT NULL"
APPLIED = "SELECT name, sha256 FROM schema_functions ORDER BY applied_at"

_TABLE = """
CREATE TABLE IF NOT EXISTS schema_functions (
  name text NOT NULL,
  sha256 text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT pk_schema_functions PRIMARY KEY (name, sha256)
)
"""
_RECORD = "INSERT INTO schema_functions (name, sha256) VALUES (:name, :sha256)"


_TRIGGERS = " triggers"  # ends the name of the part of a file that has its triggers


class Comparison(NamedTuple):
    """Says how a database differs from the files. Both lists have names of parts, as `texts` has."""

    changed: list[str]  # to be applied, in this order
    replaced: list[str]  # a newer release has replaced them


def texts() -> dict[str, str]:
    """Returns the parts of all files by their names, in the order in which they are applied.

    A function comes after those that it names, and triggers come after all functions.
    """
    functions, triggers = {}, {}
    for path in sorted(FOLDER.glob("*.sql")):
        functions[path.stem], line, rest = path.read_text(encoding="utf-8").partition("\n-- Triggers\n")
        if line:
            triggers[path.stem + _TRIGGERS] = rest
    order = TopologicalSorter(_needs(functions)).static_order()
    return {name: functions[name] for name in order} | triggers


def _needs(files: Mapping[str, str]) -> dict[str, set[str]]:
    """Returns the files that each one names outside of comments."""
    words = {name: set(re.findall(r"\w+", re.sub("--.*", "", text))) for name, text in files.items()}
    return {name: (words[name] & files.keys()) - {name} for name in files}


def compare(applied: Iterable[tuple[str, str]]) -> Comparison:
    """Compares the files with what was applied, which is in the order of time.

    A text that the database has had, and that another one has replaced, is that of an older release.
    """
    history: dict[str, list[str]] = {}
    for name, sha256 in applied:
        history.setdefault(name, []).append(sha256)
    sums = {name: _sha256(text) for name, text in texts().items()}
    return Comparison(
        changed=[name for name, sha256 in sums.items() if sha256 not in history.get(name, [])],
        replaced=[name for name, sha256 in sums.items() if sha256 in history.get(name, [])[:-1]],
    )


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def apply(connection: Connection) -> None:
    """Applies what has changed. Raises what PostgreSQL raises: what was committed before stays.

    The caller holds the lock of migrations. Transactions of others lock tables in orders of their own, so triggers of
    several tables in one transaction would hardly get all their locks while processes write.
    """
    with connection.begin():
        connection.exec_driver_sql(_TABLE)
        applied = [(row.name, row.sha256) for row in connection.execute(text(APPLIED))]
    files, changed = texts(), compare(applied).changed
    functions = [name for name in changed if not name.endswith(_TRIGGERS)]
    for names in (functions, *([name] for name in changed if name.endswith(_TRIGGERS))):
        with connection.begin():
            scripts.briefly(connection, partial(_apply, connection, {name: files[name] for name in names}))


def _apply(connection: Connection, parts: Mapping[str, str]) -> None:
    for name, script in parts.items():
        scripts.run(connection, script)
        connection.execute(text(_RECORD), {"name": name, "sha256": _sha256(script)})


def create(connection: Connection, name: str) -> None:
    """Creates a function and those that it needs, for a migration that can't wait until the files are applied."""
    files = {name: script for name, script in texts().items() if not name.endswith(_TRIGGERS)}
    needs, names = _needs(files), {name}
    for other in reversed(files):
        if other in names:
            names |= needs[other]
    for other, script in files.items():
        if other in names:
            scripts.run(connection, script)
