"""Lists as people have them, and as nobody should: all is read, or told of, and nothing else is lost."""

import zipfile
from pathlib import Path

import openpyxl
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.file_parsers.common import ROW, Unreadable
from engine.file_parsers.rows import FirstLines
from tests.imports.lists import read, short
from tests.support.examples import examples

A, B, C = "+79160000001", "+79160000002", "+79160000003"


@pytest.fixture
def made(tmp_path: Path):
    def make(content: bytes | str, encoding: str = "utf-8") -> Path:
        path = tmp_path / "list"
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return make


RUSSIAN = "Телефон;Имя;Город проживания\r\n89160000001;Анна;Москва\r\n9160000002;Пётр;Тверь\r\n"


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "cp1251", "koi8-r", "cp866", "utf-16", "utf-16-le", "utf-16-be", "utf-32"],
)
def test_encodings(made, encoding: str):
    rows = read(made(RUSSIAN, encoding))
    assert short(rows) == [(2, A), (3, B)]
    assert [row["name"] for row in rows] == ["Анна", "Пётр"]
    assert orjson.loads(rows[0]["variables"]) == {"Город_проживания": "Москва"}


@pytest.mark.parametrize("region", ["DE", "US", "RU"])
def test_western_letters(made, region: str):
    rows = read(made("Telefon;Name;Straße\n+4930123456;Jürgen Müller;Größe\n", "cp1252"), region=region)
    assert rows[0]["name"] == "Jürgen Müller"


def test_letters_that_come_late_decide_too(made):
    text = "phone,name\n" + "".join(f"+7916{n:07},x\n" for n in range(20_000)) + "+79250000001,Пётр\n"
    assert read(made(text, "cp1251"))[-1]["name"] == "Пётр"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends(made, delimiter: str, end: str):
    lines = ["phone;name;note", f'{A};Anna;"x, y | z"', f"{B};Boris;1,5"]
    if delimiter != ";":
        lines = [line.replace(";", delimiter) for line in lines]
    if delimiter in ",|":
        lines[2] = lines[2].replace("1,5", "2")
    rows = read(made(end.join(lines)))
    assert [(row["address"], row["name"]) for row in rows] == [(A, "Anna"), (B, "Boris")]


def test_excel_says_its_delimiter(made):
    assert short(read(made(f"sep=|\nphone|name\n{A}|x\n"))) == [(3, A)]


def test_no_header(made):
    rows = read(made(f"Анна;{A};1\nПётр;{B};2\n"))
    assert short(rows) == [(1, A), (2, B)]
    assert orjson.loads(rows[0]["variables"]) == {"column1": "Анна", "column3": "1"}


def test_one_column(made):
    assert short(read(made(f"{A}\n{B}\n\n{C}\n"))) == [(1, A), (2, B), (4, C)]
    assert short(read(made(f"phone\n{A}\n"))) == [(2, A)]
    assert short(read(made("a@example.com\nb@example.com\n"))) == [(1, "a@example.com"), (2, "b@example.com")]


@pytest.mark.parametrize(
    ("header", "kind", "name"),
    [
        ("Mobile;Full name", "phone", "Full name"), ("Номер телефона;ФИО клиента", "phone", "ФИО клиента"),
        ("Тел.;Имя", "phone", "Имя"), ("E-mail;Name", "email", "Name"), ("Эл. почта;Имя", "email", "Имя"),
        ("Адрес электронной почты;Имя", "email", "Имя"), ("Telefonnummer;Vorname", "phone", "Vorname"),
        ("Teléfono;Nombre", "phone", "Nombre"), ("手机;姓名", "phone", "姓名"), ("msisdn;first_name", "phone", "first_name"),
    ],
)  # fmt: skip
def test_headers(made, header: str, kind: str, name: str):
    address = A if kind == "phone" else "a@example.com"
    (row,) = read(made(f"{header}\n{address};Anna\n"))
    assert (row["address"], row["name"]) == (address, "Anna")


