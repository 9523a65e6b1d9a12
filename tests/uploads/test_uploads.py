"""Files by the GraphQL multipart request specification (github.com/jaydenseric/graphql-multipart-request-spec)."""

import hashlib
import json
import os
from typing import Any

import httpx
import pytest

from runtime.services import Services
from schema.frame.uploads import MAP_BYTES, OPERATIONS_BYTES, PREFLIGHT
from tests.support.people import Person
from tests.uploads.form import FILE, GUARD, UPLOAD, operations, parts, send

MIB = 2**20
ONE = '{"0": ["variables.file"]}'
STRICT = {"Accept": "application/graphql-response+json"}


def lying(services: Services) -> list[bytes]:
    root = services.settings.data_dir / "files"
    return [path.read_bytes() for path in root.rglob("*") if path.is_file()]


async def test_a_file_comes_in_as_by_rest(ada: Person, services: Services):
    data = os.urandom(3 * MIB)  # more than any JSON body may have
    answer = await send(ada, parts(operations(), ONE, ("0", ("Börse.xlsx", data, "image/png"))))
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert "errors" not in body
    made = body["data"]["uploadFile"]
    assert made == {
        "uuid": made["uuid"],
        "name": "Börse.xlsx",
        "mime": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "size": 3 * MIB,
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    shown = (await ada.rest("GET", f"/file-uploader/info/{made['uuid']}")).json()
    assert {name: shown[name] for name in made} == made
    assert lying(services) == [data]
    assert await services.db.fetchval("SELECT count(*) FROM discarded_files") == 0


async def test_the_specification_s_own_example(ada: Person):
    """This is its curl request for a single file, with our field."""
    query = "mutation ($file: Upload!) { uploadFile(file: $file) { name } }"
    form = parts(
        json.dumps({"query": query, "variables": {"file": None}}),
        '{ "0": ["variables.file"] }',
        ("0", ("a.txt", b"Alpha file content.", "text/plain")),
    )
    assert (await send(ada, form)).json()["data"] == {"uploadFile": {"name": "a.txt"}}


async def test_a_form_in_the_smallest_pieces(ada: Person, client: httpx.AsyncClient):
    request = client.build_request("POST", "/graphql", files=parts(operations()))
    whole = await request.aread()

    async def dripping():
        for byte in whole:
            yield bytes([byte])

    headers = {**GUARD, "Content-Type": request.headers["content-type"]}
    answer = await ada.rest("POST", "/graphql", content=dripping(), headers=headers)
    assert answer.json()["data"]["uploadFile"]["size"] == 5, answer.text


async def test_a_form_without_a_file_is_a_request_like_another(ada: Person):
    form = parts(operations("{ me { email } }", {}), "{}")[:2]
    assert (await send(ada, form)).json()["data"] == {"me": {"email": ada.email}}


# The guard


@pytest.mark.parametrize("header", PREFLIGHT)
async def test_each_of_the_headers_will_do(ada: Person, header: str):
    answer = await ada.rest("POST", "/graphql", files=parts(operations()), headers={header: "x"})
    assert answer.json()["data"]["uploadFile"]["size"] == 5


@pytest.mark.parametrize("headers", [{}, {"graphql-require-preflight": " "}], ids=["none", "empty"])
@pytest.mark.parametrize("accept", [{}, STRICT], ids=["json", "strict"])
async def test_a_form_that_another_site_s_page_could_send(
    ada: Person, services: Services, headers: dict[str, str], accept: dict[str, str]
):
    answer = await ada.rest(
        "POST",
        "/graphql",
        files=parts(operations()),
        headers={**headers, **accept, "Origin": "https://evil.example"},
    )
    (error,) = answer.json()["errors"]
    assert (answer.status_code, error["extensions"]["code"]) == (400, "preflight_required")
    assert "graphql-require-preflight" in error["message"]
    assert lying(services) == []


@pytest.mark.settings(cors_origins=["https://app.example"])
async def test_a_site_that_is_allowed_may_send_the_header(client: httpx.AsyncClient):
    request = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,graphql-require-preflight",
    }
    for origin, status in (("https://app.example", 200), ("https://evil.example", 400)):
        answer = await client.options("/graphql", headers={**request, "Origin": origin})
        assert answer.status_code == status, answer.text


