"""The files of exports contain the rows of each source, in each format."""

import io
import json
import re
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from engine.exports import formats, message_source, sources
from engine.projects.audience import message_ids
from resolvers import recipient_addresses
from tests.exports.cells import table
from tests.message_records.rows import bucket, content, many, messages, project, recipient


async def test_messages_as_csv(ada, bob, services, written):
    one, other = await project(services, ada), await project(services, ada)
    await content(services, one)
    who = await recipient(services, one, "+14155550000", "Ann", city="Riga")
    now = datetime(2026, 11, 20, 12, 0, 0, 123000, tzinfo=UTC)
    sent, failed = await messages(
        services, ada, one,
        {"recipient_id": who, "content": 1, "status": "sent", "sent_at": now, "to": "+14155550000"},
        {"status": "failed", "failure_reason": "no, never"},
    )  # fmt: skip
    await messages(services, ada, other, {})
    link = await written.start(ada, "messages", sendingProjectUuid=str(one))
    assert (link["status"], link["format"], link["url"], link["fileUuid"]) == ("created", "csv", None, None)
    await written.write(link)
    head, *rows = table(await written.fetched(ada, link))
    assert head == [column.name for column in sources.SOURCES["messages"].columns]
    first, second = (dict(zip(head, row, strict=True)) for row in rows)
    assert (first["uuid"], first["body"], first["sentAt"]) == (
        str(sent),
        "Hi Ann of Riga",
        "2026-11-20T12:00:00Z",
    )
    assert first["providerMessageId"] == str(sent)
    assert (second["uuid"], second["failureReason"], second["sentAt"]) == (str(failed), "no, never", "")
    body = await written.get(ada, link)
    assert (body["total"], body["done"]) == (2, 2)
    everything = table(await written.complete(ada, "messages", columns=["status", "to"]))
    assert everything == [
        ["status", "to"],
        ["sent", "+14155550000"],
        ["failed", "+14155550001"],
        ["queued", "+14155550000"],
    ]
    assert table(await written.complete(bob, "messages", columns=["to"])) == [["to"]]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"status": "failed"}, ["c"]),
        ({"phone": "415 555 0111"}, ["b"]),
        ({"direction": "inbound"}, ["d"]),
        ({"direction": "outbound", "channel": "sms"}, ["a", "b", "c"]),
        ({"dateFrom": "2026-01-02T00:00:00Z", "dateTo": "2026-01-03T00:00:00Z"}, ["b"]),
        ({"accountUuid": "01890000-0000-7000-8000-000000000000"}, ["a"]),
    ],
)
async def test_filters_of_messages(ada, services, written, monkeypatch, filters, expected):
    monkeypatch.setattr(message_source, "PAGE", 2)
    project_id = await project(services, ada)
    day = datetime(2026, 1, 1, 12, tzinfo=UTC)
    await messages(
        services, ada, project_id,
        {"provider_message_id": "a", "queued_at": day, "account_uuid": UUID("01890000-0000-7000-8000-000000000000")},
        {"provider_message_id": "b", "to": "+14155550111", "queued_at": day + timedelta(days=1)},
        {"provider_message_id": "c", "status": "failed", "queued_at": day + timedelta(days=5)},
        {"provider_message_id": "d", "direction": "inbound", "body": "hi", "queued_at": day + timedelta(days=5)},
    )  # fmt: skip
    rows = table(await written.complete(ada, "messages", filters=filters, columns=["providerMessageId"]))
    assert [row[0] for row in rows[1:]] == expected


async def test_recipients_with_their_variables(ada, services, written):
    project_id = await project(services, ada)
    ids = [
        await recipient(services, project_id, "+14155550100", "Ann", city="Riga", age=40),
        await recipient(services, project_id, "+14155550101", None, city="Oslo", vip=True),
    ]
    (message, _) = message_ids(project_id, ids)
    await messages(
        services, ada, project_id, {"id": message, "status": "failed", "failure_reason": "why not"}
    )
    rows = table(await written.complete(ada, "recipients", sendingProjectUuid=str(project_id)))
    assert rows == [
        [
            "address",
            "name",
            "timezone",
            "status",
            "statusReason",
            "variables.age",
            "variables.city",
            "variables.vip",
        ],
        ["+14155550100", "Ann", "", "failed", "why not", "40", "Riga", ""],
        ["+14155550101", "", "", "pending", "", "", "Oslo", "true"],
    ]
    options = {"sendingProjectUuid": str(project_id), "filters": {"status": "pending"}, "format": "ndjson"}
    content_ = await written.complete(
        ada, "recipients", columns=["address", "variables", "variables.none"], **options
    )
    assert [json.loads(line) for line in content_.splitlines()] == [
        {"address": "+14155550101", "variables": {"city": "Oslo", "vip": True}, "variables.none": None}
    ]


