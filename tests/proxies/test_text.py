"""Tests how a proxy is written and shown."""

import pytest

from messengers.proxy import BadProxy, Proxy, parse


@pytest.mark.parametrize(
    ("text", "proxy", "shown"),
    [
        ("socks5://user:pass@1.2.3.4:1080", Proxy("socks5", "1.2.3.4", 1080, "user", "pass"),
            "socks5://u***@1.2.3.4:1080"),
        (" SOCKS5H://Gate.Example.com:1080/ ", Proxy("socks5h", "gate.example.com", 1080),
            "socks5h://gate.example.com:1080"),
        ("http://u:p%40s%3As@h:3128", Proxy("http", "h", 3128, "u", "p@s:s"), "http://u***@h:3128"),
        ("http://u:p@s:s@h:3128", Proxy("http", "h", 3128, "u", "p@s:s"), "http://u***@h:3128"),
        ("https://u:100%@h:8443", Proxy("https", "h", 8443, "u", "100%"), "https://u***@h:8443"),
        ("https://only-user@h:1", Proxy("https", "h", 1, "only-user"), "https://o***@h:1"),
        ("socks5://u:@h:65535", Proxy("socks5", "h", 65535, "u", ""), "socks5://u***@h:65535"),
        ("socks5://[2001:DB8::1]:1080", Proxy("socks5", "2001:db8::1", 1080), "socks5://[2001:db8::1]:1080"),
    ],
    ids=range(8),
)  # fmt: skip
def test_what_can_be_read(text: str, proxy: Proxy, shown: str) -> None:
    read = parse(text)
    assert (read, str(read)) == (proxy, shown)
    assert parse(read.url) == read  # written anew it is the same
    if proxy.password:
        assert proxy.password not in repr(read) + str(read)


@pytest.mark.parametrize(
    "text",
    [
        "", "1.2.3.4:1080", "1.2.3.4:1080:user:secret", "socks4://h:1080", "ftp://h:1", "socks5:/h:1", "socks5://h",
        "socks5://user:secret@h", "socks5://h:0", "socks5://h:65536", "socks5://h:12ab", "socks5://:1080",
        "socks5://user:secret@:1080", "socks5://@h:1080", "socks5://:secret@h:1080", "socks5://h:1080/path",
        "socks5://h:1080?x=secret", "socks5://h:1080#secret", "socks5://us er:secret@h:1", "socks5://user:sec\nret@h:1",
        "socks5://user:secret%0a@h:1", "socks5://user:secret%00@h:1", "socks5://[1.2.3:4]:1080", "socks5://[::1:1080",
        "socks5://user:secret\0@h:1", f"socks5://user:{'secret' * 60}@h:1", f"socks5://{'x' * 1100}:1", "socks5://ж:1",
        "socks5://ж:secret@h:1", "socks5://u:secret%D0%B6@h:1",
    ],
    ids=range(30),
)  # fmt: skip
def test_what_cannot(text: str) -> None:
    with pytest.raises(BadProxy) as error:
        parse(text)
    assert "secret" not in str(error.value)