# What is no such form

BAD: dict[str, list[tuple[str, Any]]] = {
    "no operations": parts(None),
    "no map": parts(operations(), None),
    "no file": parts(operations())[:2],
    "the file comes first": [("0", FILE), *parts(operations())[:2]],
    "the file between": [parts(operations())[0], ("0", FILE), parts(operations())[1]],
    "operations twice": [parts(operations())[0], *parts(operations())],
    "a field of another name": parts(operations(), ONE, note="hi"),
    "operations is no JSON": parts("{"),
    "operations is a list": parts(f"[{operations()}]", '{"0": ["0.variables.file"]}'),
    "operations is text": parts('"query"'),
    "operations has no query": parts('{"variables": {"file": null}}'),
    "operations is deep": parts("[" * 20_000),
    "map is no JSON": parts(operations(), "{"),
    "map is a list": parts(operations(), '["variables.file"]'),
    "map is null": parts(operations(), "null"),
    "map has text for a list": parts(operations(), '{"0": "variables.file"}'),
    "map has numbers": parts(operations(), '{"0": [1]}'),
    "map has no paths": parts(operations(), '{"0": []}'),
    "map names another file": parts(operations(), '{"1": ["variables.file"]}'),
    "map names no file": parts(operations(), "{}"),
    "map names two files": parts(
        operations(), '{"0": ["variables.file"], "1": ["variables.file"]}', ("0", FILE), ("1", FILE)
    ),
    "map names one place twice": parts(operations(), '{"0": ["variables.file", "variables.file"]}'),
    "a path of nothing": parts(operations(), '{"0": [""]}'),
    "a path to all variables": parts(operations(), '{"0": ["variables"]}'),
    "a path outside": parts(operations(), '{"0": ["query"]}'),
    "a path to what is not there": parts(operations(), '{"0": ["variables.other"]}'),
    "a path too deep": parts(operations(), '{"0": ["variables.file.0.x"]}'),
    "a path beyond a list": parts(operations(UPLOAD, {"files": [None]}), '{"0": ["variables.files.1"]}'),
    "a path before a list": parts(operations(UPLOAD, {"files": [None]}), '{"0": ["variables.files.-1"]}'),
    "a path to a list's length": parts(
        operations(UPLOAD, {"files": [None]}), '{"0": ["variables.files.__len__"]}'
    ),
    "a path without an end": parts(operations(), '{"0": ["variables' + ".a" * 500 + '"]}'),
    "a place that is taken": parts(operations(UPLOAD, {"file": "a.txt"})),
    "no variables": parts(json.dumps({"query": UPLOAD})),
    "variables that are null": parts(json.dumps({"query": UPLOAD, "variables": None})),
    "operations too large": parts(operations(UPLOAD, {"file": None, "x": "x" * OPERATIONS_BYTES})),
    "map too large": parts(operations(), '{"0": ["variables.file"]}' + " " * MAP_BYTES),
}


@pytest.mark.parametrize("form", BAD.values(), ids=BAD)
async def test_what_is_no_such_form(ada: Person, services: Services, form: list[tuple[str, Any]]):
    for accept in ({}, STRICT):
        answer = await send(ada, form, **accept)
        body = answer.json()
        assert answer.status_code == 400, answer.text
        assert body.keys() == {"errors"}
        (error,) = body["errors"]
        assert error["extensions"]["code"] in ("bad_multipart", "bad_request"), error
        assert error["message"].endswith(".")
    assert lying(services) == []
    assert await services.db.fetchval("SELECT count(*) FROM files") == 0


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "multipart/form-data"),
        (b"x", "multipart/form-data; boundary="),
        (b"nonsense", "multipart/form-data; boundary=b"),
        (b"--b\r\n", "multipart/form-data; boundary=b"),
        (
            b'--b\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{',
            "multipart/form-data; boundary=b",
        ),
        (b"--b--\r\n", "multipart/form-data; boundary=b"),
        (b"x", "multipart/form-data; boundary=" + "b" * 71),
    ],
    ids=[
        "no boundary",
        "an empty one",
        "nonsense",
        "breaks off",
        "breaks off in a field",
        "empty",
        "too long",
    ],
)
async def test_what_is_no_form(ada: Person, content: bytes, kind: str):
    answer = await ada.rest("POST", "/graphql", content=content, headers={**GUARD, "Content-Type": kind})
    assert answer.status_code == 400, answer.text
    assert answer.json()["errors"][0]["extensions"]["code"] in ("bad_multipart", "multipart_expected")


