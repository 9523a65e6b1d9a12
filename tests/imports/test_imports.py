"""Recipient imports through both doors: contract §3."""

import asyncio
from uuid import UUID, uuid4

import orjson
import pytest

from core.errors import NotFound
from schema.frame.graphql import global_id
from shapes.imports import line_of, row_uuid

A, B, C = "+14155550100", "+14155550101", "+14155550102"
LIST = f"Phone;Name;City\n{A};Anna;Berlin\n{B};Boris;\n(415) 555-0100;Again;X\nnobody;D;Y\n"
IMPORT = """query($id:ID!) { recipientImport(id:$id) { id uuid status statusReason failureCode fileName fileUuid
  region columns mapping
  total valid invalid duplicates createdAt updatedAt contacts { created }
  rows(last:2) { nodes { uuid line recipient { phone address name variables timezone } error { code message } contact }
  totalCount pageInfo { hasPreviousPage } } wrong: rows(where:{valid:{eq:false}}) { nodes { line } totalCount } } }"""
CREATE = "mutation($input:NewImport!) { importRecipients(input:$input) { uuid status total } }"
TEXT = "mutation($input:NewTextImport!) { importRecipientsFromText(input:$input) { uuid status } }"
DELETE = "mutation($id:ID!, $uuids:[UUID!]) { deleteRecipientImport(id:$id, uuids:$uuids) }"
PREVIEW = """query($input:NewImport!) { previewImport(input:$input) { format delimiter encoding header
  columns { name samples } mapping } }"""


async def test_a_file_becomes_rows(ada, lists):
    made = await lists.upload(ada, LIST, "Мой список.csv")
    assert (made["status"], made["total"], made["fileName"], made["region"]) == (
        "processing",
        0,
        "Мой список.csv",
        "US",
    )
    done = await lists.read(ada, made)
    assert {key: done[key] for key in ("status", "statusReason", "total", "valid", "invalid", "duplicates")} == {
        "status": "ready", "statusReason": None, "total": 4, "valid": 2, "invalid": 1, "duplicates": 1,
    }  # fmt: skip
    assert done["columns"] == ["Phone", "Name", "City"]
    assert done["mapping"] == {"phone": "Phone", "name": "Name", "City": "City"}
    rows = await lists.rows(ada, made)
    assert [row["line"] for row in rows] == [2, 3, 4, 5]
    anna = {"phone": A, "address": A, "name": "Anna", "variables": {"City": "Berlin"}, "timezone": None}
    assert (rows[0]["recipient"], rows[0]["error"]) == (anna, None)
    assert rows[1]["recipient"]["variables"] == {}
    assert rows[2]["recipient"] is None
    assert rows[2]["error"] == {
        "code": "duplicate",
        "message": "Line 2 has the same address. Only that line is used.",
    }
    assert rows[3]["error"]["code"] == "invalid_phone"
    assert [row["line"] for row in await lists.rows(ada, made, valid=True)] == [2, 3]
    assert [row["line"] for row in await lists.rows(ada, made, valid=False)] == [4, 5]
    assert line_of(UUID(made["uuid"]), UUID(rows[3]["uuid"])) == 5


async def test_both_doors_show_the_same(ada, lists):
    made = await lists.upload(ada, LIST)
    done = await lists.read(ada, made)
    for id in (made["uuid"], global_id("RecipientImport", made["uuid"])):
        seen = (await ada.data(IMPORT, {"id": id}))["recipientImport"]
        page, wrong = seen.pop("rows"), seen.pop("wrong")
        assert seen.pop("id") == global_id("RecipientImport", made["uuid"])
        assert seen == done
        assert (page["totalCount"], page["pageInfo"]) == (4, {"hasPreviousPage": True})
        assert page["nodes"] == (await lists.rows(ada, made))[2:]
        assert wrong == {"nodes": [{"line": 4}, {"line": 5}], "totalCount": 2}
    listed = (await ada.rest("GET", "/recipient-import")).json()
    assert listed["items"] == [done]
    listed = "{recipientImports{nodes{uuid file{uuid imports{nodes{uuid}}} owner{email}} totalCount}}"
    assert (await ada.data(listed))["recipientImports"] == {
        "nodes": [{
            "uuid": made["uuid"], "owner": {"email": ada.email},
            "file": {"uuid": done["fileUuid"], "imports": {"nodes": [{"uuid": made["uuid"]}]}},
        }], "totalCount": 1,
    }  # fmt: skip


