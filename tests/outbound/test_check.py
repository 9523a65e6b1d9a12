"""Tests what the guard says of a URL and of an address, without connecting anywhere."""

from ipaddress import ip_address

import pytest
from yarl import URL

from core import outbound
from core.outbound import CallFailed, Guard, UrlRefused, guard
from tests.support.waits import PATIENCE

PUBLIC = Guard()
LOCAL = Guard(["127.0.0.0/8", "::1"])


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/hook?x=1#frag",
        "http://example.com:8080",
        "HTTPS://EXAMPLE.COM./",
        "https://bücher.example/a b".replace(" ", "%20"),
        "https://a-b.c_d.example:65535/",
        "http://n8n:5678/webhook/1",
        "https://1.1.1.1/",
        "https://[2606:4700:4700::1111]:8443/",
        "https://123.example/",
        "https://example.com/@user\u00e9",
        "https://example.com?a@b",
    ],
)
def test_ordinary_urls_pass(url):
    assert isinstance(PUBLIC.check(url), URL)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1",
        "http://127.255.255.254/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://0.0.0.0",
        "http://[::]/",
        "http://10.1.2.3/",
        "http://172.31.255.255/",
        "http://192.168.0.1/",
        "http://100.64.0.1/",
        "http://100.100.100.200/",
        "http://168.63.129.16/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://x.localhost:8080/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::ffff:8.8.8.8]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[64:ff9b::8.8.8.8]/",
        "http://[64:ff9b:1::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
        "http://[::127.0.0.1]/",
        "http://[::7f00:1]/",
        "http://[fd00:ec2::254]/",
    ],
)
def test_literal_addresses_that_are_not_public(url):
    with pytest.raises(UrlRefused) as refused:
        PUBLIC.check(url)
    assert refused.value.code == "url_private"
    assert refused.value.reason


@pytest.mark.parametrize(
    "host",
    [
        "2130706433",
        "0x7f.1",
        "0x7f000001",
        "0x",
        "127.1",
        "127.0.1",
        "0177.0.0.1",
        "017700000001",
        "0",
        "127.0.0.1.",
        "127.0.0.01",
        "example.0x7f",
        "１２７.０.０.１",  # full-width digits
        "①②⑦.⓪.⓪.①",
        "127。0。0。1",
        "８.８.８.８",
        "8。8。8。8",
        "%31%32%37.0.0.1",
        "127.0.0.1%00.example.com",
        "[::1%25lo]",
        "[fe80::1%eth0]",
        "[::1",
        "::1",
        "[]",
        "[1.2.3.4]",
        "",
        ".",
        "a..example",
        ".example",
        "-a.example!",
        "a" * 64 + ".example",
        "a." * 127 + "example",
        "ex\u00adample.com",
        "ex\u200bample.com",
        "ex\u202eample.com",
        "ex\udcffample.com",
        "a:b:c",
    ],
)
def test_hosts_that_parsers_read_differently(host):
    with pytest.raises(UrlRefused):
        PUBLIC.check(f"http://{host}/")
    with pytest.raises(UrlRefused):  # nor does permitting loopback help an encoding
        LOCAL.check(f"http://{host}/")


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("file:///etc/passwd", "url_scheme"),
        ("gopher://example.com/", "url_scheme"),
        ("ftp://example.com/", "url_scheme"),
        ("ws://example.com/", "url_scheme"),
        ("javascript://example.com/%0aalert(1)", "url_scheme"),
        ("javascript:alert(1)", "url_invalid"),
        ("//example.com/", "url_invalid"),
        ("example.com", "url_invalid"),
        ("", "url_invalid"),
        ("http:example.com", "url_invalid"),
        ("http:///example.com", "url_invalid"),
        ("http://", "url_invalid"),
        ("http://a@127.0.0.1/", "url_userinfo"),
        ("http://a:b@example.com/", "url_userinfo"),
        ("http://@example.com/", "url_userinfo"),
        ("http://127.0.0.1\\@x/", "url_invalid"),
        ("http://example.com\\.evil/", "url_invalid"),
        ("http://exa mple.com/", "url_invalid"),
        (" http://example.com/", "url_invalid"),
        ("http://example.com/\r\nHost: x", "url_invalid"),
        ("http://example.com/\x00", "url_invalid"),
        ("http://exam\tple.com/", "url_invalid"),
        ("http://example.com:22/", "url_port"),
        ("http://example.com:6379/", "url_port"),
        ("https://example.com:25/", "url_port"),
        ("http://example.com:0/", "url_port"),
        ("http://example.com:65536/", "url_port"),
        ("http://example.com:/", "url_invalid"),
        ("http://example.com:8o80/", "url_invalid"),
        ("http://example.com:-1/", "url_invalid"),
        ("http://example.com:1234567/", "url_invalid"),
        ("http://example.com:٨٠/", "url_invalid"),
        ("http://example.com/" + "a" * 2048, "url_invalid"),
    ],
)
def test_urls_refused_for_their_form(url, code):
    with pytest.raises(UrlRefused) as refused:
        PUBLIC.check(url)
    assert refused.value.code == code
    assert "example" not in refused.value.reason, "a URL may hold a secret"