def test_phone_and_email_beside_each_other(made):
    path = made(f"Name,email,phone\nAnna,a@example.com,{A}\n")
    (row,) = read(path)
    assert (row["address"], orjson.loads(row["variables"])) == (A, {"email": "a@example.com"})
    (row,) = read(path, mapping={"email": "Email", "greeting": "NAME"})
    assert (row["address"], orjson.loads(row["variables"])) == ("a@example.com", {"greeting": "Anna"})
    (row,) = read(path, mapping={"address": "email", "phone": "phone"})
    assert (row["address"], orjson.loads(row["variables"])) == ("a@example.com", {"phone": A})


def test_duplicates_are_told_by_what_they_mean(made):
    rows = read(made(f"phone;name\n8 916 000-00-01;a\n{A};b\n+7 (916) 000 00 01;c\n{B};d\n"))
    assert short(rows) == [(2, A), (3, "duplicate"), (4, "duplicate"), (5, B)]
    assert rows[1]["message"] == "Line 2 has the same address. Only that line is used."
    rows = read(made("email\nAnna@Example.com\nanna@example.COM\n"))
    assert short(rows) == [(2, "Anna@example.com"), (3, "duplicate")]


def test_rows_that_are_none(made):
    rows = read(
        made(
            f"phone;name;tz\n{A};a\n{B};b;;;;\n{C};c;Mars/Olympus\nx;d;\n;e;\n;;\n"
            "+79160000004;f;Europe/Moscow\n+79160000005;g;;x\n"
        )
    )
    assert short(rows) == [
        (2, "wrong_columns"), (3, B), (4, "bad_timezone"), (5, "invalid_phone"), (6, "missing_address"),
        (8, "+79160000004"), (9, "wrong_columns"),
    ]  # fmt: skip
    assert rows[5]["timezone"] == "Europe/Moscow"
    assert rows[0]["message"] == "The line has 2 columns, the list has 3."


def test_quotes(made):
    rows = read(made(f'phone;name\n{A};"Anna ""the"" first"\n{B};"two\nlines; and more"\n{C};"x"\n'))
    assert [(row["line"], row["name"]) for row in rows] == [
        ("2", 'Anna "the" first'), ("3", "two\nlines; and more"), ("5", "x"),
    ]  # fmt: skip


@pytest.mark.parametrize("tail", ["", f'{C};"c"\n', f'{C};"c"\n+79160000004;d\n+79160000005;"e\n'])
def test_a_quote_that_is_never_closed_costs_one_row(made, tail: str):
    rows = read(made(f'phone;name\n{A};a\n{B};"OOO b\n+79160000009;z\n' + tail))
    by_row = dict(short(rows))
    assert by_row[2] == A
    assert by_row[3] == "bad_quotes"
    assert by_row[4] == "+79160000009"
    if tail:
        assert by_row[5] == C
    if tail.count("\n") > 1:
        assert (by_row[6], by_row[7]) == ("+79160000004", "bad_quotes")


def test_many_open_quotes(made):
    lines = [f'+7916{n:07};"x' if n % 7 == 0 else f"+7916{n:07};x" for n in range(3000)]
    rows = read(made("phone;name\n" + "\n".join(lines)))
    assert {int(row["line"]) for row in rows} == set(range(2, 3002))
    assert sum(row["address"] is not None for row in rows) >= 2500


