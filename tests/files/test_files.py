"""Files through both doors."""

import asyncio
import hashlib
import os
import time
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx
import pytest

from core.ids import uuid7
from engine import files as engine
from runtime.services import Services
from tests.files.forms import FILE, form
from tests.support.people import Person
from tests.support.waits import PATIENCE

MIB = 2**20


async def upload(
    person: Person, data: bytes = b"hi", name: str = "a.txt", mime: str = "text/plain", **more: Any
) -> Any:
    return await person.rest("POST", "/file-uploader", files={"file": (name, data, mime)}, **more)


def payload(file: dict[str, Any]) -> str:
    return f"/file-uploader/payload/{file['originalName']}"


async def link(person: Person, file: dict[str, Any]) -> str:
    data = await person.data("query($i:ID!){file(id:$i){url}}", {"i": file["uuid"]})
    parts = urlsplit(data["file"]["url"])
    return f"{parts.path}?{parts.query}"


def lying(services: Services) -> list[bytes]:
    root = services.settings.data_dir / "files"
    return [path.read_bytes() for path in root.rglob("*") if path.is_file()]


async def test_a_file_goes_in_and_comes_out(ada: Person):
    data = os.urandom(3 * MIB)  # more than any other body may have
    made = await upload(ada, data, "Börse 2026.xlsx", "application/x-nonsense")
    assert made.status_code == 201, made.text
    file = made.json()
    assert file == {
        "uuid": file["uuid"],
        "name": "Börse 2026.xlsx",
        "originalName": file["uuid"].replace("-", "") + ".xlsx",
        "mime": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "size": 3 * MIB,
        "sha256": hashlib.sha256(data).hexdigest(),
        "createdAt": file["createdAt"],
    }
    assert (await ada.rest("GET", f"/file-uploader/info/{file['uuid']}")).json() == file
    got = await ada.rest("GET", payload(file))
    assert got.status_code == 200
    assert got.content == data
    assert got.headers["content-type"] == file["mime"]
    assert got.headers["content-length"] == str(3 * MIB)
    assert got.headers["content-disposition"] == (
        "attachment; filename=\"B_rse 2026.xlsx\"; filename*=UTF-8''B%C3%B6rse%202026.xlsx"
    )
    assert got.headers["x-content-type-options"] == "nosniff"
    assert got.headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert got.headers["cache-control"].startswith("private")


async def test_graphql_shows_the_same(ada: Person):
    file = (await upload(ada)).json()
    shown = await ada.data(
        "query($i:ID!){file(id:$i){id uuid name originalName mime size sha256 createdAt} "
        "files{nodes{uuid} totalCount}}",
        {"i": file["uuid"]},
    )
    relay = shown["file"].pop("id")
    assert shown == {"file": file, "files": {"nodes": [{"uuid": file["uuid"]}], "totalCount": 1}}
    again = await ada.data("query($i:ID!){file(id:$i){uuid}}", {"i": relay})
    assert again["file"]["uuid"] == file["uuid"]


async def test_an_empty_file(ada: Person):
    file = (await upload(ada, b"")).json()
    assert file["size"] == 0
    got = await ada.rest("GET", payload(file))
    assert (got.status_code, got.content) == (200, b"")


@pytest.mark.parametrize(
    ("name", "stored", "extension"),
    [
        ("../../etc/passwd", "passwd", ""),
        ("C:\\Users\\ada\\list.CSV", "list.CSV", ".csv"),
        ("a\x00b\x07.txt", "ab.txt", ".txt"),
        ("x" * 300 + ".csv", "x" * 196 + ".csv", ".csv"),
        ("ann\u202efdp.exe", "annfdp.exe", ".exe"),
        ("cafe\u0301.txt", "café.txt", ".txt"),
        ("..", "file", ""),
        ("", "file", ""),
        (" .hidden ", "hidden", ""),
        ("a\u2028b\r\nX: y.txt", "a bX: y.txt", ".txt"),
        ('say "hi"; x=1.txt', 'say "hi"; x=1.txt', ".txt"),
        ("100%.txt", "100%.txt", ".txt"),
        ("a.tar.g/z", "z", ""),
        ("\udcff.txt", ".txt", ".txt"),
    ],
)
def test_names_are_harmless(name: str, stored: str, extension: str):
    assert engine.safe_name(name) in (stored, stored.strip("."))
    assert engine.safe_name(engine.safe_name(name)) == engine.safe_name(name)
    assert (engine._extension(engine.safe_name(name)) or "") in (extension, "")


