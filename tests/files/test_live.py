"""Uploads over real connections: memory, bounds, and clients that leave."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.live import Live, serving
from tests.support.waits import eventually

MIB = 2**20
HEAD = (
    "POST /file-uploader HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
    "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {length}\r\n\r\n"
)
PART = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
END = b"\r\n--b--\r\n"


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with serving(POSTERN_MAX_FILE_BYTES=str(150 * MIB)) as running:
        yield running


def lying(live: Live) -> list[Path]:
    return [path for path in (live.log.parent / "files").rglob("*") if path.is_file()]


def peak(live: Live) -> int:
    """The most memory that the process ever had, in bytes."""
    (line,) = (
        line
        for line in Path(f"/proc/{live.process.pid}/status").read_text().splitlines()
        if line.startswith("VmHWM")
    )
    return int(line.split()[1]) * 1024


def sized(megabytes: int, extra: int = 0) -> Iterator[bytes]:
    yield PART
    for _ in range(megabytes):
        yield bytes(MIB)
    yield bytes(extra)
    yield END


def post(live: Live, megabytes: int, extra: int = 0):
    headers = {**live.ada.headers, "Content-Type": "multipart/form-data; boundary=b"}
    return live.client.post("/file-uploader", content=sized(megabytes, extra), headers=headers)


def test_a_large_file_is_never_in_memory(live: Live):
    since = live.mark()
    assert post(live, 2).status_code == 201  # whatever is loaded for the first one
    before = peak(live)
    answer = post(live, 150)
    assert answer.status_code == 201, answer.text
    got = 0
    with live.client.stream(
        "GET", f"/file-uploader/payload/{answer.json()['originalName']}", headers=live.ada.headers
    ) as payload:
        for chunk in payload.iter_raw():
            got += len(chunk)
    assert got == answer.json()["size"] == 150 * MIB
    assert peak(live) - before < 60 * MIB
    live.sound(since, answer)


def test_beyond_the_bound(live: Live):
    since, before = live.mark(), lying(live)
    answer = post(live, 150, 1)
    assert (answer.status_code, answer.json()["code"]) == (413, "file_too_large")
    assert lying(live) == before
    live.sound(since, answer)


def test_a_client_that_leaves_leaves_nothing(live: Live):
    since, before = live.mark(), lying(live)
    head = HEAD.format(token=live.ada.token, length=50 * MIB).encode()
    with socket.create_connection(("127.0.0.1", live.port)) as connection:
        connection.sendall(head + PART + bytes(5 * MIB))
        eventually(lambda: len(lying(live)) > len(before), "it has begun")
    eventually(lambda: lying(live) == before, "it is gone")
    live.sound(since)


def test_nobody_s_body_is_not_read(live: Live):
    head = HEAD.format(token="x.y.z", length=50 * MIB).encode()
    with socket.create_connection(("127.0.0.1", live.port), timeout=30) as connection:
        connection.sendall(head)
        assert connection.recv(4096).startswith(b"HTTP/1.1 401")