async def test_what_the_form_says_counts(ada, lists):
    content = "x|79161234567|Анна\ny|89161234568|Пётр\n".encode("cp1251")
    fields = {"region": "RU", "delimiter": "|", "encoding": "windows-1251", "header": "false"}
    mapping = {"phone": "column2", "first": "column3"}
    made = await lists.upload(ada, content, mapping=orjson.dumps(mapping).decode(), **fields)
    done = await lists.read(ada, made)
    assert (done["valid"], done["mapping"], done["region"]) == (2, mapping, "RU")
    rows = await lists.rows(ada, made)
    assert [row["recipient"]["address"] for row in rows] == ["+79161234567", "+79161234568"]
    assert rows[1]["recipient"]["variables"] == {"first": "Пётр"}


async def test_rows_and_text(ada, lists):
    rows = [
        {"phone": A, "name": "Anna", "n": 1.5, "tags": ["a"]},
        {"phone": "x"},
        {"address": "b@example.com"},
    ]
    made = (await ada.rest("POST", "/recipient-import", json={"rows": rows})).json()
    done = await lists.read(ada, made)
    assert (done["valid"], done["invalid"], done["fileName"]) == (1, 2, None)
    assert (await lists.rows(ada, made))[0]["recipient"]["variables"] == {"n": 1.5, "tags": ["a"]}
    again = (await ada.data(CREATE, {"input": {"rows": rows, "mapping": {"phone": "phone", "count": "n"}}}))[
        "importRecipients"
    ]
    assert (await lists.read(ada, again))["mapping"] == {"phone": "phone", "count": "n"}
    assert (await lists.rows(ada, again))[0]["recipient"]["variables"] == {"count": 1.5}
    text = f"{A}; Anna\nboris@example.com, Boris\n\n415 555-0102\nnonsense here"
    made = (await ada.rest("POST", "/recipient-import/text", json={"text": text})).json()
    done = await lists.read(ada, made)
    assert (done["status"], done["total"], done["valid"]) == ("ready", 4, 3)
    shown = [
        row["recipient"] and (row["recipient"]["address"], row["recipient"]["name"])
        for row in await lists.rows(ada, made)
    ]
    assert shown == [(A, "Anna"), ("boris@example.com", "Boris"), (C, None), None]
    made = (await ada.data(TEXT, {"input": {"text": "89161234567", "region": "RU"}}))[
        "importRecipientsFromText"
    ]
    assert (await lists.read(ada, made))["valid"] == 1


async def test_a_file_that_was_uploaded_before(ada, bob, lists):
    file = (await ada.rest("POST", "/file-uploader", files={"file": ("l.csv", LIST.encode())})).json()
    for person, status in ((ada, 202), (bob, 404)):
        answer = await person.rest("POST", "/recipient-import", json={"fileUuid": file["uuid"]})
        assert answer.status_code == status, answer.text
        assert await person.graphql(PREVIEW, {"input": {"fileUuid": file["uuid"]}})
    made = (await ada.rest("GET", "/recipient-import")).json()["items"][0]
    assert (await lists.read(ada, made))["valid"] == 2
    shown = (await ada.data(PREVIEW, {"input": {"fileUuid": file["uuid"]}}))["previewImport"]
    assert (shown["format"], shown["delimiter"], shown["encoding"], shown["header"]) == (
        "csv",
        ";",
        "utf-8",
        True,
    )
    assert shown["columns"][2] == {"name": "City", "samples": ["Berlin", "X", "Y"]}
    assert shown["mapping"] == {"phone": "Phone", "name": "Name", "City": "City"}
    assert await bob.code(PREVIEW, {"input": {"fileUuid": file["uuid"]}}) == "file_not_found"
    shown = (await ada.data(PREVIEW, {"input": {"rows": [{"tel": A, "x": 1}]}}))["previewImport"]
    assert (shown["format"], shown["mapping"]) == ("json", {"phone": "tel", "x": "x"})
    assert (await ada.data(PREVIEW, {"input": {"rows": [{"a": "b", "c": "d"}]}}))["previewImport"][
        "mapping"
    ] == {}
    bad = (await ada.rest("POST", "/file-uploader", files={"file": ("l.bin", bytes(4000))})).json()
    assert await ada.code(PREVIEW, {"input": {"fileUuid": bad["uuid"]}}) == "unreadable_list"
    await ada.data("mutation($id:ID!){deleteFile(id:$id)}", {"id": file["uuid"]})
    answer = await ada.rest("POST", "/recipient-import", json={"fileUuid": file["uuid"]})
    assert answer.json()["code"] == "file_not_found"


async def test_previews_are_bounded(ada, bob):
    ask = {"input": {"rows": [{"phone": A}]}}
    *answers, others = await asyncio.gather(
        *(ada.graphql(PREVIEW, ask) for _ in range(12)), bob.graphql(PREVIEW, ask)
    )
    codes = [answer["errors"][0]["extensions"]["code"] for answer in answers if "errors" in answer]
    assert 1 <= len(codes) <= 7
    assert set(codes) == {"previews_busy"}
    assert others["data"]["previewImport"]["header"] is True
    assert (await ada.data(PREVIEW, ask))["previewImport"]["header"] is True


