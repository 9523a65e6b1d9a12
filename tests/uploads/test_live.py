"""GraphQL uploads over real connections: memory, and clients that leave."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.files.test_live import lying, peak
from tests.support.live import Live, serving
from tests.support.waits import eventually
from tests.uploads.form import GUARD, operations

MIB = 2**20
FIELDS = (
    '--b\r\nContent-Disposition: form-data; name="operations"\r\n\r\n'
    f"{operations()}\r\n"
    '--b\r\nContent-Disposition: form-data; name="map"\r\n\r\n'
    '{"0": ["variables.file"]}\r\n'
).encode()
PART = b'--b\r\nContent-Disposition: form-data; name="0"; filename="a.bin"\r\n\r\n'
END = b"\r\n--b--\r\n"
HEAD = (
    "POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\ngraphql-require-preflight: 1\r\n"
    "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {length}\r\n\r\n"
)


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with serving(POSTERN_MAX_FILE_BYTES=str(150 * MIB)) as running:
        yield running


def sized(megabytes: int) -> Iterator[bytes]:
    yield FIELDS + PART
    for _ in range(megabytes):
        yield bytes(MIB)
    yield END


def test_a_large_file_is_never_in_memory(live: Live):
    since = live.mark()
    headers = {**live.ada.headers, **GUARD, "Content-Type": "multipart/form-data; boundary=b"}

    def post(megabytes: int):
        return live.client.post("/graphql", content=sized(megabytes), headers=headers)

    assert post(2).json()["data"]["uploadFile"]["size"] == 2 * MIB  # whatever is loaded for the first one
    before = peak(live)
    answer = post(150)
    assert answer.json()["data"]["uploadFile"]["size"] == 150 * MIB, answer.text
    assert peak(live) - before < 60 * MIB
    live.sound(since, answer)


@pytest.mark.parametrize(
    "begun", [FIELDS[:100], FIELDS, FIELDS + PART], ids=["in operations", "before the file", "in the file"]
)
def test_a_client_that_leaves_leaves_nothing(live: Live, begun: bytes):
    since, before = live.mark(), lying(live)
    head = HEAD.format(token=live.ada.token, length=50 * MIB).encode()
    with socket.create_connection(("127.0.0.1", live.port)) as connection:
        connection.sendall(head + begun)
        if begun.endswith(PART):
            connection.sendall(bytes(5 * MIB))
            eventually(lambda: len(lying(live)) > len(before), "it has begun")
    eventually(lambda: "/graphql" in live.logged(since), "it is over")
    eventually(lambda: lying(live) == before, "it is gone")
    live.sound(since)


def test_a_document_that_is_refused_does_not_wait_for_the_file(live: Live):
    wrong = FIELDS.replace(b"uploadFile", b"uploadNone")
    head = HEAD.format(token=live.ada.token, length=50 * MIB).encode()
    with socket.create_connection(("127.0.0.1", live.port), timeout=30) as connection:
        connection.sendall(head + wrong + PART)
        received = b""
        while b"uploadNone" not in received:
            chunk = connection.recv(65536)
            assert chunk, received
            received += chunk


def test_the_log_says_nothing_of_the_file(live: Live):
    since = live.mark()
    marked = FIELDS + PART.replace(b"a.bin", b"secret-name.bin") + b"secret-bytes" + END
    headers = {**live.ada.headers, **GUARD, "Content-Type": "multipart/form-data; boundary=b"}
    answer = live.client.post("/graphql", content=marked, headers=headers)
    assert answer.json()["data"]["uploadFile"]["name"] == "secret-name.bin"
    assert "secret-" not in live.logged(since)
    assert not list(Path(live.log.parent).rglob("*secret-name*"))