def test_quotes_that_make_one_endless_row(made):
    body = "".join(f'+7916{n:07}","\n' for n in range(10_000))
    assert len(body) > 2 * ROW
    rows = read(made('phone,name\n+79250000000,"\n' + body))
    assert len(rows) > 5_000


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f"{B};a\0b".encode(), "bad_text"), (f"{B};".encode() + b"\xcf\xf0\xe8", "bad_encoding"),
        (f"{B};".encode() + b"\xed\xa0\x80", "bad_encoding"), (f"{B};{'x' * (ROW + 1)}".encode(), "row_too_long"),
        (f"{B};{'x' * (5 * 1024 * 1024)}".encode(), "row_too_long"),
    ],
    ids=["nul", "another encoding", "half a character", "long", "very long"],
)  # fmt: skip
def test_one_bad_line_costs_one_row(made, line: bytes, code: str):
    good = f"phone;name\n{A};Анна и ещё несколько букв\n".encode()
    rows = read(made(good + line + f"\n{C};Пётр\n".encode()))
    assert short(rows) == [(2, A), (3, code), (4, C)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"), (b"\n \n\n", "empty"), (b"phone;name\n", "header but no rows"),
        (bytes(range(256)) * 50, "binary"), (b"\x7fELF" + b"\0" * 5000, "binary"),
        (b"x" * 3_000_000, "64 KiB"), (";".join(f"c{n}" for n in range(300)).encode() + b"\n", "200"),
        (b"city;sum\nMoscow;1\nParis;2\n", "mapping"), (b"PK\x03\x04 nothing", "damaged"),
        (b"[1, 2", "without a closing ]"), (b'[{"phone": "1"}, {"pho', "Row 2"), (b"[]", "no rows"), (b"{]\n", "JSON"),
        (b"[" * 100_000, "Row 1"), (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 999, "damaged"),
    ],
)  # fmt: skip
def test_what_no_list_is(made, content: bytes, message: str):
    with pytest.raises((Unreadable, AssertionError)) as error:
        if not read(made(content)):
            raise Unreadable("The file has a header but no rows. Add rows to it.")
    assert message in str(error.value) or "mapping" in message


def test_a_mapping_that_names_no_column(made):
    with pytest.raises(Unreadable, match=r"'Phon'.*'phone', 'name'"):
        read(made(f"phone,name\n{A},x\n"), mapping={"phone": "Phon"})


def test_a_mapping_that_names_no_field_of_any_row(made):
    rows = [{"phone": A, "City": "x"} for _ in range(200)] + [{"phone": B, " Street ": "y"}]
    lines = "\n".join(orjson.dumps(row).decode() for row in rows)
    for kind, content in (("rows", lines), ("file", lines), ("file", f"[{','.join(lines.splitlines())}]")):
        with pytest.raises(Unreadable, match=r"'town'.*'phone', 'City'"):
            read(made(content), kind, mapping={"phone": "phone", "city": "town"})
        whole = read(made(content), kind, mapping={"phone": "phone", "city": "city", "street": "street"})
        assert orjson.loads(whole[0]["variables"]) == {"city": "x"}
        assert orjson.loads(whole[-1]["variables"]) == {"street": "y"}


JSON = [
    {"phone": A, "name": "Anna", "city": "Москва", "n": 1},
    {"phone": B, "variables": {"x": [1, 2]}, "later": True},
]


@pytest.mark.parametrize("form", ["array", "object", "lines", "pretty", "utf-16"])
def test_json(made, form: str):
    text = {
        "array": orjson.dumps(JSON).decode(),
        "object": orjson.dumps({"rows": JSON}).decode(),
        "lines": "\n".join(orjson.dumps(row).decode() for row in JSON),
        "pretty": orjson.dumps({"recipients": JSON}, option=orjson.OPT_INDENT_2).decode(),
        "utf-16": orjson.dumps(JSON).decode(),
    }[form]
    rows = read(made(text, "utf-16" if form == "utf-16" else "utf-8"))
    assert short(rows) == [(1, A), (2, B)]
    assert [orjson.loads(row["variables"]) for row in rows] == [
        {"city": "Москва", "n": 1},
        {"x": [1, 2], "later": True},
    ]