@pytest.mark.parametrize(
    "value", ["a.txt", {"name": "a"}, 1, True, [None]], ids=["text", "object", "number", "true", "list"]
)
async def test_an_upload_is_nothing_that_json_can_say(ada: Person, value: Any):
    for variables in ({"file": value}, {"file": None}, {}):
        body = (await ada.rest("POST", "/graphql", json={"query": UPLOAD, "variables": variables})).json()
        assert "data" not in body or body["data"] is None or body["data"] == {"uploadFile": None}
        assert body["errors"][0]["extensions"]["code"] == "bad_request"
    literal = f"mutation {{ uploadFile(file: {json.dumps('x')}) {{ uuid }} }}"
    assert await ada.code(literal) == "bad_request"


async def test_an_upload_where_another_type_is_wanted(ada: Person):
    query = "mutation($file: String!) { deleteStorageValue(key: $file) }"
    body = (await send(ada, parts(operations(query)))).json()
    assert body["errors"][0]["extensions"]["code"] == "bad_request"
    assert "Upload object" not in json.dumps(body)  # no Python in it


# The operation


async def test_a_file_is_taken_once(ada: Person, services: Services):
    query = (
        "mutation($file: Upload!) { a: uploadFile(file: $file) { size } b: uploadFile(file: $file) { size } }"
    )
    body = (await send(ada, parts(operations(query)))).json()
    assert body["data"] == {"a": {"size": 5}, "b": None}
    assert [error["extensions"]["code"] for error in body["errors"]] == ["bad_multipart"]
    assert lying(services) == [b"hello"]


async def test_two_files_where_map_names_one(ada: Person, services: Services):
    form = parts(operations(), ONE, ("0", FILE), ("1", FILE))
    body = (await send(ada, form)).json()
    assert body["data"] == {"uploadFile": None}
    assert body["errors"][0]["extensions"]["code"] == "bad_multipart"
    assert lying(services) == []
    assert await services.db.fetchval("SELECT count(*) FROM discarded_files") == 0


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("mutation($file: Upload!) { uploadFile(file: $file) { nothing } }", "bad_request"),
        ("mutation($file: Upload!) { uploadFile(file: $file) { uuid }", "bad_request"),
        (
            "mutation($file: Upload!) {"
            + " ".join(f"a{n}: uploadFile(file: $file) {{ uuid }}" for n in range(31))
            + "}",
            "query_too_complex",
        ),
        ("subscription { messengerAccountChanged { state } }", None),
    ],
    ids=["invalid", "unreadable", "aliases", "subscription"],
)
async def test_bounds_are_those_of_every_document(
    ada: Person, services: Services, query: str, code: str | None
):
    answer = await send(ada, parts(operations(query)), **STRICT)
    assert answer.status_code in (400, 405), answer.text
    assert code in (None, answer.json()["errors"][0]["extensions"]["code"])
    assert lying(services) == []


async def test_nobody_s_bytes_are_not_read(client: httpx.AsyncClient, services: Services):
    read = 0
    head = client.build_request("POST", "/graphql", files=parts(operations()))
    whole = await head.aread()
    begin = whole[: whole.index(b"hello")]

    async def endless():
        nonlocal read
        yield begin
        while True:
            read += 1
            yield b"x" * 1000

    headers = {**GUARD, "Content-Type": head.headers["content-type"]}
    request = client.build_request("POST", "/graphql", content=endless(), headers=headers)
    body = (await client.send(request)).json()
    assert body["errors"][0]["extensions"]["code"] == "unauthenticated"
    assert read <= 1
    assert lying(services) == []


