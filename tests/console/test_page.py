"""The files of the console: the page and its policy, what is cached, and what is not served."""

import gzip
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from rest import console_page
from tests.support.assets import policy_of

HTML = b'<!doctype html><meta name="csp-nonce" content="__NONCE__"><script src="/console/assets/a-1.js"></script>'


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a console."""
    folder = tmp_path / "console"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_bytes(HTML)
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "assets" / "a-1.js").write_text("export {};" * 100)
    (folder / "built-from").write_text("0" * 64)
    monkeypatch.setattr(console_page, "CONSOLE", folder)
    return folder


async def test_each_page_has_a_policy_with_a_nonce_of_its_own(client, built):
    nonces = set()
    for path in ("/console", "/console/", "/console/messages/1?state=failed", "/console/../console/x"):
        answer = await client.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert answer.headers["cache-control"] == "no-store"
        nonce = re.search(r'content="([\w-]{22})"', answer.text)[1]
        policy = policy_of(answer)
        assert policy["style-src"] == f"'self' 'nonce-{nonce}'"
        nonces.add(nonce)
    assert len(nonces) == 4
    assert {name: policy[name] for name in policy if name != "style-src"} == {
        "default-src": "'none'",
        "script-src": "'self'",
        "img-src": "'self' data: blob:",
        "font-src": "'self'",
        "connect-src": "'self'",
        "media-src": "'self' blob:",
        "frame-src": "'self' blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "default",
    }


async def test_the_inline_script_of_the_page_alone_may_run(client, built):
    (built / "index.html").write_bytes(HTML + b"<script>\nsay(1)\n</script>")
    answer = await client.get("/console")
    digest = b64encode(sha256(b"\nsay(1)\n").digest()).decode()
    assert policy_of(answer)["script-src"] == f"'self' 'sha256-{digest}'"


async def test_files_with_a_hash_are_cached_for_ever_and_compressed(client, built):
    answer = await client.get("/console/assets/a-1.js", headers={"accept-encoding": "identity"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/javascript; charset=utf-8")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.content == b"export {};" * 100
    async with client.stream("GET", "/console/assets/a-1.js", headers={"accept-encoding": "gzip"}) as zipped:
        assert zipped.headers["content-encoding"] == "gzip"
        assert gzip.decompress(b"".join([part async for part in zipped.aiter_raw()])) == answer.content
    again = await client.get("/console/assets/a-1.js", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    icon = await client.get("/console/icon.svg")
    assert (icon.headers["content-type"], icon.headers["cache-control"]) == ("image/svg+xml", "no-cache")


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0.5", "br"),
        ("gzip, br;q=0", "gzip"),
        ("identity;q=1, GZIP", "gzip"),
        ("bravo", None),
        ("", None),
    ],
)
async def test_what_the_build_has_compressed_is_sent_to_who_accepts_it(client, built, accepted, encoding):
    compressed = b"what the build wrote"
    (built / "assets" / "a-1.js.br").write_bytes(compressed)
    url = "/console/assets/a-1.js"
    async with client.stream("GET", url, headers={"accept-encoding": accepted}) as answer:
        body = b"".join([part async for part in answer.aiter_raw()])
    assert (answer.status_code, answer.headers.get("content-encoding")) == (200, encoding)
    assert answer.headers["vary"] == "Accept-Encoding"
    if encoding == "br":
        assert body == compressed
    assert "csp-nonce" in (await client.get(f"{url.replace('assets', 'x')}.br")).text


async def test_nothing_else_is_served(client, built):
    (built.parent / "secret.js").write_text("secret")
    for path in (
        "/console/assets/b-2.js",
        "/console/assets/../../secret.js",
        "/console/assets/%2e%2e%2f%2e%2e%2fsecret.js",
    ):
        answer = await client.get(path)
        assert answer.status_code == 404 or "secret" not in answer.text, path
    for path in ("/console/built-from", "/console/%2e%2e/secret.js"):
        assert "csp-nonce" in (await client.get(path)).text, "an address of the page"


async def test_without_a_build_it_says_what_to_do(client, tmp_path, monkeypatch):
    monkeypatch.setattr(console_page, "CONSOLE", tmp_path / "none")
    answer = await client.get("/console")
    assert answer.status_code == 200
    assert "make setup" in answer.text
    assert policy_of(answer)["default-src"] == "'none'"


async def test_a_build_is_found_without_a_restart(client, built, monkeypatch):
    monkeypatch.setattr(console_page, "CONSOLE", built / "none")
    monkeypatch.setattr(console_page, "_AGAIN", 0.0)
    assert "make setup" in (await client.get("/console")).text
    monkeypatch.setattr(console_page, "CONSOLE", built)
    assert "csp-nonce" in (await client.get("/console")).text


@pytest.mark.settings(console=False)
async def test_the_first_address_is_the_liveness_of_the_specification(client):
    assert (await client.get("/", headers={"accept": "text/html"})).headers[
        "content-type"
    ] == "application/json"