async def test_projects_their_numbers_and_blocks(ada, bob, services, written):
    project_id = await project(services, ada, name="one")
    await project(services, ada, name="gone", status="deleted")
    await project(services, bob, name="bob's")
    await many(services, ada, project_id, 3, "delivered")
    await many(services, ada, project_id, 1, "failed")
    await bucket(services, ada, project_id, datetime(2026, 1, 1, tzinfo=UTC), sent=1)
    rows = table(
        await written.complete(ada, "sending-projects", columns=["name", "channel", "delivered", "total"])
    )
    assert rows == [["name", "channel", "delivered", "total"], ["one", "sms", "3", "4"]]
    rows = table(
        await written.complete(ada, "statistics", columns=["name", "sentRate", "readRate", "repliedRate"])
    )
    assert rows[1:] == [["one", "0.75", "0.0", "0.0"]]
    assert len(table(await written.complete(ada, "statistics", filters={"status": "finished"}))) == 1
    for phone in ("+14155550100", "ann@example.com"):
        assert (await ada.rest("POST", f"/block/{phone}", json={})).status_code == 200
    rows = table(await written.complete(ada, "blocked-phones", columns=["phone", "reason"]))
    assert rows[1:] == [["+14155550100", "manual"], ["ann@example.com", "manual"]]
    assert len(table(await written.complete(ada, "blocked-phones", filters={"reason": "optOut"}))) == 1
    assert len(table(await written.complete(bob, "blocked-phones"))) == 1


async def test_a_workbook_of_typed_cells(ada, services, written, sheets):
    project_id = await project(services, ada)
    now = datetime(2026, 11, 20, 12, tzinfo=UTC)
    await messages(
        services, ada, project_id,
        {"to": "+14155550000", "status": "sent", "sent_at": now, "price": 1, "failure_reason": "=1+1"},
    )  # fmt: skip
    columns = ["to", "price", "attempts", "sentAt", "failureReason", "readAt"]
    (sheet,) = sheets(await written.complete(ada, "messages", format="xlsx", columns=columns))
    assert sheet == [
        tuple(columns),
        ("+14155550000", 1, 0, now.replace(tzinfo=None), "'=1+1", None),
    ]


EVIL = (
    '=HYPERLINK("http://evil","x")', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1", "\n=1", "＝1+1",
    '=1","=2', "x,=1", 'a"b', "plain",
)  # fmt: skip


async def test_nothing_becomes_a_formula(ada, services, written, sheets):
    """Names that people chose, in every format, and what a spreadsheet reads there."""
    import openpyxl

    project_id = await project(services, ada)
    for number, name in enumerate(EVIL):
        await recipient(services, project_id, f"+1415555{number:04}", name, **{name[:50]: name})
    options = {"sendingProjectUuid": str(project_id), "columns": ["name", f"variables.{EVIL[0]}"]}
    rows = table(await written.complete(ada, "recipients", **options))
    assert [row[0] for row in rows[1:]] == [*(f"'{name}" for name in EVIL[:9]), *EVIL[9:]]
    assert rows[1][1] == f"'{EVIL[0]}"
    options["format"] = "xlsx"
    content_ = await written.complete(ada, "recipients", **options)
    for row in openpyxl.load_workbook(io.BytesIO(content_)).worksheets[0].iter_rows():
        assert all(cell.data_type in ("s", "n", "inlineStr") and not cell.hyperlink for cell in row)
    (sheet,) = sheets(content_)
    assert [row[0] for row in sheet[1:]][:4] == [f"'{name}" for name in EVIL[:4]]
    options["format"] = "ndjson"
    lines = (await written.complete(ada, "recipients", **options)).splitlines()
    assert [json.loads(line)["name"] for line in lines] == [*EVIL]
    # A column's name is a cell too.
    every = table(await written.complete(ada, "recipients", sendingProjectUuid=str(project_id)))
    # (A plus sign and digits are a phone, and to a spreadsheet a number.)
    cells = [cell for row in every for cell in row if not re.fullmatch(r"\+[0-9]+", cell)]
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


async def test_a_phone_that_was_exported_can_be_brought_in_again(ada, services, written):
    project_id = await project(services, ada)
    await recipient(services, project_id, "+79161234567")
    rows = table(
        await written.complete(ada, "recipients", sendingProjectUuid=str(project_id), columns=["address"])
    )
    assert rows[1] == ["+79161234567"]
    # What was exported before, with an apostrophe, can be too.
    assert recipient_addresses.phone(f"'{rows[1][0]}", "US") == "+79161234567"


def test_a_full_sheet_is_followed_by_another(tmp_path, sheets):
    path = tmp_path / "x.xlsx"
    book = formats.Xlsx(["n"], path, sheet_rows=4)
    book.rows([[number] for number in range(7)])
    book.close()
    assert sheets(path.read_bytes()) == [
        [("n",), (0,), (1,), (2,)],
        [("n",), (3,), (4,), (5,)],
        [("n",), (6,)],
    ]
    assert formats.SHEET_ROWS == 1_048_576


async def test_many_pages_are_one_file(ada, services, written, monkeypatch, sheets):
    monkeypatch.setattr(message_source, "PAGE", 100)
    project_id = await project(services, ada)
    await many(services, ada, project_id, 1234, "sent")
    options = {"sendingProjectUuid": str(project_id), "columns": ["to"]}
    rows = table(await written.complete(ada, "messages", **options))
    assert [row[0] for row in rows[1:]] == [f"+1415{1000000 + n}" for n in range(1, 1235)]
    (sheet,) = sheets(await written.complete(ada, "messages", format="xlsx", **options))
    assert [row[0] for row in sheet[1:]] == [f"+1415{1000000 + n}" for n in range(1, 1235)]
