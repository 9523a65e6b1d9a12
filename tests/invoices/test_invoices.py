"""Invoices through both doors: what is found out, the export of differences, and files that are hostile."""

import csv
import io
import tracemalloc
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from engine.provider_invoices import comparing
from tests.exports.conftest import Exports, written
from tests.support.gateway import gateway
from tests.support.invoices import ROUTE, SIX_DAYS, add, begin, billed, differences_of, fill, sent

__all__ = ["written"]

__all__ += ["gateway"]

CREATE = """
mutation($input: NewProviderInvoice!) { createProviderInvoice(input: $input) {
  id uuid route status lines sums { verdict count billed expected billedParts sentParts }
} }
"""
HEAD = "Message ID,To,Sent at,Segments,Price\n"


async def upload(admin, content: bytes | str) -> str:
    data = content.encode() if isinstance(content, str) else content
    answer = await admin.rest("POST", "/file-uploader", files={"file": ("invoice.csv", data)})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["uuid"])


async def compared(admin, services, content: bytes | str, **fields: Any) -> dict[str, Any]:
    """Uploads an invoice and compares it. Returns it as REST shows it."""
    since = begin()
    body = {
        "route": ROUTE,
        "fileUuid": await upload(admin, content),
        "periodFrom": since.isoformat(),
        "periodTo": (since + SIX_DAYS).isoformat(),
        **fields,
    }
    made = await admin.rest("POST", "/provider-invoices", json=body)
    assert made.status_code == 201, made.text
    await comparing.compare(services, UUID(made.json()["id"]))
    invoice: dict[str, Any] = (await admin.rest("GET", f"/provider-invoices/{made.json()['id']}")).json()
    return invoice


@pytest.fixture
async def messages(ada, services) -> list[Any]:
    """Two hundred messages of the route."""
    async with services.db.reading() as db:
        await fill(db, ada.id, ada.account_id, 200, begin())
        return await sent(db)


async def test_costs_that_begin_within_the_period_are_compared(admin, ada, services, messages):
    async with services.db.transaction() as db:
        await db.execute("UPDATE route_costs SET valid_from = $1", begin() + timedelta(seconds=1))
    text, _ = billed(messages, 0)
    invoice = await compared(admin, services, text.replace(",0.0079\r", ",0.0089\r"))
    assert invoice["currency"] == "USD"
    assert "otherPrice" in {each["verdict"] for each in invoice["sums"] if each["count"]}


async def exported(admin, written: Exports, invoice: dict[str, Any], **options: Any) -> list[dict[str, str]]:
    content = await written.complete(
        admin, "invoice-differences", filters={"invoiceUuid": invoice["id"]}, **options
    )
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


async def test_differences_are_found_and_exported(admin, ada, services, messages, written):
    text, planted = billed(messages, 25)
    invoice = await compared(admin, services, text)
    assert (invoice["status"], invoice["statusReason"]) == ("ready", None)
    assert invoice["lines"] == invoice["compared"] == text.count("\n") - 1
    assert invoice["currency"] == "USD"  # of the costs
    sums = {each["verdict"]: each for each in invoice["sums"]}
    assert {kind: each["count"] for kind, each in sums.items()} == {
        "matched": len(messages) - 15,  # with the first lines of those that are billed twice
        **dict.fromkeys(("billedNotSent", "sentNotBilled", "billedTwice", "otherParts", "otherPrice"), 5),
    }
    assert sums["matched"]["billed"] == pytest.approx(sums["matched"]["expected"])
    assert sums["otherParts"]["billedParts"] == sums["otherParts"]["sentParts"] + 5
    assert (sums["billedNotSent"]["expected"], sums["sentNotBilled"]["billed"]) == (0, 0)
    rows = await exported(admin, written, invoice)
    assert len(rows) == 25
    lines = text.splitlines()
    for row in rows:
        if row["verdict"] == "sentNotBilled":
            assert (row["line"], row["billed"]) == ("", "")
            assert row["messageUuid"]
        else:
            assert lines[int(row["line"]) - 1].startswith(row["providerMessageId"])
            assert (row["verdict"], row["providerMessageId"]) in planted
    # No phone is left, nor what matched; and only administrators see it.
    assert (
        await services.db.fetchval("SELECT count(*) FROM provider_invoice_lines WHERE phone IS NOT NULL") == 0
    )
    assert await services.db.fetchval("SELECT count(*) FROM provider_invoice_lines") == 25
    for who, status in ((admin, 200), (ada, 403)):
        assert (await who.rest("GET", f"/provider-invoices/{invoice['id']}")).status_code == status
        assert (await who.rest("GET", "/provider-invoices")).status_code == status
    refused = await ada.rest(
        "POST",
        "/export-link/start",
        json={"source": "invoice-differences", "filters": {"invoiceUuid": invoice["id"]}},
    )
    assert refused.status_code == 403
    assert (await admin.rest("DELETE", f"/provider-invoices/{invoice['id']}")).status_code == 204
    assert await services.db.fetchval("SELECT count(*) FROM provider_invoice_lines") == 0
    assert (await admin.rest("GET", f"/provider-invoices/{invoice['id']}")).status_code == 404