@pytest.mark.settings(max_file_bytes=3 * MIB)
async def test_too_large(ada: Person, services: Services):
    def sized(count: int) -> list[tuple[str, Any]]:
        return parts(operations(), ONE, ("0", ("a", bytes(count))))

    assert (await send(ada, sized(3 * MIB))).json()["data"]["uploadFile"]["size"] == 3 * MIB
    over = await send(ada, sized(3 * MIB + 1))
    assert over.json()["errors"][0]["extensions"]["code"] == "file_too_large"
    assert over.headers["connection"] == "close"
    far_over = await send(ada, sized(5 * MIB))
    assert (far_over.status_code, far_over.json()["code"]) == (413, "too_large")
    assert len(lying(services)) == 1


async def test_only_a_form_may_be_larger(ada: Person):
    body = operations("{ me { email } }", {"x": "x" * (2 * MIB + 1)})
    headers = {"Content-Type": "application/json", **GUARD}
    answer = await ada.rest("POST", "/graphql", content=body, headers=headers)
    assert answer.status_code == 413


@pytest.mark.settings(max_file_bytes=2000, max_body_bytes=MIB)
async def test_a_form_of_unknown_length_that_never_ends(
    ada: Person, client: httpx.AsyncClient, services: Services
):
    """The file is within its bound, and then more comes than a form may have."""
    request = client.build_request("POST", "/graphql", files=parts(operations()))
    whole = await request.aread()

    async def endless():
        yield whole
        for _ in range(5):
            yield bytes(MIB)

    headers = {**GUARD, "Content-Type": request.headers["content-type"]}
    answer = await ada.rest("POST", "/graphql", content=endless(), headers=headers)
    assert answer.json()["errors"][0]["extensions"]["code"] == "too_large", answer.text
    assert answer.headers["connection"] == "close"
    assert lying(services) == []


@pytest.mark.settings(max_user_files_bytes=2000)
async def test_a_user_may_keep_so_much(ada: Person):
    codes = []
    for _ in range(2):
        body = (await send(ada, parts(operations(), ONE, ("0", ("a", bytes(1500)))))).json()
        codes += [error["extensions"]["code"] for error in body.get("errors", [])]
    assert codes == ["files_full"]


async def test_a_repeated_upload_is_replayed_through_either_door(ada: Person, services: Services):
    key = {"Idempotency-Key": "once"}
    first = await send(ada, parts(operations()), **key)
    again = await send(ada, parts(operations()), **key)
    assert again.json()["data"] == first.json()["data"]
    assert again.headers["idempotent-replayed"] == "true"
    rest = await ada.rest("POST", "/file-uploader", files={"file": FILE}, headers=key)
    assert rest.json()["uuid"] == first.json()["data"]["uploadFile"]["uuid"]
    other = await send(ada, parts(operations(), ONE, ("0", ("a.txt", b"other"))), **key)
    assert other.json()["errors"][0]["extensions"]["code"] == "idempotency_key_reused"
    assert lying(services) == [b"hello"]


async def test_another_s_file_is_not_there(ada: Person, bob: Person):
    made = (await send(ada, parts(operations()))).json()["data"]["uploadFile"]
    query = "query($id: ID!) { file(id: $id) { uuid } }"
    assert (await bob.graphql(query, {"id": made["uuid"]}))["errors"][0]["extensions"][
        "code"
    ] == "file_not_found"


async def test_a_list_is_no_bigger_than_its_file(ada: Person):
    """An uploaded file can be read as recipients at once."""
    csv = ("list.csv", b"phone\n+14155550101\n", "text/csv")
    made = (await send(ada, parts(operations(), ONE, ("0", csv)))).json()["data"]["uploadFile"]
    query = "mutation($i: NewImport!) { importRecipients(input: $i) { status } }"
    assert (await ada.data(query, {"i": {"fileUuid": made["uuid"]}}))["importRecipients"]["status"]
