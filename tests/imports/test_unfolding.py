"""A small spreadsheet can unfold to much text: it is counted before the spreadsheet is opened."""

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from engine.file_parsers import tables
from engine.file_parsers import unfolding as unfolding_module
from engine.file_parsers.common import TooComplex, Unreadable
from tests.imports.lists import FIRST_SHEET, SHARED, read, renamed, short, unfolding, workbook


def test_a_text_that_many_cells_share_counts_in_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def forbidden(*_: Any) -> None:
        raise AssertionError("the spreadsheet was opened")

    path = tmp_path / "list"
    path.write_bytes(unfolding())
    assert path.stat().st_size < 160_000
    monkeypatch.setattr("python_calamine.CalamineWorkbook", type("Book", (), {"from_path": forbidden}))
    with pytest.raises(TooComplex, match="512 MiB of text"):
        read(path)


SPELLINGS = (
    '<c r="B{n}" t="s"><v>1</v></c>',
    "<x:c t = 's' r='B{n}'><x:v> 1 </x:v></x:c>",
    '<c r="B{n}" t="&#115;"><v>&#49;</v></c>',
    '<c r="B{n}" t="s"><v><![CDATA[1]]></v></c>',
    '<c r="B{n}" t="inlineStr"><is><t>' + "y" * 100 + "</t></is></c>",
)


@pytest.mark.parametrize("cell", SPELLINGS)
@pytest.mark.parametrize("shared", ["<si><t>{}</t></si>", "<x:si><x:r><x:t>{}</x:t></x:r></x:si>"])
def test_however_the_cells_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cell: str, shared: str
):
    path = tmp_path / "list"
    monkeypatch.setattr(unfolding_module, "UNFOLDED", 50_000)
    for rows, fits in ((400, True), (600, False)):
        numbers = range(1, rows + 1)
        sheet = "".join(
            f'<row r="{n}"><c r="A{n}"><v>{14155550000 + n}</v></c>{cell.format(n=n)}</row>' for n in numbers
        )
        path.write_bytes(workbook(["<si><t>phone</t></si>", shared.format("y" * 100)], sheet))
        with zipfile.ZipFile(path) as archive:
            if fits:
                assert unfolding_module.unfolded_size(archive) >= rows * 100
            else:
                with pytest.raises(TooComplex):
                    unfolding_module.unfolded_size(archive)


def test_one_long_text_among_short_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "list"
    monkeypatch.setattr(unfolding_module, "UNFOLDED", 100_000)
    sheet = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>{n != 7}</v></c></row>' for n in range(1, 1001))
    sheet = sheet.replace("True", "1").replace("False", "0")
    path.write_bytes(workbook([f"<si><t>{'x' * 60_000}</t></si>", "<si><t>+14155550100</t></si>"], sheet))
    rows = read(path)
    assert [row["code"] for row in rows].count("duplicate") == 998


def test_text_of_other_spreadsheets_is_counted_as_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "list"
    monkeypatch.setattr(tables, "UNFOLDED", 40_000)
    sheet = "".join(
        f'<row r="{n}"><c r="A{n}"><v>{14155550000 + n}</v></c><c r="B{n}" t="s"><v>0</v></c></row>'
        for n in range(1, 1001)
    )
    path.write_bytes(workbook([f"<si><t>{'y' * 60}</t></si>"], sheet))
    with pytest.raises(TooComplex):
        read(path)


NAMES = (
    {SHARED: "xl/SharedStrings.xml"},
    {SHARED: "xl\\sharedStrings.xml"},
    {FIRST_SHEET: "xl/sheets/sheet1.xml"},
    {FIRST_SHEET: "xl/Worksheets/Sheet1.XML"},
    {FIRST_SHEET: "xl/worksheets/sheet1.dat"},
    {SHARED: "XL/SHAREDSTRINGS.XML", FIRST_SHEET: "xl/a.bin"},
)


def _sheet(row: int = 1) -> str:
    return f'<row r="{row}"><c r="A{row}" t="s"><v>0</v></c></row>'


@pytest.mark.parametrize("names", NAMES)
def test_the_names_of_the_parts_do_not_matter(tmp_path: Path, names: dict[str, str]):
    path = tmp_path / "list"
    phone = ["<si><t>+14155550100</t></si>"]
    path.write_bytes(renamed(workbook(phone, _sheet()), names))
    assert short(read(path)) == [(1, "+14155550100")]  # the library finds the parts
    path.write_bytes(renamed(unfolding(), names))
    with pytest.raises(TooComplex, match="512 MiB of text"):
        read(path)
    path.write_bytes(renamed(workbook(phone, _sheet() + _sheet(4_000_000_000)), names))
    with pytest.raises(TooComplex, match="too far apart"):
        read(path)


def _changed(book: bytes, changes: dict[str, tuple[bytes, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(*changes.get(name, (b"", b"")), 1))
    return out.getvalue()


@pytest.mark.parametrize(
    "changes",
    [
        {SHARED: (b"<sst", b"x<sst")},
        {SHARED: (b"</sst>", b"</sst><")},
        {SHARED: (b"<t>", b"<t a='' a=''>")},
        {FIRST_SHEET: (b"<worksheet", b"x<worksheet")},
        {SHARED: (b"</sst>", b"</sst><"), FIRST_SHEET: (b"<worksheet", b"x<worksheet")},
    ],
)
def test_text_that_is_not_well_formed_counts_too(tmp_path: Path, changes: dict[str, tuple[bytes, bytes]]):
    path = tmp_path / "list"
    path.write_bytes(_changed(workbook(["<si><t>+14155550100</t></si>"], _sheet()), changes))
    assert short(read(path)) == [(1, "+14155550100")]
    path.write_bytes(_changed(unfolding(), changes))
    with pytest.raises(TooComplex, match="512 MiB of text"):
        read(path)


def test_a_second_part_with_texts_does_not_hide_the_first(tmp_path: Path):
    path = tmp_path / "list"
    path.write_bytes(unfolding())
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/a.xml", "<sst><si><t>a</t></si></sst>")
        archive.writestr("xl/worksheets/a.xml", "<worksheet><sheetData>")
    with pytest.raises(TooComplex, match="512 MiB of text"):
        read(path)


def test_a_wrong_checksum_is_damage(tmp_path: Path):
    path = tmp_path / "list"
    data = unfolding()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        crc = archive.getinfo(SHARED).CRC.to_bytes(4, "little")
    path.write_bytes(data.replace(crc, bytes(4)))
    with pytest.raises(Unreadable, match="damaged"):
        read(path)


def test_an_honest_list_counts_the_size_of_its_sheet_and_its_texts(tmp_path: Path):
    path = tmp_path / "list"
    path.write_bytes(workbook(["<si><t>+14155550100</t></si>"], _sheet()))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/theme/theme1.xml", "<a:theme>" + "<a:x/>" * 1000 + "</a:theme>")
        archive.writestr("xl/media/image1.png", bytes(range(256)) * 100)
        sheet = archive.read(FIRST_SHEET)
        assert unfolding_module.unfolded_size(archive) == len(sheet) + sheet.count(b"<") // 4 * len(
            "+14155550100"
        )