async def test_lines_without_ids_are_found_by_phone_and_time(admin, services, messages, written):
    """Two messages to one number within seconds are two; the columns are those that the mapping names."""
    twin = await services.db.fetchrow(
        'UPDATE messages AS m SET "to" = o."to", sent_at = o.sent_at + interval \'3 seconds\''
        " FROM (SELECT * FROM messages WHERE sent_at IS NOT NULL ORDER BY id LIMIT 1) AS o"
        " WHERE m.id = (SELECT id FROM messages WHERE segments = o.segments AND id > o.id ORDER BY id LIMIT 1)"
        " RETURNING m.id, o.id AS other"
    )
    async with services.db.reading() as db:
        rows = await sent(db)
    lines = [
        f"{row['to'].removeprefix('+')};{row['sent_at']:%d.%m.%Y %H:%M:%S};{row['parts']}" for row in rows
    ]
    late = datetime.now(UTC)
    lines += [
        f"+4915100000000;{rows[0]['sent_at']:%d.%m.%Y %H:%M};1",
        f"{rows[0]['to']};{late:%d.%m.%Y %H:%M};1",
    ]
    text = "Nummer;Zeit;Teile\n" + "\n".join(lines) + "\n"
    mapping = {"phone": "Nummer", "at": "Zeit", "parts": "Teile"}
    invoice = await compared(admin, services, text, mapping=mapping)
    assert {each["verdict"]: each["count"] for each in invoice["sums"]} == {
        "matched": len(rows),
        "billedNotSent": 2,
    }, [row for row in await exported(admin, written, invoice) if row["reason"]]
    assert invoice["mapping"] == {**mapping, "messageId": None, "price": None}
    assert twin is not None


async def by_phone(services) -> str:
    async with services.db.reading() as db:
        rows = await sent(db)
    return "To,Sent at\n" + "".join(f"{row['to']},{row['sent_at'].isoformat()}\n" for row in rows)


async def test_a_line_loses_its_phone_with_its_verdict(admin, services, messages, monkeypatch):
    async def broken(self: Any) -> None:
        raise OSError

    phones = "SELECT count(phone) FROM provider_invoice_lines"
    text = await by_phone(services)
    with monkeypatch.context() as patch:
        patch.setattr(comparing._Comparison, "_sum", broken)
        with pytest.raises(OSError):
            await compared(admin, services, text)
    assert await services.db.fetchval("SELECT count(*) FROM provider_invoice_lines") == len(messages)
    assert await services.db.fetchval(phones) == 0
    monkeypatch.setattr(comparing, "_BITE", 7)
    await services.db.fetch("UPDATE leases SET expires_at = now()")
    await comparing.compare(services, await services.db.fetchval("SELECT id FROM provider_invoices"))
    row = await services.db.fetchrow("SELECT status, sums::text FROM provider_invoices")
    assert row["status"] == "ready"
    assert f'"count": {len(messages)}' in row["sums"]
    assert await services.db.fetchval("SELECT count(*) FROM provider_invoice_lines") == 0


