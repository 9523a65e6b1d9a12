"""Reads a list as the reader's process does, and shows its rows."""

import io
import zipfile
from pathlib import Path
from typing import Any
from uuid import UUID

from engine.file_parsers.__main__ import _columns
from engine.file_parsers.common import Options
from engine.file_parsers.rows import batches
from engine.file_parsers.tables import open_source

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
    given = Options(**options, region=region)
    source = open_source(path, kind, given)
    columns = _columns(source, mapping, given.channel)
    assert columns is not None, source.columns
    rows = []
    for batch in batches(source, columns, ID, given):
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


def workbook(shared: list[str], sheet: str) -> bytes:
    """Returns an XLSX with these shared texts, and this content of `sheetData`."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    relations = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
    relation = f'<Relationship Id="{{}}" Type="{office}/{{}}" Target="{{}}"/>'
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "_rels/.rels": relations.format(relation.format("r1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="a" sheetId="1" '
        'r:id="r1"/>'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": relations.format(
            relation.format("r1", "worksheet", "worksheets/sheet1.xml")
            + relation.format("r2", "sharedStrings", "sharedStrings.xml")
        ),
        "xl/sharedStrings.xml": f'<sst xmlns="{main}" xmlns:x="{main}">{"".join(shared)}</sst>',
        "xl/worksheets/sheet1.xml": (
            f'<worksheet xmlns="{main}" xmlns:x="{main}"><sheetData>{sheet}</sheetData></worksheet>'
        ),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in parts.items():
            book.writestr(name, content)
    return out.getvalue()


SHARED, FIRST_SHEET = "xl/sharedStrings.xml", "xl/worksheets/sheet1.xml"


def renamed(book: bytes, names: dict[str, str]) -> bytes:
    """Returns the XLSX with other names of its parts, and with relations that follow."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith(".rels"):
                for before, after in names.items():
                    content = content.replace(before[3:].encode(), after[3:].encode())
            new.writestr(names.get(name, name), content)
    return out.getvalue()


def unfolding() -> bytes:
    """Returns an XLSX of 156 kB that unfolds to 1.8 GB: 29,999 cells share a text of 60,000 characters."""
    rows = (f'<row r="{n}"><c r="A{n}" t="s"><v>1</v></c></row>' for n in range(2, 30_001))
    head = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
    return workbook(["<si><t>phone</t></si>", f"<si><t>{'x' * 60_000}</t></si>"], head + "".join(rows))