# One address in every class that Svix or smokescreen refuse, and of the registries.
NOT_PUBLIC = """
    0.0.0.1 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 169.254.0.1 172.16.0.1 192.0.0.1 192.0.0.192
    192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
    239.255.255.255 240.0.0.1 255.255.255.255
    :: ::1 ::2 ::7f00:1 ::ffff:8.8.8.8 ::ffff:0:7f00:1 64:ff9b::1 64:ff9b:1::1 100::1 100:0:0:1::1 200::1
    2001::1 2001:2::1 2001:10::1 2001:20::1 2001:1ff::1 2001:db8::1 2002:7f00:1:: 2002:808:808:: 3ffe::1
    3fff::1 4000::1 5f00::1 8000::1 fc00::1 fdff::1 fe80::1 febf::1 fec0::1 ff00::1 ff02::1
"""
# The neighbours of those ranges.
STILL_PUBLIC = """
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.0.1.1
    198.17.0.1 198.20.0.1 223.255.255.255
    2001:200::1 2001:4860:4860::8888 2003::1 2606:4700::1 3ffd::1 2a00:1450::1
"""


@pytest.mark.parametrize(
    "text",
    NOT_PUBLIC.split(),
)
def test_every_class_of_address_that_is_not_public(text):
    with pytest.raises(UrlRefused):
        PUBLIC.judge(ip_address(text))


@pytest.mark.parametrize(
    "text",
    STILL_PUBLIC.split(),
)
def test_public_addresses_pass(text):
    PUBLIC.judge(ip_address(text))


def test_an_operator_permits_ranges():
    permits = Guard([" 10.1.0.0/16", "fd00::/8", "::ffff:192.168.0.0/112", "169.254.169.254"])
    for text in ("10.1.2.3", "::ffff:10.1.2.3", "fd12::1", "192.168.3.4", "169.254.169.254"):
        permits.judge(ip_address(text))
    for text in ("10.2.0.1", "fe80::1", "127.0.0.1", "169.254.169.253"):
        with pytest.raises(UrlRefused):
            permits.judge(ip_address(text))
    assert LOCAL.check("http://localhost:3000/").host == "localhost"
    assert Guard(["::1/128"]).check("http://localhost:3000/").port == 3000
    with pytest.raises(UrlRefused):
        permits.check("http://localhost/")


@pytest.mark.parametrize("entry", ["10.0.0.1/8", "10.0.0", "private", "10.0.0.0/33", ""])
def test_a_wrong_range_is_told(entry):
    with pytest.raises(ValueError, match="write for example"):
        Guard([entry])


def test_an_address_of_this_machine_is_recognised():
    assert guard._is_own(ip_address("127.0.0.1"))
    assert not guard._is_own(ip_address("8.8.8.8"))
    assert not guard._is_own(ip_address("255.255.255.255"))  # the kernel refuses: no answer, no verdict


def test_a_public_address_of_this_machine_is_refused(monkeypatch):
    monkeypatch.setattr(guard, "DENIED", ())  # what a machine with a public address has left
    with pytest.raises(UrlRefused, match="back to this very machine"):
        PUBLIC.judge(ip_address("127.0.0.1"))


def test_the_services_own_guard_is_configured_once():
    outbound.configure([])  # the services of an earlier test may have allowed more
    before = outbound.shared()
    with pytest.raises(UrlRefused):
        before.check("http://127.0.0.1:3000/")
    try:
        outbound.configure(["127.0.0.0/8"])
        assert outbound.shared().check("http://127.0.0.1:3000/").port == 3000
    finally:
        outbound.configure([])


def answering(*texts):
    async def resolver(host, port):
        return list(texts)

    return resolver


async def test_probe_resolves():
    url = await Guard(resolver=answering("1.1.1.1", "2606:4700::1")).probe("https://example.com/x")
    assert str(url) == "https://example.com/x"
    assert await Guard().addresses("1.1.1.1", 443) == [ip_address("1.1.1.1")]


@pytest.mark.parametrize(
    "texts",
    [("10.0.0.1",), ("1.1.1.1", "127.0.0.1"), ("fe80::1%eth0",), ("::ffff:1.1.1.1",), ("1.1.1.1", "::1")],
)
async def test_probe_refuses_a_name_that_leads_inside_too(texts):
    with pytest.raises(UrlRefused):
        await Guard(resolver=answering(*texts)).probe("https://example.com/")


async def test_probe_tells_a_name_that_does_not_resolve_from_a_refusal(monkeypatch):
    monkeypatch.setattr(
        guard, "LOOKUP_SECONDS", PATIENCE
    )  # how long the machine's resolver takes is no claim
    with pytest.raises(CallFailed, match="does not resolve"):
        await Guard().probe("https://does-not-exist.invalid/")
    with pytest.raises(CallFailed, match="does not resolve"):
        await Guard(resolver=answering()).probe("https://example.com/")

    async def slow(host, port):
        import asyncio

        await asyncio.sleep(30)

    monkeypatch.setattr(guard, "LOOKUP_SECONDS", 0.05)
    with pytest.raises(CallFailed, match="in time"):
        await Guard(resolver=slow).probe("https://example.com/")


async def test_what_the_system_resolves_is_judged():
    """Encodings that slip through a reader of names still resolve to loopback."""
    for host in ("localhost", "127.1", "2130706433", "0x7f.1", "0177.0.0.1"):
        with pytest.raises((UrlRefused, OSError)):
            await PUBLIC.addresses(host, 80)


@pytest.mark.parametrize(
    ("url", "called"),
    [
        ("https://bücher.example/é?x=%20+ü", "https://xn--bcher-kva.example/%C3%A9?x=%20+%C3%BC"),
        ("https://example.com/a%2Fb%20c?sig=a%2Bb%3D", "https://example.com/a%2Fb%20c?sig=a%2Bb%3D"),
        ("HTTPS://EXAMPLE.com:443/", "https://example.com/"),
    ],
)
def test_a_url_is_called_as_it_was_written(url, called):
    """A signature in its query would not survive decoding and encoding."""
    assert str(PUBLIC.check(url)) == called
