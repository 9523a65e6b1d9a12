"""The head and the lines of a submitted mail: what may stand in them, at the bounds."""

import pytest

from core.errors import BadRequest
from engine.mail_reports import mime
from resolvers.submissions.content import read

HEAD = b"From: a@example.com\r\nSubject: x\r\nMessage-ID: <a@b.example>\r\n\r\n"


@pytest.mark.parametrize("before", [b"", b"z\r\n", b"\r\n" * 5_000, b"y" * 998 + b"\r\n"])
@pytest.mark.parametrize("after", [b"", b"\r\n", b"\r\nz", b"\r\n" + b"y" * 998 + b"\r\n"])
def test_a_line_has_at_most_998_octets(before: bytes, after: bytes):
    assert read(HEAD + before + b"x" * 998 + after).text
    with pytest.raises(BadRequest, match="998 octets"):
        read(HEAD + before + b"x" * 999 + after)


def _parts(*parts: str, kind: str = 'multipart/alternative; boundary="b"') -> bytes:
    body = "".join(f"--b\r\n{part}\r\n" for part in parts)
    return HEAD.replace(b"\r\n\r\n", b"") + f"\r\nContent-Type: {kind}\r\n\r\n{body}--b--\r\n".encode()


_PLAIN = (
    "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    "Da=C3=9F =\r\nist es"
)
_HTML = "Content-Type: text/html\r\n\r\n<p>Das <b>Bild</b></p>"
_NESTED = (
    'Content-Type: multipart/alternative; boundary="c"\r\n\r\n'
    "--c\r\nContent-Type: text/plain\r\n\r\ninner\r\n--c--"
)


@pytest.mark.parametrize(
    ("mail", "text"),
    [
        (_parts(_PLAIN, _HTML), "Daß ist es"),
        (_parts(_HTML, _PLAIN), "Daß ist es"),
        (_parts(_HTML), "Das Bild"),
        (_parts(_NESTED, _PLAIN, kind="multipart/mixed; boundary=b"), "inner"),
        (_parts("\r\nhead: of no part"), "head: of no part"),
        (_parts(_PLAIN, kind='multipart/mixed; boundary="b b"').replace(b"--b", b"--b b"), "Daß ist es"),
        (_parts(_PLAIN, kind="multipart/mixed; x=1"), None),
        (_parts("Content-Type: text/plain\r\n\r\n ", _PLAIN), "Daß ist es"),
        (_parts(_PLAIN)[:-7], "Daß ist es"),
    ],
)
def test_the_text_of_a_mail_is_that_of_its_first_part_with_one(mail: bytes, text: str | None):
    shown = read(mail).text
    assert text is None or shown == text
    plain = next(
        (part.text for part in mime.parse(mail).parts if part.type == "text/plain" and part.text.strip()),
        None,
    )
    assert plain is None or shown == plain.strip()