def test_bad_rows_of_json(made):
    lines = [
        orjson.dumps({"phone": A}).decode(), '{"phone": ', "7", f'{{"phone": "{B}", "x": "\\u0000"}}',
        f'{{"phone": "{B}", "x": "a\\\\u0000"}}', f'{{"phone": {C[1:]}, "name": 7}}', f'{{"phone": {C[1:]}.0}}',
        f'"{A}"',
    ]  # fmt: skip
    rows = read(made("\n".join(lines)))
    assert short(rows) == [
        (1, A), (2, "bad_json"), (3, "bad_row"), (4, "bad_text"), (5, B), (6, "bad_row"), (7, C), (8, "duplicate"),
    ]  # fmt: skip
    assert orjson.loads(rows[4]["variables"]) == {"x": "a\\u0000"}
    rows = read(
        made(f'[{{"phone":"{A}","x":"\\ud800"}},{{"phone":"{B}","x":NaN}}]'.replace(',"x":NaN', ',"x":1e999'))
    )
    assert short(rows) == [(1, "bad_text"), (2, B)]


def test_a_long_array_is_read_piece_by_piece(made):
    rows = read(
        made(
            "["
            + ",\n  ".join(f'{{"phone":"+7916{n:07}","x":"{"y" * 300}"}}' for n in range(9000))
            + " " * 300_000
            + "]"
        )
    )
    assert len(rows) == 9000


def test_text(made):
    rows = read(
        made(f"{A}\n {B} ; Boris\n\nanna@example.com,Anna B\nnobody\n+7 (916) 000-00-03\tC\n"), "text"
    )
    assert [(row["line"], row["address"], row["name"]) for row in rows if row["address"]] == [
        ("1", A, None), ("2", B, "Boris"), ("4", "anna@example.com", "Anna B"), ("5", "nobody", None), ("6", C, "C"),
    ]  # fmt: skip


def test_spreadsheets(tmp_path: Path):
    book = openpyxl.Workbook()
    book.active.sheet_state = "visible"
    book.active.append(["Телефон", "Имя", "Сумма", "Когда"])
    book.active.append([79160000001, "Анна", 10.5, None])
    book.active.append([None, None, None, None])
    book.active.append([79160000002.0, "Пётр", 3, None])
    book.active.append([True, "x\ty\\n", None, None])
    path = tmp_path / "list"
    book.save(path)
    rows = read(path)
    assert short(rows) == [(2, A), (4, B), (5, "invalid_phone")]
    assert orjson.loads(rows[0]["variables"]) == {"Сумма": "10.5"}


def test_zip_bombs_are_not_opened(tmp_path: Path):
    path = tmp_path / "list"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 64 * 1024 * 1024)
    with pytest.raises(Unreadable, match="too large when unpacked"):
        read(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "hi")
    with pytest.raises(Unreadable, match="not a spreadsheet"):
        read(path)


@settings(max_examples=examples(75), deadline=None)
@given(st.binary(max_size=400))
def test_no_bytes_break_it(tmp_path_factory, content: bytes):
    path = tmp_path_factory.mktemp("list") / "list"
    path.write_bytes(content)
    for kind in ("file", "text"):
        try:
            read(path, kind)
        except (Unreadable, AssertionError, UnicodeDecodeError) as error:
            assert not isinstance(error, AssertionError) or "[" in str(error)


@settings(max_examples=examples(75), deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from([A, B, "x", ""]), st.text(alphabet='ab";\n\r,\\\t\0é', max_size=9)),
        max_size=12,
    )
)
def test_no_lines_are_lost(tmp_path_factory, cells: list[tuple[str, str]]):
    """Each line is in a row, or in one of several lines that was read as meant."""
    path = tmp_path_factory.mktemp("list") / "list"
    path.write_text("phone;name\n" + "".join(f"{a};{b}\n" for a, b in cells), newline="")
    rows = read(
        path, header=True, delimiter=";", encoding="utf-8", mapping={"phone": "phone", "name": "name"}
    )
    lines = [int(row["line"]) for row in rows]
    assert lines == sorted(set(lines))


def test_seen_remembers_every_first_line():
    seen = FirstLines()
    for line in range(1, 200_001):
        assert seen.first(f"+7916{line:07}", line) == line
    for line in range(1, 200_001, 997):
        assert seen.first(f"+7916{line:07}", 999_999) == line
    assert seen.first("anna@example.com", 7) == 7
    assert seen.first("anna@example.com", 8) == 7