async def test_an_invoice_that_failed_has_no_lines(admin, services, messages, monkeypatch):
    monkeypatch.setattr(comparing, "MOST_MISSED", 0)
    text = await by_phone(services)
    invoice = await compared(admin, services, text[: text.index("\n", 200)])
    assert invoice["status"] == "failed", invoice
    assert await services.db.fetchval("SELECT count(*) FROM provider_invoice_lines") == 0


async def test_graphql_does_the_same(admin, services, messages):
    since = begin()
    fields = {
        "route": ROUTE,
        "fileUuid": await upload(admin, billed(messages, 5)[0]),
        "periodFrom": since.isoformat(),
        "periodTo": (since + SIX_DAYS).isoformat(),
    }
    made = (await admin.data(CREATE, {"input": fields}))["createProviderInvoice"]
    assert (made["status"], made["sums"]) == ("processing", [])
    await comparing.compare(services, UUID(made["uuid"]))
    listed = await admin.data(
        "{providerInvoices{nodes{uuid status sums{verdict count} mapping{messageId phone}}}}"
    )
    (node,) = listed["providerInvoices"]["nodes"]
    assert node["mapping"] == {"messageId": "Message ID", "phone": "To"}
    assert {each["verdict"]: each["count"] for each in node["sums"]}["billedTwice"] == 1
    assert await admin.data("mutation($id: ID!) {deleteProviderInvoice(id: $id)}", {"id": made["id"]})


async def test_each_bad_line_is_told_with_its_number(admin, services, messages, written):
    id = messages[0]["provider_message_id"]
    bad = {
        2: ("1.2E+15,+14155550100,2026-11-01,1,0.01", "shortened"),
        3: (",,2026-11-01,1,0.01", "neither an id nor a phone"),
        4: (",+14155550100,30 12 yesterday,1,0.01", "The time is not one"),
        5: (f"{id},x,,30 12,0.01", "1 to 255"),
        6: (f"{id},x,,1,--5", "not a number"),
        7: (f"{id},x,,1,30 12", "not a number"),
        8: (f"{'x' * 300},x,,1,0", "at most 255"),
        9: ("a\0b,x,,1,0", "NUL"),
        10: (f"{'y' * 70_000},x,,1,0", "longer than 64 KiB"),
        11: (",30 12,2026-11-01,1,0.01", "not a phone number"),
    }
    text = HEAD + "".join(f"{line}\n" for line, _ in bad.values()) + f"{id},x,,,\n"
    invoice = await compared(admin, services, text)
    assert invoice["status"] == "ready", invoice
    assert {each["verdict"]: each["count"] for each in invoice["sums"]}["badLine"] == len(bad)
    told = {
        int(row["line"]): row["reason"] for row in await exported(admin, written, invoice) if row["reason"]
    }
    assert told.keys() == bad.keys()
    for line, (_, words) in bad.items():
        assert words in told[line], told[line]
    assert [line for line, words in told.items() if "30 12" in words] == []  # it may be a phone, and stays


async def test_an_unusual_time_and_a_minus_are_no_differences(admin, services, messages):
    """The id finds the message without its time; what is paid may have a minus."""
    head, *lines = csv.reader(io.StringIO(billed(messages, 0)[0]))
    text = io.StringIO()
    csv.writer(text).writerows(
        [head, *([id, to, "yesterday", parts, f"-{price}"] for id, to, _, parts, price in lines)]
    )
    invoice = await compared(admin, services, text.getvalue())
    (sums,) = invoice["sums"]
    assert (sums["verdict"], sums["count"]) == ("matched", len(messages))
    assert sums["billed"] == pytest.approx(sums["expected"])


