"""Tests where the header of a list stands, what may stand above it, and what becomes of its columns."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from xlsxwriter import Workbook

from engine.file_parsers.common import Unreadable
from tests.imports.lists import read, short
from tests.message_records.rows import project

A, B = "+79160000001", "+79160000002"
TABLE = f"Phone;Full name;Order No.\n{A};Anna;7\n{B};Boris;8\n"


@pytest.fixture
def made(tmp_path: Path) -> Any:
    def make(content: str) -> Path:
        path = tmp_path / "list"
        path.write_text(content, encoding="utf-8")
        return path

    return make


@pytest.mark.parametrize(
    "titles",
    [
        "",
        "Customers of spring\n",
        "Customers;;\n\n",
        '"Report; all customers";;\n20.11.2026;;\n',
        "Phone list\n;;\n",
    ],
)
def test_titles_above_the_header(made: Any, titles: str):
    first = titles.count("\n") + 2
    rows = read(made(titles + TABLE))
    assert short(rows) == [(first, A), (first + 1, B)]
    assert (rows[0]["name"], orjson.loads(rows[0]["variables"])) == ("Anna", {"Order_No": "7"})


def test_titles_above_the_header_of_a_sheet(tmp_path: Path):
    book = Workbook(str(tmp_path / "list"))
    sheet = book.add_worksheet()
    sheet.merge_range("A1:C1", "Customers of spring")
    for number, line in enumerate(TABLE.splitlines(), 3):
        sheet.write_row(number, 0, line.split(";"))
    book.close()
    assert short(read(tmp_path / "list")) == [(5, A), (6, B)]
    assert short(read(tmp_path / "list", header_row=4)) == [(5, A), (6, B)]


def test_a_row_of_words_is_no_header_below_one(made: Any):
    """Only a title may stand above the header, so a header that we don't know is no title."""
    rows = read(made(f"Nr;Wer;Was\n1;name;{A}\n2;x;{B}\n"))
    assert short(rows) == [(2, A), (3, B)]


def test_the_owner_names_the_row(made: Any):
    text = f"Nummer;Kunde;Datum\nv1;v2;v3\n{A};Anna;x\n"
    assert short(read(made(text), header_row=2)) == [(3, A)]
    (row,) = read(made(text), header_row=2, mapping={"phone": "v1", "when": "v3"})
    assert orjson.loads(row["variables"]) == {"when": "x"}
    with pytest.raises(Unreadable, match="no row 9"):
        read(made(text), header_row=9)


PREVIEW = "query($input:NewImport!){previewImport(input:$input){header headerRow columns{name}}}"


async def test_through_both_doors(ada: Any, lists: Any):
    text = "Customers of spring\nlast changed today\n" + TABLE
    made = await lists.upload(ada, text, headerRow="3")
    done = await lists.read(ada, made)
    assert (done["valid"], done["columns"]) == (2, ["Phone", "Full name", "Order No."])
    shown = (await ada.data(PREVIEW, {"input": {"fileUuid": done["fileUuid"]}}))["previewImport"]
    assert (shown["header"], shown["headerRow"]) == (True, 3)
    both = {"fileUuid": done["fileUuid"], "header": False, "headerRow": 3}
    answer = await ada.rest("POST", "/recipient-import", json=both)
    assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")


async def test_a_project_keeps_what_the_list_calls_its_columns(ada: Any, lists: Any, services: Any):
    made = await lists.upload(ada, TABLE)
    await lists.read(ada, made)
    project_id = await project(services, ada)
    answer = await ada.rest("POST", f"/recipient/{project_id}", json={"importUuid": made["uuid"]})
    assert answer.status_code in (200, 201), answer.text
    seen = (await ada.rest("GET", f"/sending-project/{project_id}")).json()
    assert seen["variableLabels"] == {"Order_No": "Order No."}
    graph = await ada.data("query($id:ID!){sendingProject(id:$id){variableLabels}}", {"id": str(project_id)})
    assert graph["sendingProject"]["variableLabels"] == {"Order_No": "Order No."}
