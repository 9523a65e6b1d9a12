"""Tests that any bytes that the old service answers become data that can be stored and sent on, in bounded time."""

import gzip
import json
import zlib

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import legacy_answers as module
from core.legacy_answers import LegacyAnswer
from core.legacy_bridge import LegacyBridge
from tests.legacy.upstream import answer, ask, upstream
from tests.support.examples import examples


def rewrapped(body, type="application/json", **more):
    raw = module.RawAnswer(**({"status": 200, "content_type": type, "encoding": "", "body": body} | more))
    result = module.rewrapped(raw, 5 * 1024 * 1024)
    storable(result)
    return result


def storable(result):
    """The data goes through both JSON encoders, deep inside an envelope, and holds nothing a database refuses."""
    envelope = {"data": {"legacy": {"ok": True, "data": result.data, "warnings": result.warnings}}}
    assert json.loads(json.dumps(envelope, allow_nan=False)) == envelope
    assert orjson.loads(orjson.dumps(envelope)) == envelope
    assert all("\0" not in text for text in strings(envelope))


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for item in value if isinstance(value, list) else [*value, *value.values()]:
            yield from strings(item)


# --- JSON


@pytest.mark.parametrize(
    "status", ["200 OK", "201 Created", "404 Not Found", "422 X", "500 Oops", "503 Busy", "599 ?"]
)
async def test_any_status_is_an_answer(status):
    result = await ask(answer(b'{"a":[1,null,"\\u00e9",1.5,true]}', status=status))
    assert result == LegacyAnswer(int(status[:3]), {"a": [1, None, "é", 1.5, True]}, [])


@pytest.mark.parametrize("status", [300, 301, 302, 303, 304, 307, 308])
@pytest.mark.parametrize("location", ["http://169.254.169.254/", "/x", "http://[", ""])
async def test_redirects_are_not_followed(status, location):
    async with upstream(
        answer(b"" if status == 304 else b"moved", f"location: {location}", status=f"{status} R")
    ) as old:
        bridge = LegacyBridge(old.url, prefixes=["/"])
        result = await bridge.call("GET", "/x")
        await bridge.close()
        assert len(old.got) == 1
    assert (result.legacy_status, result.data) == (status, None)
    assert str(status) in result.warnings[0]
    assert "169" not in result.warnings[0]


@pytest.mark.parametrize(
    ("body", "type", "data"),
    [
        (b"", "application/json", None),
        (b" \r\n", "text/html", None),
        (b"null", "application/json", None),
        (b"12", "application/json; charset=utf-8", 12),
        (b'"x"', "application/problem+json", "x"),
        (b"\xef\xbb\xbf[1]", "application/json", [1]),
        (b"[1]", "", [1]),
        (b" \n{}", "text/html; charset=UTF-8", {}),
        (b"\xef\xbb\xbf[1]", "text/plain", [1]),
        ('{"имя":"Ж"}'.encode("cp1251"), "application/json; charset=windows-1251", {"имя": "Ж"}),
        (b'{"a":1,"a":2}', "application/json", {"a": 2}),
        (b'"\\ud83d\\ude00"', "application/json", "😀"),
        (b"[9223372036854775807,-9223372036854775808,18446744073709551615]", "text/json",
            [2**63 - 1, -(2**63), 2**64 - 1]),
    ],
)  # fmt: skip
def test_json(body, type, data):
    assert rewrapped(body, type) == LegacyAnswer(200, data, [])


@pytest.mark.parametrize(
    ("body", "data", "warning"),
    [
        (b'"\\ud800"', "\ufffd", "U+FFFD"),
        (b'{"\\u0000k":["a\\u0000b","\\udc00\\ud800"]}', {"\ufffdk": ["a\ufffdb", "\ufffd\ufffd"]}, "U+FFFD"),
        (b"[18446744073709551616]", ["18446744073709551616"], "64 bits"),
        (b"-9223372036854775809", "-9223372036854775809", "64 bits"),
    ],
)
def test_json_that_must_be_changed(body, data, warning):
    result = rewrapped(body)
    assert result.data == data
    assert len(result.warnings) == 1
    assert warning in result.warnings[0]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<b>no</b>", "Expecting value"),
        (b'{"a":1}}', "Extra data"),
        (b'{"a":NaN}', "the number NaN"),
        (b"[Infinity]", "the number Infinity"),
        (b"-Infinity", "the number -Infinity"),
        (b"[1e400]", "the number 1e400"),
        (b"[-1e999]", "the number -1e999"),
        (b"9" * 5000, "4300 digits"),
        (b"[" * 101 + b"]" * 101, "deeper than 100"),
        (b'{"a":' * 101 + b"1" + b"}" * 101, "deeper than 100"),
        (b"[" * 100_000, "recursion"),
        (b'{"a":' * 100_000, "recursion"),
        (b'"\t"', "control character"),
        (b'"\xff"', "can't decode"),
    ],
)
def test_what_is_no_json_becomes_text(body, reason):
    result = rewrapped(body)
    assert isinstance(result.data, str)
    assert result.data == body.decode("utf-8", "replace")[: module.MAX_TEXT]
    assert len(result.warnings) == 1
    assert reason in result.warnings[0]
    assert len(result.warnings[0]) < 400