async def test_no_difference_is_a_formula(admin, services, messages, written):
    hostile = ('=HYPERLINK("http://x","y")', "@SUM(1)", "+1+cmd|' /C calc'!A0", "-2+3", "\u202e\u2066=1")
    text = io.StringIO()
    csv.writer(text).writerows([HEAD.strip().split(","), *([cell, "x", "", 1, 0] for cell in hostile)])
    invoice = await compared(admin, services, text.getvalue())
    rows = [row for row in await exported(admin, written, invoice) if row["verdict"] == "billedNotSent"]
    assert [row["providerMessageId"] for row in rows] == [f"'{cell}" for cell in hostile[:4]] + [hostile[4]]
    assert all(row["providerMessageId"][0] not in "=+-@\t\r" for row in rows)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"", "empty", id="empty"),
        pytest.param(HEAD.encode(), "no rows", id="only a header"),
        pytest.param(",".join(f"c{n}" for n in range(10**6)).encode() + b"\n1\n", "", id="a million columns"),
        pytest.param(b"a,b\n1,2\n", "mapping", id="no id and no phone"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100, "", id="a picture"),
        pytest.param(b"PK\x03\x04" + b"\xff" * 5000, "spreadsheet", id="a broken spreadsheet"),
        pytest.param(b"\xff\xfe" + b"\x00\xd8" * 3000, "", id="lone surrogates"),
        pytest.param(b"\0" * 100_000, "", id="zeros"),
        pytest.param(b'"' + b"x" * 5_000_000, "", id="a quote that never ends"),
    ],
)
async def test_a_hostile_file_fails_with_a_reason(content, words, admin, services, messages):
    if not content:
        invoice = await add(services, admin.id, content, begin(), begin() + SIX_DAYS)
        await comparing.compare(services, invoice)
        row = await services.db.fetchrow("SELECT status, status_reason FROM provider_invoices")
        assert (row["status"], words in row["status_reason"]) == ("failed", True)
        return
    tracemalloc.start()
    invoice = await compared(admin, services, content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 * 2**20
    bad = {each["verdict"] for each in invoice["sums"]} <= {"badLine", "sentNotBilled", "billedNotSent"}
    assert invoice["status"] == "failed" or bad, invoice
    if invoice["status"] == "failed":
        assert words in invoice["statusReason"], invoice["statusReason"]
        assert len(invoice["statusReason"]) < 2000


async def test_other_encodings_are_read(admin, services, messages):
    text, planted = billed(messages, 10)
    for encoding in ("utf-16", "cp1251", "utf-8-sig"):
        head = text.replace("Message ID", "Идентификатор", 1)
        mapping = {"messageId": "Идентификатор", "parts": "Segments", "price": "Price"}
        invoice = await compared(admin, services, head.encode(encoding), mapping=mapping, encoding=encoding)
        async with services.db.reading() as db:
            found = await differences_of(db, UUID(invoice["id"]))
        assert found.keys() == planted, (encoding, invoice)


async def test_bad_requests_are_refused(admin, ada, services, messages):
    file = await upload(admin, HEAD + "1,2,3,4,5\n")
    since = begin()
    body = {
        "route": ROUTE,
        "fileUuid": file,
        "periodFrom": since.isoformat(),
        "periodTo": (since + SIX_DAYS).isoformat(),
    }
    for change, code in (
        ({"route": "moon"}, "route_not_found"),
        ({"fileUuid": str(ada.id)}, "file_not_found"),
        ({"periodTo": since.isoformat()}, "bad_period"),
        ({"periodTo": (since + timedelta(days=63)).isoformat()}, "bad_period"),
        ({"mapping": {"price": "Price"}}, "validation_failed"),
        ({"timezone": "Moon/Crater"}, "validation_failed"),
        ({"encoding": "klingon"}, "validation_failed"),
    ):
        answer = await admin.rest("POST", "/provider-invoices", json=body | change)
        assert answer.json()["code"] == code, (change, answer.text)
    assert (await ada.rest("POST", "/provider-invoices", json=body)).status_code == 403
    # A column that is not there is told when the file is read.
    invoice = await compared(admin, services, HEAD + "1,2,3,4,5\n", mapping={"messageId": "Ident"})
    assert "'Ident'" in invoice["statusReason"]
