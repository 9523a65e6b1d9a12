"""A small spreadsheet can unfold to much text: it is counted before the spreadsheet is opened."""

import zipfile
from pathlib import Path
from typing import Any

import pytest

from engine.reading import tables
from engine.reading import unfolding as unfolding_module
from engine.reading.common import TooComplex
from tests.imports.lists import read, unfolding, workbook


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
