"""The links of a text that are the same for everybody, and no others."""

import time

import pytest

from engine.clicks.hrefs import LONGEST, links_in, location, target

A = "https://example.com/a"


@pytest.mark.parametrize(
    ("source", "urls"),
    [
        (f'<a href="{A}">x</a>', [A]),
        (f"<A CLASS=b HREF = '{A}' >x</A>", [A]),
        (f"<a href={A}>x</a>", [A]),
        (f'<a title="a > b" href="{A}">x</a>', [A]),
        (f'<a\nhref="{A}"\n>x</a>', [A]),
        (f'<a title="href={A}">x</a>', []),
        (f'<a href="{A}" href="https://example.com/b">x</a>', [A]),  # browsers take the first one
        (f'<a data-href="{A}">x</a>', []),
        (f'<abbr href="{A}">x</abbr>', []),
        (f'<link href="{A}"><area href="{A}">', []),
        ('<a href="http://example.com:8080/?a=1&amp;b=2#c">x</a>', ["http://example.com:8080/?a=1&b=2#c"]),
        ('<a href="https://example.com/?a=1&copy=2">x</a>', ["https://example.com/?a=1&copy=2"]),
        ('<a href=" https://example.com/a\n">x</a>', [A]),
        ('<a href="https://example.com/ü?q=ß">x</a>', ["https://example.com/ü?q=ß"]),
        ('<a href="{{ unsubscribe_url }}">x</a>', []),
        (f'<a href="{A}?u={{{{ id }}}}">x</a>', []),
        (f'<a href="{A}{{% if b %}}/b{{% endif %}}">x</a>', []),
        (f'<a {{% if b %}}class="c"{{% endif %}} href="{A}">x</a>', [A]),
        (f'{{% if b %}}<a href="{A}">x</a>{{% endif %}}', [A]),
        (f"{{{{ '<a href=\"{A}\">x</a>' }}}}", []),
        (f"{{% assign b = '<a href=\"{A}\">x</a>' %}}", []),
        (f'{{% raw %}}<a href="{A}">{{{{ b }}}}</a>{{% endraw %}}', []),
        (f'{{%- comment -%}}<a href="{A}">x</a>{{% endcomment %}}', []),
        (f'<script>"<a href=\\"{A}\\">"</script><style>/*<a href="{A}">*/</style>', []),
        (f'<!--[if mso]><a href="{A}">x</a><![endif]-->', [A]),
        (f'<a href="{A}"', []),
        ('<a href="{{ open', []),
        ("<a href>x</a>", []),
    ],
)
def test_a_link_has_an_address_without_liquid(source: str, urls: list[str]):
    links = [*links_in(source)]
    assert [link.url for link in links] == urls
    for link in links:  # what stands there is the address, without its quotes
        assert target(source[link.start : link.end]) == link.url


@pytest.mark.parametrize(
    "written",
    [
        "mailto:anna@example.com",
        "tel:+14155550100",
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://example.com",
        "/local",
        "//example.com/a",
        "#part",
        "https://",
        "https:///a",
        "https://example.com:port/",
        "https://[::1",
        "https://example.com/a b",
        "https://example.com/a\tb",
        "https://example.com/\r\nSet-Cookie: a=b",
        "https://example.com\\@evil.example",
        "https://exämple.com/",
        "https://example.com/<a>",
        "https://example.com/\0",
        "https://example.com/" + "a" * LONGEST,
        "",
    ],
)
def test_what_is_no_plain_address_of_the_web_is_left_as_it_is(written: str):
    assert target(written) is None


def test_the_header_has_ascii_alone():
    assert location("https://example.com/ü?q=ß&p=%20") == "https://example.com/%C3%BC?q=%C3%9F&p=%20"
    assert location(f"{A}?q='*(~!") == f"{A}?q='*(~!"


@pytest.mark.parametrize(
    "piece",
    [
        "<a ",
        '<a "',
        "<a '\"",
        "<a href=",
        "{{",
        "{% raw %}",
        "{% comment %}",
        "<script",
        "<a href='{{ b }}",
        "&",
        "<a b=",
        "<a b ",
    ],
)
def test_no_text_takes_long(piece: str):
    source = (piece * 500_000)[:500_000]
    begun = time.process_time()
    assert [*links_in(source)] == []
    assert time.process_time() - begun < 1.0
