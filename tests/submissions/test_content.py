"""The head and the lines of a submitted mail: what may stand in them, at the bounds."""

import pytest

from core.errors import BadRequest
from resolvers.submissions.content import read

HEAD = b"From: a@example.com\r\nSubject: x\r\nMessage-ID: <a@b.example>\r\n\r\n"


@pytest.mark.parametrize("before", [b"", b"z\r\n", b"\r\n" * 5_000, b"y" * 998 + b"\r\n"])
@pytest.mark.parametrize("after", [b"", b"\r\n", b"\r\nz", b"\r\n" + b"y" * 998 + b"\r\n"])
def test_a_line_has_at_most_998_octets(before: bytes, after: bytes):
    assert read(HEAD + before + b"x" * 998 + after).text
    with pytest.raises(BadRequest, match="998 octets"):
        read(HEAD + before + b"x" * 999 + after)