@pytest.mark.parametrize(
    "name", ["../../x.txt", 'q"\\u.txt', "\u202eevil.txt", "日本語.txt", "x" * 300 + ".txt"]
)
async def test_a_hostile_name_reaches_no_path_and_no_header(ada: Person, services: Services, name: str):
    file = (await upload(ada, b"hi", name)).json()
    assert file["originalName"] == file["uuid"].replace("-", "") + ".txt"
    got = await ada.rest("GET", payload(file))
    assert got.content == b"hi"
    assert "\u202e" not in file["name"]
    disposition = got.headers["content-disposition"]
    assert disposition.isascii()
    assert disposition.count('"') == 2
    root = services.settings.data_dir / "files"
    assert {path.name for path in root.rglob("*") if path.is_file()} == {file["uuid"].replace("-", "")}


@pytest.mark.parametrize(
    ("mime", "name", "stored"),
    [
        ("image/png", "no extension", "image/png"),
        ("image/png", "a.html", "text/html"),
        ("text/html; charset=evil", "x", "text/html"),
        ("text/html\r\nSet-Cookie: a=b", "x", "application/octet-stream"),
        ("nonsense", "x", "application/octet-stream"),
        (None, "x", "application/octet-stream"),
        ("IMAGE/PNG", "x", "image/png"),
        ("a/" + "b" * 300, "x", "application/octet-stream"),
        ("application/gzip", "a.csv.gz", "application/gzip"),
    ],
)
def test_media_types(mime: str | None, name: str, stored: str):
    assert engine.safe_mime(mime, name) == stored


async def test_ranges(ada: Person):
    data = bytes(range(256)) * 8192  # two pieces
    file = (await upload(ada, data)).json()
    tag = (await ada.rest("GET", payload(file))).headers["etag"]
    for header, start, end in (
        ("bytes=0-0", 0, 1),
        ("bytes=10-19", 10, 20),
        ("bytes=1048570-1048580", 1048570, 1048581),
        ("bytes=-5", len(data) - 5, len(data)),
        ("bytes=2097000-", 2097000, len(data)),
        ("bytes=5-99999999999", 5, len(data)),
        ("bytes=-99999999999", 0, len(data)),
    ):
        got = await ada.rest("GET", payload(file), headers={"Range": header, "If-Range": tag})
        assert got.status_code == 206, header
        assert got.content == data[start:end]
        assert got.headers["content-range"] == f"bytes {start}-{end - 1}/{len(data)}"
        assert got.headers["content-length"] == str(end - start)
    for ignored in (
        "bytes=1-2,4-5",
        "lines=1-2",
        "bytes=-",
        "bytes=9-1",
        f"bytes={len(data)}-",
        "bytes=-0",
        "x" * 999,
    ):
        got = await ada.rest("GET", payload(file), headers={"Range": ignored})
        assert (got.status_code, len(got.content)) == (200, len(data)), ignored
    stale = await ada.rest("GET", payload(file), headers={"Range": "bytes=0-0", "If-Range": '"other"'})
    assert stale.status_code == 200


async def test_a_signed_link_needs_no_credential(ada: Person, client: httpx.AsyncClient):
    file = (await upload(ada, b"hello")).json()
    path = await link(ada, file)
    assert (await client.get(path)).content == b"hello"
    assert (await client.get(payload(file))).status_code == 401