async def test_a_preview_costs_what_it_reads(ada):
    costs = []
    for lines in (1, 60_000):
        content = "phone;name\n" + "+14155550100;Anna\n" * lines
        file = (await ada.rest("POST", "/file-uploader", files={"file": ("l.csv", content.encode())})).json()
        answer = await ada.graphql(PREVIEW, {"input": {"fileUuid": file["uuid"]}})
        costs.append(answer["extensions"]["cost"]["actual"])
    assert costs[0] >= 100
    assert costs[1] - costs[0] == len(content) // 65_536


REFUSED = [
    {}, {"rows": []}, {"rows": [1]}, {"rows": [{"phone": A}], "fileUuid": str(uuid4())}, {"rows": "x"},
    {"rows": [{"phone": A}], "region": "XX"}, {"rows": [{"phone": A}], "region": "us"},
    {"rows": [{"phone": A}], "encoding": "rot13"}, {"rows": [{"phone": A}], "delimiter": "x"},
    {"rows": [{"phone": A}], "mapping": {}}, {"rows": [{"phone": A}], "mapping": {"name": "x"}},
    {"rows": [{"phone": A}], "mapping": {"phone": "x", "1st": "y"}}, {"rows": [{"phone": A}], "mapping": {"phone": ""}},
    {"rows": [{"phone": A}], "mapping": {"phone": "x", **{f"v{n}": "x" for n in range(200)}}},
    {"rows": [{"phone": A}], "other": 1}, {"rows": [{"phone": "a\0"}]}, {"fileUuid": "x"},
]  # fmt: skip


async def test_what_makes_no_import(ada, services):
    for input in REFUSED:
        answer = await ada.rest("POST", "/recipient-import", json=input)
        assert answer.status_code == 400, (input, answer.text)
        body = await ada.graphql(CREATE, {"input": input})
        assert body["errors"][0]["extensions"]["code"] in ("validation_failed", "bad_request"), input
    forms = [
        ({"region": "XX"}, "region"), ({"mapping": "{"}, "mapping"), ({"mapping": '{"name":"x"}'}, "mapping"),
        ({"mapping": "[]"}, "mapping"), ({"unknown": "1"}, "unknown"), ({"encoding": "zip"}, "encoding"),
        ({"delimiter": "ab"}, "delimiter"),
    ]  # fmt: skip
    for fields, message in forms:
        answer = await ada.rest("POST", "/recipient-import", files={"file": ("a", b"x")}, data=fields)
        assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed"), answer.text
        assert message in str(answer.json()["message"])
    for content in (b"", b"[", b"null", b"\xff"):
        answer = await ada.rest(
            "POST", "/recipient-import", content=content, headers={"content-type": "application/json"}
        )
        assert answer.status_code == 400, answer.text
    for body in ({}, {"text": ""}, {"text": "a\0"}, {"text": 5}, {"text": "x", "region": "!!"}):
        assert (await ada.rest("POST", "/recipient-import/text", json=body)).status_code == 400
    assert await services.db.fetchval("SELECT count(*) FROM recipient_imports") == 0
    # Nothing that was uploaded for nothing is kept.
    assert await services.db.fetchval("SELECT count(*) FROM files") == 0
    assert await services.db.fetchval("SELECT count(*) FROM discarded_files") == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"), (b"Phone;Name\n", "no rows"), (bytes(5000), "binary"), (b"city;sum\nMoscow;1\n", "mapping"),
        (b"PK\x03\x04" + bytes(100), "damaged"), (b'[{"phone":"+14155550100"},', "without a closing ]"),
    ],
)  # fmt: skip
async def test_a_list_that_can_t_be_read_says_why(ada, lists, content, message):
    done = await lists.read(ada, await lists.upload(ada, content))
    assert done["status"] == "failed"
    assert message in done["statusReason"]


async def test_another_s_import_looks_like_none(ada, bob, lists):
    made = await lists.upload(bob, LIST)
    await lists.read(bob, made)
    row = (await lists.rows(bob, made))[0]["uuid"]
    for id in (made["uuid"], str(uuid4())):
        for method, path in (("GET", f"/{id}"), ("GET", f"/list/{id}"), ("DELETE", f"/{id}")):
            answer = await ada.rest(method, f"/recipient-import{path}")
            assert (answer.status_code, answer.json()["code"]) == (404, "import_not_found")
        assert await ada.code(IMPORT, {"id": id}) == "import_not_found"
        assert await ada.code(DELETE, {"id": id, "uuids": [row]}) == "import_not_found"
    assert (await ada.rest("GET", "/recipient-import")).json()["items"] == []


