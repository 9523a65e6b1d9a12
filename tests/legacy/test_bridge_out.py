"""Only allowed paths, allowed headers and our own credential ever reach the old service."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core import legacy_bridge as module
from core.legacy_bridge import LegacyBridge, LegacyPathRefused
from tests.legacy.upstream import answer, upstream
from tests.support.examples import examples


@pytest.fixture
async def old():
    async with upstream() as service:
        yield service


@pytest.fixture
async def bridge(old):
    bridge = LegacyBridge(old.url, prefixes=["/api/v1", "reports/"])
    yield bridge
    await bridge.close()


# --- paths


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/api/v1", "/api/v1"),
        ("api/v1", "/api/v1"),
        ("/api/v1/", "/api/v1/"),
        ("/api/v1/users/7", "/api/v1/users/7"),
        ("/api/v1/a%20b", "/api/v1/a%20b"),
        ("/api/v1/a b", "/api/v1/a%20b"),
        ("/api/v1/%75sers", "/api/v1/users"),
        ("/api/v1/%d0%96", "/api/v1/%D0%96"),
        ("/api/v1/Ж", "/api/v1/%D0%96"),
        ("/api/v1/100%25", "/api/v1/100%25"),
        ("/api/v1/a.b..c/...d/.well-known", "/api/v1/a.b..c/...d/.well-known"),
        ("/api/v1/x;v=1,2:@!$&'()*+=~_-", "/api/v1/x;v=1,2:@!$&'()*+=~_-"),
        ('/api/v1/"<>^`{|}[]', "/api/v1/%22%3C%3E%5E%60%7B%7C%7D%5B%5D"),
        ("/reports", "/reports"),
        ("/reports/http:/evil", "/reports/http:/evil"),
        ("/%61pi/v1/x", "/api/v1/x"),
    ],
)
async def test_allowed_paths_go_out_in_one_spelling(old, bridge, path, target):
    await bridge.call("GET", path)
    assert old.targets == [target]


ATTACKS = [
    # outside the prefixes
    *("", "/", "/admin", "/api", "/api/", "/api/v10", "/api/v1x", "/API/v1", "/apiv1", "/api%2Fv1", "/reports2"),
    *("/api/v1;x", "/api/v1.", "/api/v1%20/x", "/x/api/v1"),
    # out of them
    *("/api/v1/..", "/api/v1/../admin", "/api/v1/../../admin", "../admin", "/api/v1/x/../../../admin"),
    *("/api/v1/%2e%2e/admin", "/api/v1/.%2e/admin", "/api/v1/%2E%2E", "/api/v1/..%2fadmin", "/api/v1/..%2Fadmin"),
    *("/api/v1/%252e%252e/admin", "/api/v1/%25252e%25252e/admin", "/api/v1/..%252fadmin", "/api/v1/%%32%65"),
    *("/api/v1/..;/admin", "/api/v1/..;x=1/admin", "/api/v1/;/admin", "/api/v1/..%3b/admin", "/api/v1/.;/x"),
    *("/api/v1/..\\admin", "/api/v1/..%5cadmin", "/api/v1\\..\\admin", "\\\\evil\\x", "/api/v1/%255c.."),
    *("/api/v1/%c0%ae%c0%ae/admin", "/api/v1/%c0%af", "/api/v1/%e0%80%ae", "/api/v1/%ff", "/api/v1/%ed%a0%80"),
    *("/api/v1/．．/admin", "/api/v1/‥/admin", "/api/v1/%EF%BC%8E%EF%BC%8E/x", "/api/v1/a／b", "/api/v1/％2e％2e/x"),
    *("/api/v1/.. /admin", "/api/v1/..%20/admin", "/api/v1/.../admin", "/api/v1/./x", "/api/v1/%2e/x", "/api/v1/."),
    # another host
    *("//evil.com/x", "///evil.com/x", "//evil.com/api/v1", "/%2fevil.com/api/v1", "http://evil/",
        "http://evil/api/v1"),
    *("https:/evil", "@evil.com/api/v1", ":80@evil/api/v1", "/api/v1//evil", "/api/v1//", "/api//v1"),
    # another request
    *("/api/v1/x\r\nhost: evil", "/api/v1/x%0d%0ahost:%20evil", "/api/v1/x\n", "/api/v1/\x00", "/api/v1/%00"),
    *("/api/v1/x\t", "/api/v1/%7f", "/api/v1/%c2%85", "/api/v1/\u2028", "/api/v1/\ud800", "/api/v1/a\u200bb"),
    *("/api/v1/x?admin=1", "/api/v1/x#y", "/api/v1/x%3fadmin=1", "/api/v1/x%23y", "/api/v1/x%253f", "/api/v1/？x"),
    *("/api/v1/%", "/api/v1/%2", "/api/v1/%zz", "/api/v1/" + "x" * 3000),
]  # fmt: skip


@pytest.mark.parametrize("path", ATTACKS)
async def test_an_attack_never_leaves(old, bridge, path):
    with pytest.raises(LegacyPathRefused) as refused:
        await bridge.call("GET", path)
    assert old.connections == 0
    assert len(str(refused.value)) < 250


async def test_with_every_path_allowed_an_attack_still_never_leaves(old):
    bridge = LegacyBridge(old.url + "/base/", prefixes=["/"])
    outside = ATTACKS[:15]
    for path in ATTACKS[15:]:
        if path in (
            "https:/evil",
            "@evil.com/api/v1",
            ":80@evil/api/v1",
        ):  # names like any other below our own host
            await bridge.call("GET", path)
            continue
        with pytest.raises(LegacyPathRefused):
            await bridge.call("GET", path)
    assert old.targets == ["/base/https:/evil", "/base/@evil.com/api/v1", "/base/:80@evil/api/v1"]
    for path in outside:
        if "%2F" not in path:
            await bridge.call("GET", path)
    assert all(target.startswith("/base/") for target in old.targets)
    assert all(got.values("host") == [f"127.0.0.1:{old.port}"] for got in old.got)
    await bridge.close()


segments = st.sampled_from(
    [
        "api",
        "v1",
        "..",
        ".",
        "",
        "%2e",
        "%2E%2e",
        "%252e",
        "..;",
        ";",
        "%2f",
        "/",
        "\\",
        "%5c",
        "%00",
        "a",
        "é",
        "?",
        "#",
    ]
)


@given(
    st.one_of(
        st.text(max_size=30), st.lists(segments, max_size=8).map("/".join), st.lists(segments).map("".join)
    )
)
@example("/api/v1/a%2Fb")
@settings(max_examples=examples(150), deadline=None)
def test_whatever_is_let_out_stays_inside_the_prefix(path):
    try:
        out = module._Path.of(f"/api/v1/{path}")
    except LegacyPathRefused:
        return
    assert out.text.isascii()
    assert out.text.startswith("/api/v1/")
    for segment in out.text.split("/")[1:-1]:
        assert segment.strip(".")
    assert out.text.split("/")[-1] not in (".", "..")
    assert not any(character in out.text for character in "\\?# \r\n\t")
    assert module._Path.of(out.text) == out


# --- queries


@pytest.mark.parametrize(
    ("query", "target"),
    [
        ("", "/reports"),
        ([], "/reports"),
        ("a=1&b=2&a=3", "/reports?a=1&b=2&a=3"),
        ("q=%0d%0a%23%3F", "/reports?q=%0d%0a%23%3F"),
        ("q=a b#c\\é", "/reports?q=a%20b%23c%5C%C3%A9"),
        ("next=http://evil/../x?y", "/reports?next=http://evil/../x?y"),
        ("100%", "/reports?100%25"),
        (
            [("q", "a b&c=d#é\r\n"), ("q", ""), ("../", "x")],
            "/reports?q=a+b%26c%3Dd%23%C3%A9%0D%0A&q=&..%2F=x",
        ),
    ],
)
async def test_queries(old, bridge, query, target):
    await bridge.call("GET", "/reports", query)
    assert old.targets == [target]


@pytest.mark.parametrize(
    "query", ["a=1\r\nx: y", "a\x00", "\ud800", [("a", "\ud800")], "x" * 9000, [("a", "é" * 2000)]]
)
async def test_bad_queries_are_refused(old, bridge, query):
    with pytest.raises(LegacyPathRefused):
        await bridge.call("GET", "/reports", query)
    assert old.connections == 0


# --- headers, method, body


async def test_only_listed_headers_go_out(old):
    bridge = LegacyBridge(old.url, prefixes=["/"], token="service-token")
    await bridge.call(
        "POST",
        "/x",
        headers=[
            ("Accept", "application/json"),
            ("Accept-Language", " de \t"),
            ("X-Request-ID", "r1"),
            ("Idempotency-Key", "k1"),
            ("User-Agent", "caf\xe9"),
            ("Content-Type", "text/plain"),
            ("Authorization", "Bearer caller"),
            ("Cookie", "session=caller"),
            ("Host", "evil"),
            ("X-Real-IP", "10.0.0.1"),
            ("X-Forwarded-For", "10.0.0.1"),
            ("Forwarded", "for=x"),
            ("Transfer-Encoding", "chunked"),
            ("Content-Length", "999"),
            ("Connection", "keep-alive, idempotency-key"),
            ("TE", "trailers"),
            ("Expect", "100-continue"),
            ("Accept-Encoding", "br"),
        ],
        body=b"hello",
    )
    await bridge.close()
    assert {key.lower(): value for key, value in old.got[0].headers} == {
        "host": f"127.0.0.1:{old.port}",
        "accept": "application/json",
        "accept-language": "de",
        "x-request-id": "r1",
        "user-agent": "caf\xe9",
        "content-type": "text/plain",
        "authorization": "Bearer service-token",
        "accept-encoding": "identity",
        "content-length": "5",
    }
    assert len(old.got[0].headers) == 9
    assert old.got[0].body == b"hello"


async def test_header_values_that_would_break_the_request_are_left_out(old, bridge):
    await bridge.call(
        "GET", "/reports", headers={"accept": "a\r\nx: y", "x-request-id": "ж", "accept-language": "a\x00"}
    )
    names = sorted(key.lower() for key, _ in old.got[0].headers)
    assert names == ["accept-encoding", "host", "user-agent"]


async def test_a_chosen_list_of_headers(old):
    bridge = LegacyBridge(old.url, prefixes=["/"], forward_headers=["X-Tenant"], token="Basic abc")
    await bridge.call("GET", "/x", headers={"x-tenant": "7", "accept": "no"})
    await bridge.close()
    got = old.got[0]
    assert (got.values("x-tenant"), got.values("accept"), got.values("authorization")) == (
        ["7"],
        [],
        ["Basic abc"],
    )


@pytest.mark.parametrize("method", sorted(module.METHODS))
async def test_every_method_carries_its_body(old, bridge, method):
    await bridge.call(method, "/reports", body=b"\x00\xff" * 50_000)
    await bridge.call(method, "/reports")
    assert [(got.method, len(got.body)) for got in old.got] == [(method, 100_000), (method, 0)]
    assert old.connections == 1


@pytest.mark.parametrize("method", ["get", "TRACE", "CONNECT", "HEAD", "OPTIONS", "GET /x HTTP/1.1\r\n", ""])
async def test_other_methods_are_a_mistake_of_ours(old, bridge, method):
    with pytest.raises(ValueError):
        await bridge.call(method, "/reports")
    assert old.connections == 0


async def test_no_cookie_of_one_caller_reaches_the_next(old, bridge):
    old.reply = answer(b"1", "set-cookie: session=first; path=/")
    for _ in range(3):
        await bridge.call("GET", "/reports")
    assert all(got.values("cookie") == [] for got in old.got)


async def test_the_environment_sets_no_proxy(old, bridge, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    bridge = LegacyBridge(old.url, prefixes=["/"])
    assert (await bridge.call("GET", "/x")).legacy_status == 200
    await bridge.close()


# --- configuration


@pytest.mark.parametrize(
    "url",
    [
        *(
            "",
            "legacy.example.com",
            "/x",
            "ftp://x/",
            "http://",
            "file:///etc/passwd",
            "http://x:port/",
            "http://x\n/",
        ),
        *(
            "http://user:hunter2@x/",
            "http://x/?a=hunter2",
            "http://x/#f",
            "http://x/a/../b%2f",
            "http://x/a//b",
        ),
    ],
)
def test_a_url_that_can_not_be_meant(url):
    with pytest.raises(ValueError) as refused:
        LegacyBridge(url, prefixes=["/"])
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "options",
    [
        {"prefixes": []},
        {"prefixes": ["/api/../x"]},
        {"prefixes": ["//x"]},
        *(
            {"forward_headers": [name]}
            for name in ("Authorization", "Host", "transfer-encoding", "x y", "", "a\r\nb")
        ),
        *(
            {"token": token}
            for token in ("", "hunter2\r\nx: y", "hunter2\n", "hunter2 ", "hunter2\x00", "hünter2")
        ),
    ],
)
def test_other_settings_that_can_not_be_meant(options):
    with pytest.raises(ValueError) as refused:
        LegacyBridge("http://127.0.0.1:1", **({"prefixes": ["/"]} | options))
    assert "hunter2" not in str(refused.value)