def test_a_hundred_levels_are_fine():
    assert rewrapped(b"[" * 100 + b"]" * 100).warnings == []


json_texts = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters(codec=None))),
    lambda children: st.lists(children) | st.dictionaries(st.text(st.characters(codec=None)), children),
    max_leaves=20,
).map(lambda value: json.dumps(value).encode())


@given(
    st.one_of(json_texts, st.binary(max_size=200)),
    st.sampled_from(["application/json", "text/plain", "image/png", ""]),
)
@settings(max_examples=examples(100), deadline=None)
def test_any_bytes_become_storable_data(body, type):
    rewrapped(body, type)


# --- text and bytes


@pytest.mark.parametrize(
    ("body", "type", "text"),
    [
        (b"<h1>Oops</h1>", "text/html", "<h1>Oops</h1>"),
        (b"12", "text/plain", "12"),
        (b"<a/>", "application/xml", "<a/>"),
        (b"a=1", "application/x-www-form-urlencoded", "a=1"),
        (b"caf\xe9", "text/plain; charset=iso-8859-1", "café"),
        ("Ж".encode("koi8-r"), 'text/plain; charset="KOI8-R"', "Ж"),
        (b"caf\xe9", "text/plain", "caf\ufffd"),
        (b"abc", "text/plain; charset=rot13", "abc"),
        (b"abc", "text/plain; charset=iso-8859-99", "abc"),
        (b"oops", "", "oops"),
    ],
)  # fmt: skip
def test_text(body, type, text):
    result = rewrapped(body, type)
    assert result.data == text
    assert "not JSON" in result.warnings[0]


@pytest.mark.parametrize(
    ("body", "type"),
    [
        (b"\x89PNG\r\n", "image/png"),
        (b"x", "application/octet-stream"),
        (b"x", "evil\x00; /"),
        (b"a\x00b", "text/plain"),
    ],
)
def test_bytes_are_not_passed_on(body, type):
    result = rewrapped(body, type)
    assert result.data is None
    assert "neither JSON nor text" in result.warnings[0]
    assert result.warnings[0].isprintable()


def test_long_text_is_cut():
    for body in (b"x" * 100_000, "é".encode() * 70_000, b"x" * 1_000_000):
        result = rewrapped(body, "text/plain")
        assert len(result.data) == module.MAX_TEXT
        assert "cut after 65536 characters" in result.warnings[0]
    assert "cut" not in rewrapped(b"x" * module.MAX_TEXT, "text/plain").warnings[0]


# --- size


async def test_a_large_answer_is_taken_up_to_the_limit():
    body = json.dumps(["x" * 1000] * 1000).encode()
    assert len((await ask(answer(body))).data) == 1000
    assert (await ask(answer(body), max_bytes=len(body))).warnings == []
    result = await ask(answer(body), max_bytes=len(body) - 1)
    assert (result.legacy_status, result.data) == (200, None)
    assert f"larger than {len(body) - 1} bytes" in result.warnings[0]


async def endless(writer):
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"[" * 65536)
        await writer.drain()


async def test_an_endless_answer_is_cut_off():
    result = await ask(endless, max_bytes=1_000_000)
    assert (result.legacy_status, result.data) == (200, None)
    assert "larger than 1000000 bytes" in result.warnings[0]


async def test_a_declared_giant_is_not_read():
    for length in ("99999999999", "9" * 19):
        head = f"HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n".encode()
        assert "larger" in (await ask(head)).warnings[0]


async def test_a_drip_of_chunks_is_one_body():
    async def chunked(writer):
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        for piece in (b'{"a"', b":", b"1}"):
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await writer.drain()
        writer.write(b"0\r\n\r\n")

    assert await ask(chunked) == LegacyAnswer(200, {"a": 1}, [])


async def test_a_compressed_answer_is_taken_though_not_asked_for():
    assert (await ask(answer(gzip.compress(b"[1]", mtime=0), "content-encoding: gzip"))).data == [1]


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "GZIP", "deflate", "identity", ""])
def test_content_codings(coding):
    pack = {"deflate": zlib.compress, "identity": bytes, "": bytes}.get(coding, gzip.compress)
    assert rewrapped(pack(b'{"a":1}'), encoding=coding).data == {"a": 1}


@pytest.mark.parametrize(
    ("body", "coding", "warning"),
    [
        (gzip.compress(b"0" * 50_000_000, 1, mtime=0), "gzip", "larger than"),
        (b"{}", "gzip", "damaged"),
        (gzip.compress(b"{}", mtime=0)[:-9], "gzip", "damaged"),
        (gzip.compress(b"{}", mtime=0) * 2, "gzip", "damaged"),
        (b"{}", "br", "not asked for"),
        (b"{}", "gzip, gzip", "not asked for"),
    ],
)
def test_bad_content_codings(body, coding, warning):
    result = rewrapped(body, encoding=coding)
    assert result.data is None
    assert warning in result.warnings[0]
