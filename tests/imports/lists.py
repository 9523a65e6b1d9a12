"""Reads a list as the reader's process does, and shows its rows."""

from pathlib import Path
from typing import Any
from uuid import UUID

from engine.reading.__main__ import _columns
from engine.reading.common import Options
from engine.reading.rows import batches
from engine.reading.tables import open_source

ID = UUID("01890000-0000-7000-8000-000000000000")
_BACK = {"\\\\": "\\", "\\t": "\t", "\\n": "\n", "\\r": "\r"}


def _plain(field: str) -> str | None:
    if field == "\\N":
        return None
    out, place = "", 0
    while place < len(field):
        pair = field[place : place + 2]
        out += _BACK.get(pair, field[place])
        place += 2 if pair in _BACK else 1
    return out


def read(
    path: Path, kind: str = "file", mapping: dict[str, str] | None = None, region: str = "RU", **options: Any
) -> list[dict[str, Any]]:
    """Raises Unreadable."""
    source = open_source(path, kind, Options(**options, region=region))
    columns = _columns(source, mapping)
    assert columns is not None, source.columns
    rows = []
    for batch in batches(source, columns, ID, region):
        counted = [0, 0, 0]
        for line in batch.data().decode().split("\n")[:-1]:
            fields = [_plain(field) for field in line.split("\t")]
            assert len(fields) == 9, line
            assert fields[0] == str(ID)
            names = ("line", "address", "address_key", "name", "variables", "timezone", "code", "message")
            rows.append(dict(zip(names, fields[1:], strict=True)))
            counted[0 if fields[7] is None else 2 if fields[7] == "duplicate" else 1] += 1
        assert counted == [batch.valid, batch.invalid, batch.duplicates]
    return rows


def short(rows: list[dict[str, Any]]) -> list[tuple[int, str]]:
    """Line, and the address or the code of the error."""
    return [(int(row["line"]), row["address"] or row["code"]) for row in rows]
