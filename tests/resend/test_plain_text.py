"""The text of an email that has HTML alone."""

import time

import pytest

from core.http.html_text import text_of


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("", ""),
        ("Hi", "Hi"),
        ("<p>Hi <b>Anna</b>,</p><p>a &amp; b\n c</p>", "Hi Anna,\n\na & b c"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<ul><li>one</li><li>two</li></ul>", "- one\n\n- two"),
        ("<style>p{}</style><script>1<2</script><!-- no <p> -->Hi", "Hi"),
        ("<head><title>no</title></head><body>Hi</body>", "Hi"),
        ('<a href="https://a.example/?b=1&amp;c=2">there</a>', "there (https://a.example/?b=1&c=2)"),
        ("<a href='https://a.example'>https://a.example</a>", "https://a.example"),
        ('<a href="javascript:alert(1)">no</a>', "no"),
        ('<img alt="Our logo" src="a.png">', "Our logo"),
        ("<tr><td>a</td><td>b</td></tr>", "a b"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<style>never ends", ""),
        ("<!-- never ends", ""),
        ("<!DOCTYPE html><p>Hi", "Hi"),
    ],
)
def test_a_reader_sees_this(html: str, text: str):
    assert text_of(html) == text


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<!--",
        "<a",
        "<a ",
        "</",
        "<script>",
        "<a href=",
        "&",
        "&#",
        "href ",
        " ",
        "<p>",
        "<a href='",
        "<!",
    ],
)
def test_no_text_takes_long(piece: str):
    """The square of the time would be minutes."""
    begun = time.process_time()
    text_of(piece * (240_000 // len(piece)))
    assert time.process_time() - begun < 3
