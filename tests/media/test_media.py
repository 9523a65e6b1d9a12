"""Pictures through both doors, and what everybody sees of them."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.errors import DiskFull
from core.settings import Settings
from engine import files
from engine.media import limits
from runtime.services import Services
from tests.media.samples import PAGE, SVG, declared_png, decoded, endless_gif, photo, picture
from tests.support.people import Person
from tests.support.waits import PATIENCE
from tests.uploads.form import GUARD, operations, parts

UPLOAD = "mutation($file:Upload!){uploadPicture(file:$file){uuid url mime width}}"


async def upload(person: Person, data: bytes | None = None, name: str = "logo.png", **more: Any) -> Any:
    form = {"file": (name, picture() if data is None else data)}
    return await person.rest("POST", "/media", files=form, **more)


def path_of(answer: Any) -> str:
    """The path at this service of a picture that an upload has answered."""
    return f"/media/{answer.json()['url'].rpartition('/')[2]}"


def stored(services: Services) -> list[Path]:
    return [path for path in (services.settings.data_dir / "files").rglob("*") if path.is_file()]


async def test_a_picture_goes_in_and_everybody_sees_it(
    ada: Person, client: httpx.AsyncClient, services: Services
):
    answer = await upload(ada, photo(), "Börse 2026.jpeg")
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert {**made, "uuid": "", "url": "", "size": 0, "sha256": "", "createdAt": ""} == {
        "uuid": "", "name": "Börse 2026.jpeg", "mime": "image/jpeg", "width": 64, "height": 32, "frames": 1,
        "size": 0, "sha256": "", "url": "", "createdAt": "",
    }  # fmt: skip
    assert made["url"] == f"http://127.0.0.1:{services.settings.port}{path_of(answer)}"
    served = await client.get(path_of(answer))
    assert served.status_code == 200
    assert len(served.content) == made["size"] and decoded(served.content).size == (64, 32)
    headers = served.headers
    assert headers["content-type"] == "image/jpeg"
    assert headers["content-length"] == str(made["size"])
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert headers["cross-origin-resource-policy"] == "cross-origin"
    assert headers["etag"] == f'"{made["sha256"][:32]}"'
    assert "set-cookie" not in headers and "vary" not in headers
    assert len(stored(services)) == 1  # the upload as it came is gone
    assert await services.db.fetchval("SELECT count(*) FROM discarded_files") == 0


async def test_graphql_has_the_same(ada: Person, services: Services):
    form = parts(operations(UPLOAD), '{"0": ["variables.file"]}', ("0", ("a.png", picture(), "image/png")))
    body = (await ada.rest("POST", "/graphql", files=form, headers=GUARD)).json()
    made = body["data"]["uploadPicture"]
    assert (made["mime"], made["width"]) == ("image/png", 8)
    query = "query($i:ID!){picture(id:$i){id uuid name mime width height frames size sha256 url createdAt}"
    data = await ada.data(query + " pictures{nodes{uuid owner{email}} totalCount}}", {"i": made["uuid"]})
    id = data["picture"].pop("id")
    assert (await ada.rest("GET", f"/media/info/{made['uuid']}")).json() == data["picture"]
    assert (await ada.rest("GET", "/media")).json() == {"items": [data["picture"]], "next": None}
    assert data["pictures"]["totalCount"] == 1 and data["pictures"]["nodes"][0]["owner"]
    assert await ada.data("mutation($i:ID!){deletePicture(id:$i)}", {"i": id}) == {"deletePicture": True}
    assert (await ada.rest("GET", f"/media/info/{made['uuid']}")).json()["code"] == "picture_not_found"


async def test_pages_of_the_list_follow_each_other(ada: Person):
    uuids = [(await upload(ada, name=f"{n}.png")).json()["uuid"] for n in range(3)]
    first = (await ada.rest("GET", "/media?limit=2")).json()
    second = (await ada.rest("GET", "/media", params={"limit": 2, "after": first["next"]})).json()
    assert [each["uuid"] for each in first["items"] + second["items"]] == uuids[::-1]
    assert second["next"] is None
    named = (await ada.rest("GET", "/media?name=1.PNG&mime=image/png")).json()["items"]
    assert [each["uuid"] for each in named] == [uuids[1]]


async def test_who_has_the_picture_gets_no_bytes(ada: Person, client: httpx.AsyncClient):
    path = path_of(await upload(ada))
    tag = (await client.get(path)).headers["etag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        answer = await client.get(path, headers={"If-None-Match": known})
        assert (answer.status_code, answer.content) == (304, b""), known
        assert answer.headers["etag"] == tag and "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-security-policy"].startswith("sandbox")
    assert (await client.get(path, headers={"If-None-Match": '"other"'})).status_code == 200


# Attacks


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (SVG, "logo.png", "bad_picture"),
        (SVG, "logo.svg", "bad_picture"),
        (PAGE, "logo.gif", "bad_picture"),
        (b"", "logo.png", "bad_picture"),
        (photo()[:300], "logo.jpg", "bad_picture"),
        (declared_png(30_000, 30_000), "logo.png", "picture_too_complex"),
        (endless_gif(250_000), "logo.gif", "picture_too_complex"),
    ],
)
async def test_what_is_no_picture_is_refused_and_leaves_nothing(
    ada: Person, services: Services, data: bytes, name: str, code: str
):
    answer = await upload(ada, data, name)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert stored(services) == []
    for table in ("media", "discarded_files"):
        assert await services.db.fetchval(f"SELECT count(*) FROM {table}") == 0
    assert (await upload(ada)).status_code == 201  # the process that met it goes on, or another one


async def test_more_than_five_mebibytes_are_not_read(ada: Person, services: Services):
    over = await upload(ada, photo() + bytes(limits.UPLOADED_BYTES))
    assert (over.status_code, over.json()["code"]) == (413, "file_too_large")
    far_over = await upload(ada, bytes(limits.UPLOADED_BYTES + 2 * 2**20))
    assert (far_over.status_code, far_over.json()["code"]) == (413, "too_large")
    assert stored(services) == []


async def test_a_page_behind_a_picture_is_not_served(ada: Person, client: httpx.AsyncClient):
    answer = await upload(ada, photo() + PAGE, "logo.html")
    served = await client.get(path_of(answer))
    assert b"script" not in served.content
    assert (served.headers["content-type"], path_of(answer)[-4:]) == ("image/jpeg", ".jpg")


async def test_a_name_leads_to_no_path_and_no_header(ada: Person, client: httpx.AsyncClient):
    name = path_of(await upload(ada)).rpartition("/")[2]
    (token, _, _), code = name.partition("."), "picture_not_found"
    for bad in (
        "..%2f..%2fetc%2fpasswd", "%2e%2e%2fsecrets.json", f"..%2f{name}", f"{name}%00", f"{name}%0d%0aX-Evil:%201",
        f"{token}.svg", f"{token}.jpg", f"{token}.png.html", token, token.upper() + ".png", f"{name}%0a", "x" * 200,
        "0" * 32 + ".png",
    ):  # fmt: skip
        answer = await client.get(f"/media/{bad}")
        assert answer.status_code in (400, 404), (bad, answer.status_code)
        assert "x-evil" not in answer.headers and "immutable" not in answer.headers.get("cache-control", "")
        if answer.status_code == 404 and "%2f" not in bad:
            assert answer.json()["code"] == code


async def test_no_header_of_a_request_is_in_an_address_or_an_answer(ada: Person, client: httpx.AsyncClient):
    evil = {
        "Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "gopher",
        "Forwarded": "host=evil.example", "X-Original-URL": "/evil", "Origin": "https://evil.example",
    }  # fmt: skip
    answer = await upload(ada, headers=evil)
    assert "evil" not in answer.text
    served, plain = await client.get(path_of(answer), headers=evil), await client.get(path_of(answer))
    assert served.content == plain.content
    different = {"x-request-id", "date", "server-timing"}
    assert {*served.headers.items()} - {*plain.headers.items()} <= {
        pair for pair in served.headers.items() if pair[0] in different
    }


async def test_another_s_picture_is_not_there(
    ada: Person, bob: Person, admin: Person, client: httpx.AsyncClient
):
    answer = await upload(ada)
    uuid = answer.json()["uuid"]
    for method in ("GET", "DELETE"):
        refused = await bob.rest(method, f"/media/info/{uuid}")
        assert (refused.status_code, refused.json()["code"]) == (404, "picture_not_found")
    refused = await bob.graphql("mutation($i:ID!){deletePicture(id:$i)}", {"i": uuid})
    assert refused["errors"][0]["extensions"]["code"] == "picture_not_found"
    assert (await bob.rest("GET", "/media")).json()["items"] == []
    assert (await client.get(path_of(answer))).status_code == 200
    assert (await admin.rest("DELETE", f"/media/info/{uuid}")).status_code == 204


async def test_a_deleted_picture_and_one_of_a_suspended_user_are_gone(
    ada: Person, client: httpx.AsyncClient, services: Services
):
    first, second = await upload(ada), await upload(ada)
    assert (await ada.rest("DELETE", f"/media/info/{first.json()['uuid']}")).status_code == 204
    gone = await client.get(path_of(first))
    assert (gone.status_code, gone.json()["code"]) == (404, "picture_not_found")
    jobs = await services.db.fetch("SELECT payload FROM pgqueuer WHERE entrypoint = 'files.delete'")
    assert [row["payload"].decode() for row in jobs] == [first.json()["uuid"]]
    await files.sweep(services)  # it deletes the bytes though the job is lost
    assert len(stored(services)) == 1
    await services.db.fetch("UPDATE users SET status = 'suspended' WHERE id = $1", ada.id)
    assert (await client.get(path_of(second))).status_code == 404


async def test_nobody_uploads_without_the_permission(ada: Person, client: httpx.AsyncClient):
    token = (await ada.rest("POST", "/api-tokens", json={"name": "t", "scopes": ["files:read"]})).json()[
        "token"
    ]
    form = {"file": ("a.png", picture())}
    answer = await client.post("/media", files=form, headers={"authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert (await client.post("/media", files=form)).status_code == 401


# Limits, and half way


@pytest.mark.settings(max_user_pictures=2)
async def test_a_user_may_have_so_many(ada: Person, bob: Person, services: Services):
    answers = await asyncio.gather(*(upload(ada, name=f"{n}.png") for n in range(4)))
    assert sorted(answer.status_code for answer in answers) == [201, 201, 409, 409]
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"pictures_full"}
    assert (await upload(bob)).status_code == 201
    assert len(stored(services)) == 3


@pytest.mark.settings(max_user_files_bytes=2000)
async def test_pictures_count_among_the_bytes_of_files(ada: Person):
    size = (await upload(ada)).json()["size"]
    form = {"file": ("a.txt", bytes(2001 - size))}
    full = await ada.rest("POST", "/file-uploader", files=form)
    assert (full.status_code, full.json()["code"]) == (409, "files_full")
    assert (
        await ada.rest("POST", "/file-uploader", files={"file": ("a.txt", bytes(2000 - size))})
    ).status_code == 201
    assert (await upload(ada)).json()["code"] == "files_full"


async def test_a_repeated_upload_is_replayed(ada: Person, services: Services):
    key = {"Idempotency-Key": "once"}
    first, again = await upload(ada, headers=key), await upload(ada, headers=key)
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["idempotent-replayed"] == "true"
    other = await upload(ada, photo(), headers=key)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert len(stored(services)) == 1
    assert await services.db.fetchval("SELECT count(*) FROM discarded_files") == 0


async def test_a_full_disk_is_said_and_leaves_no_row(
    ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    put, calls = services.files.put, []

    async def full(*args: Any) -> Any:
        calls.append(args)
        if len(calls) % 2 == 0:  # the upload finds room, and the picture does not
            raise DiskFull("The disk of the files")
        return await put(*args)

    monkeypatch.setattr(services.files, "put", full)
    answer = await upload(ada)
    assert (answer.status_code, answer.json()["code"]) == (503, "disk_full")
    assert stored(services) == []
    for table in ("media", "discarded_files"):
        assert await services.db.fetchval(f"SELECT count(*) FROM {table}") == 0


async def test_many_uploads_of_one_user_keep_nobody_waiting(
    ada: Person, bob: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    """The first picture of ada takes as long as bob needs: it has one of the slots, and her others wait behind it."""
    began, is_over, ask = asyncio.Event(), asyncio.Event(), services.picture_pool._pool.ask

    async def slow(task: Any, seconds: float) -> Any:
        if not began.is_set():
            began.set()
            await is_over.wait()
        return await ask(task, seconds)

    monkeypatch.setattr(services.picture_pool._pool, "ask", slow)
    uploads = [asyncio.create_task(upload(ada, name=f"{n}.png")) for n in range(32)]
    await asyncio.wait_for(began.wait(), PATIENCE)
    other = await upload(bob)
    preview = {"i": {"channel": "sms", "text": "{% if name %}Dear{% endif %}", "variables": {"name": "x"}}}
    text = await ada.data("query($i:PreviewMessage!){previewMessage(input:$i){body}}", preview)
    early = [task.result().status_code for task in uploads if task.done()]
    is_over.set()
    assert (other.status_code, text["previewMessage"]["body"]) == (201, "Dear")
    assert {*early} <= {429}
    answers = await asyncio.gather(*uploads)
    statuses = {answer.status_code for answer in answers}
    assert statuses <= {201, 429} and 201 in statuses, statuses
    assert {a.json()["code"] for a in answers if a.status_code == 429} <= {
        "programs_busy",
        "too_many_changes",
    }


# The operator's address


@pytest.mark.settings(media_url="https://images.example.com/p/")
async def test_addresses_are_the_operator_s(ada: Person, client: httpx.AsyncClient):
    answer = await upload(ada)
    name = path_of(answer).rpartition("/")[2]
    assert answer.json()["url"] == f"https://images.example.com/p/{name}"
    shown = await ada.data("query($i:ID!){picture(id:$i){url}}", {"i": answer.json()["uuid"]})
    assert shown["picture"]["url"] == answer.json()["url"]
    assert (await client.get(f"/media/{name}")).status_code == 200


@pytest.mark.parametrize(
    "url",
    ["https://cdn.example.com", "http://127.0.0.1:8080/media", "https://[2001:db8::1]/a-b/c_d~e%20f/"],
)
def test_addresses_of_a_cdn(url: str):
    assert Settings(media_url=url).media_url == url


@pytest.mark.parametrize(
    "url",
    [
        "cdn.example.com", "ftp://cdn.example.com", "javascript:alert(1)", "https://", "https://a@cdn.example.com",
        "https://cdn.example.com?x=1", "https://cdn.example.com/#x", "https://cdn.example.com/\r\nX-Evil: 1",
        "https://cdn.example.com\n", 'https://cdn.example.com/"onerror="alert(1)', "https://cdn.example.com/a b",
        "https://cdn.example.com/<script>", "https://cdn.example.com\\@evil.example", "",
    ],
)  # fmt: skip
def test_what_is_no_address_of_a_cdn_stops_the_start(url: str):
    with pytest.raises(ValueError, match="media_url"):
        Settings(media_url=url)