@pytest.mark.settings(link_seconds=60)
async def test_a_link_is_for_one_file_and_a_while(
    ada: Person, client: httpx.AsyncClient, services: Services, monkeypatch: pytest.MonkeyPatch
):
    first, second = (await upload(ada, b"1")).json(), (await upload(ada, b"2")).json()
    path = await link(ada, first)
    asked = parse_qs(urlsplit(path).query, strict_parsing=True)
    expires, signature = int(asked["expires"][0]), asked["signature"][0]
    assert expires <= time.time() + 60
    for bad in (
        path.replace(first["originalName"], second["originalName"]),
        path.replace(f"expires={expires}", f"expires={expires + 1}"),
        path.replace(f"expires={expires}&", ""),
        path.replace(signature, ""),
        path.replace(signature, "%E2%82%AC"),
        path.replace(signature, signature[:-1]),
        path.replace(f"&by={asked['by'][0]}", ""),
    ):
        answer = await client.get(bad)
        assert (answer.status_code, answer.json()["code"]) == (403, "bad_link"), bad
    over = datetime.fromtimestamp(expires + 1, UTC)
    monkeypatch.setattr(services.db, "now", lambda: over)
    assert (await client.get(path)).json()["code"] == "bad_link"


async def test_another_s_file_is_not_there(ada: Person, bob: Person, admin: Person):
    file = (await upload(ada)).json()
    for path in (f"/file-uploader/info/{file['uuid']}", payload(file)):
        other = await bob.rest("GET", path)
        nothing = await bob.rest("GET", path.replace(file["uuid"][:8], "00000000"))
        assert (other.status_code, other.json()["code"]) == (404, "file_not_found")
        assert other.json()["message"] == nothing.json()["message"]
        assert (await admin.rest("GET", path)).status_code == 200
    assert (await bob.data("{files{nodes{uuid}}}"))["files"]["nodes"] == []
    refused = await bob.graphql("mutation($i:ID!){deleteFile(id:$i)}", {"i": file["uuid"]})
    assert refused["errors"][0]["extensions"]["code"] == "file_not_found"


async def test_paths_lead_nowhere(ada: Person):
    await upload(ada)
    for name in ("...", "%2e%2e%2fsecret", "..%2F..%2Fetc%2Fpasswd", "a%5Cb", "x" * 200, "%00"):
        answer = await ada.rest("GET", f"/file-uploader/payload/{name}")
        assert answer.status_code in (400, 404), (name, answer.status_code)


async def test_deleting(ada: Person, services: Services):
    file = (await upload(ada)).json()
    gone = await ada.data("mutation($i:ID!){deleteFile(id:$i)}", {"i": file["uuid"]})
    assert gone == {"deleteFile": True}
    assert (await ada.rest("GET", payload(file))).status_code == 404
    jobs = await services.db.fetch("SELECT payload FROM pgqueuer WHERE entrypoint = 'files.delete'")
    assert [row["payload"].decode() for row in jobs] == [file["uuid"]]
    await engine.sweep(services)  # what finds it though the job be lost
    assert lying(services) == []
    assert await services.db.fetchval("SELECT count(*) FROM discarded_files") == 0


async def test_a_file_in_use_stays(ada: Person, services: Services):
    file = (await upload(ada)).json()
    project = uuid7()
    await services.db.fetch(
        "INSERT INTO sending_projects (id, owner_id, account_id, name, channel, attachment_uuids)"
        " VALUES ($1, $2, $3, 'p', 'email', ARRAY[$4::uuid])",
        project,
        ada.id,
        ada.account_id,
        file["uuid"],
    )
    delete = "mutation($i:ID!){deleteFile(id:$i)}"
    refused = await ada.graphql(delete, {"i": file["uuid"]})
    assert refused["errors"][0]["extensions"]["code"] == "file_in_use"
    await services.db.fetch("UPDATE sending_projects SET status = 'finished' WHERE id = $1", project)
    assert await ada.data(delete, {"i": file["uuid"]}) == {"deleteFile": True}


# Forms


async def test_what_an_upload_left_goes_in_time(ada: Person, services: Services):
    await ada.rest("POST", "/file-uploader", **form(FILE, FILE))
    assert lying(services) == []
    await engine.store_pending(services, "a.txt", None, _chunk(b"hi"))  # as of a process that was killed then
    await engine.sweep(services)
    assert lying(services) == [b"hi"]  # it might still become a file
    await services.db.fetch("UPDATE discarded_files SET due_at = now()")
    await engine.sweep(services)
    assert lying(services) == []