async def test_rows_are_deleted_and_counted(ada, lists):
    made = await lists.upload(ada, LIST)
    rows_early = await ada.rest(
        "DELETE", f"/recipient-import/{made['uuid']}", json={"uuids": [str(row_uuid(UUID(made["uuid"]), 2))]}
    )
    assert (rows_early.status_code, rows_early.json()["code"]) == (409, "import_processing")
    await lists.read(ada, made)
    rows = await lists.rows(ada, made)
    for _ in range(2):
        answer = await ada.rest(
            "DELETE", f"/recipient-import/{made['uuid']}", json={"uuids": [rows[0]["uuid"], rows[3]["uuid"]]}
        )
        assert answer.status_code == 204
    assert (await ada.data(DELETE, {"id": made["uuid"], "uuids": [rows[2]["uuid"]]}))[
        "deleteRecipientImport"
    ] is True
    now = (await ada.rest("GET", f"/recipient-import/{made['uuid']}")).json()
    assert [now[key] for key in ("total", "valid", "invalid", "duplicates")] == [1, 1, 0, 0]
    assert [row["line"] for row in await lists.rows(ada, made)] == [3]
    answer = await ada.rest("DELETE", f"/recipient-import/{made['uuid']}", json={"uuids": [str(uuid4())]})
    assert answer.json()["code"] == "import_row_not_found"
    for body in ({"uuids": []}, {"uuids": ["x"]}, {"ids": []}):
        assert (await ada.rest("DELETE", f"/recipient-import/{made['uuid']}", json=body)).status_code == 400


async def test_an_import_is_deleted_with_its_file(ada, lists, services):
    file = (await ada.rest("POST", "/file-uploader", files={"file": ("l.csv", LIST.encode())})).json()
    from_file = (await ada.rest("POST", "/recipient-import", json={"fileUuid": file["uuid"]})).json()
    made = await lists.upload(ada, LIST)
    for one in (from_file, made):
        await lists.read(ada, one)
        assert (await ada.rest("DELETE", f"/recipient-import/{one['uuid']}")).status_code == 204
        assert (await ada.rest("DELETE", f"/recipient-import/{one['uuid']}")).status_code == 404
    assert await services.db.fetchval("SELECT count(*) FROM import_rows") == 0
    assert [row["id"] for row in await services.db.fetch("SELECT id FROM files")] == [UUID(file["uuid"])]


async def test_the_same_key_gives_the_same_import(ada, services):
    async def post(content: bytes, key: str, **fields: str):
        return await ada.rest(
            "POST",
            "/recipient-import",
            files={"file": ("l.csv", content)},
            data=fields,
            headers={"idempotency-key": key},
        )

    first, again = await post(LIST.encode(), "a"), await post(LIST.encode(), "a")
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert (await post(b"other", "a")).status_code == 422
    assert (await post(LIST.encode(), "a", region="RU")).status_code == 422
    for path, body in (("", {"rows": [{"phone": A}]}), ("/text", {"text": A})):
        answers = [
            (
                await ada.rest(
                    "POST", f"/recipient-import{path}", json=body, headers={"idempotency-key": "b"}
                )
            ).json()
            for _ in range(2)
        ]
        assert answers[0] == answers[1]
    assert await services.db.fetchval("SELECT count(*) FROM recipient_imports") == 3
    assert await services.db.fetchval("SELECT count(*) FROM files") == 1
    assert await services.db.fetchval("SELECT count(*) FROM pgqueuer WHERE entrypoint = 'imports.read'") == 3


async def test_a_file_that_is_gone(ada, lists, services, monkeypatch):
    made = await lists.upload(ada, LIST)

    def gone(_):
        raise NotFound("gone")

    monkeypatch.setattr(services.files, "local_path", gone)
    done = await lists.read(ada, made)
    assert (done["status"], done["statusReason"]) == ("failed", "The file was deleted. Upload it again.")


@pytest.mark.settings(max_file_bytes=200_000)
async def test_bounds(ada, services):
    for size, status in ((199_000, 202), (201_000, 413), (3_000_000, 413)):
        answer = await ada.rest("POST", "/recipient-import", files={"file": ("l.csv", b"x" * size)})
        assert answer.status_code == status, answer.text
    answer = await ada.rest("POST", "/recipient-import", json={"rows": [{"phone": A}] * 10_001})
    assert answer.status_code == 400
    answer = await ada.rest("POST", "/recipient-import/text", json={"text": "x" * 2**21})
    assert answer.status_code == 413
    for query in ({"limit": 101}, {"page": 0}, {"valid": "x"}, {"other": 1}):
        answer = await ada.rest("GET", f"/recipient-import/list/{uuid4()}", params=query)
        assert answer.status_code == 400