# Bounds


@pytest.mark.settings(max_file_bytes=3 * MIB)
async def test_too_large(ada: Person, services: Services):
    assert (await upload(ada, bytes(3 * MIB))).status_code == 201
    over = await upload(ada, bytes(3 * MIB + 1))
    assert (over.status_code, over.json()["code"]) == (413, "file_too_large")
    assert over.headers["connection"] == "close"
    far_over = await upload(ada, bytes(5 * MIB))
    assert (far_over.status_code, far_over.json()["code"]) == (413, "too_large")
    assert len(lying(services)) == 1


async def test_nobody_s_bytes_are_not_even_read(client: httpx.AsyncClient):
    read = 0

    async def endless():
        nonlocal read
        while True:
            read += 1
            yield b"x" * 1000

    # The transport of the tests asks for the body only as the application does.
    request = client.build_request(
        "POST",
        "/file-uploader",
        content=endless(),
        headers={"Content-Type": "multipart/form-data; boundary=b"},
    )
    answer = await asyncio.wait_for(client.send(request), PATIENCE)
    assert answer.status_code == 401
    assert read <= 1


@pytest.mark.settings(max_user_files_bytes=2000)
async def test_a_user_may_keep_so_much(ada: Person, bob: Person, services: Services):
    assert (await upload(ada, bytes(1500))).status_code == 201
    full = await upload(ada, bytes(501))
    assert (full.status_code, full.json()["code"]) == (409, "files_full")
    assert (await upload(bob, bytes(501))).status_code == 201
    assert (await upload(ada, bytes(500))).status_code == 201


# Again, and half way


async def test_a_repeated_upload_is_replayed(ada: Person, services: Services):
    headers = {"Idempotency-Key": "once"}
    first = await upload(ada, b"one", headers=headers)
    again = await upload(ada, b"one", headers=headers)
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["idempotent-replayed"] == "true"
    other = await upload(ada, b"two", headers=headers)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert await services.db.fetchval("SELECT count(*) FROM files") == 1
    assert lying(services) == [b"one"]


async def test_an_upload_that_breaks_off_leaves_nothing(ada: Person, services: Services):
    with pytest.raises(RuntimeError):
        await engine.save(services, ada.id, "a", None, _broken())
    assert lying(services) == []
    assert await services.db.fetchval("SELECT count(*) FROM discarded_files") == 0


async def _broken():
    yield b"x" * 100
    raise RuntimeError("the client left")


async def _chunk(data: bytes):
    yield data


async def test_save_and_owned_for_the_engine(ada: Person, bob: Person, services: Services):
    row = await engine.save(services, ada.id, "export.ndjson", None, _chunk(b"{}\n"))
    assert (row.mime, row.size) == ("application/x-ndjson", 3)
    assert (await engine.owned(services.db, ada.id, row.id)).original_name == row.original_name
    assert await engine.owned(services.db, bob.id, row.id) is None
    assert await engine.owned(services.db, ada.id, uuid4()) is None
    assert await services.db.fetchval("SELECT count(*) FROM discarded_files") == 0
    await engine.delete(services, row.id)  # a job that comes twice, or for what is none
    assert lying(services) == [b"{}\n"]


async def test_bytes_that_are_due_become_no_file(ada: Person, services: Services):
    held = await engine.store_pending(services, "a", None, _chunk(b"x"))
    await services.db.fetch("UPDATE discarded_files SET due_at = now()")
    async with services.db.reading() as connection:
        with pytest.raises(Exception, match="took too long"):
            await engine.enter(services, connection, ada.id, held)
    assert await services.db.fetchval("SELECT count(*) FROM files") == 0


async def test_bytes_that_are_lost_are_told_before_the_answer_begins(ada: Person, services: Services):
    file = (await upload(ada)).json()
    for path in (services.settings.data_dir / "files").rglob("*"):
        if path.is_file():
            path.unlink()
    answer = await ada.rest("GET", payload(file))
    assert (answer.status_code, answer.json()["code"]) == (404, "file_not_found")
