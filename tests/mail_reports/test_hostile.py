"""Mails that were written to harm their reader: none raises, and none takes long."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.mail_reports.mime import MOST_OCTETS
from engine.mail_reports.reading import read_report
from engine.mail_reports.report import MailReport
from tests.mail_reports.samples import block, dsn, feedback, text_bounce
from tests.support.examples import examples

# A correct reader takes a tenth of a second; one that looks at each pair of characters takes minutes.
_SECONDS = 5.0
_BOUNCE = b"From: MAILER-DAEMON@mx.example.net\n"


def _nested(depth: int) -> bytes:
    lines = (f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n" for level in range(depth))
    return "".join(lines).encode()


_STATUS = b"Content-Type: multipart/report; boundary=a\n\n--a\nContent-Type: message/delivery-status\n\n"
_HOSTILE = {
    "tags": _BOUNCE + b"Content-Type: text/html\n\n" + b"<a" * 130_000,
    "open tags": _BOUNCE + b"Content-Type: text/html\n\n" + b"<style>" * 40_000,
    "nested": _nested(199),
    "nested deeper": _nested(5_000),
    "nested mails": b"Content-Type: message/rfc822\n\n" * 5_000,
    "nested few mails": b"Content-Type: message/rfc822\n\n" * 199,
    "digest": b"Content-Type: multipart/digest; boundary=a\n\n" + b"--a\n\n" * 1_900,
    "parts": b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\n\n" * 60_000,
    "fields": b"a:b\n" * 65_000,
    "folded": b"Subject: x\n" + b" y\n" * 90_000,
    "line feeds": _BOUNCE + b"\n" * MOST_OCTETS,
    "spaces": _BOUNCE + b"\n" + b" " * MOST_OCTETS,
    "one word": _BOUNCE + b"\n" + b"a" * MOST_OCTETS,
    "at signs": _BOUNCE + b"\n" + b"a@" * 130_000,
    "digits": _BOUNCE + b"\n" + b"5.1." * 65_000,
    "words": _BOUNCE + b"\n" + b"mailbox user exceed original message " * 7_000,
    "lines of hyphens": _BOUNCE + b"\n" + (b"--" + b"x" * 100 + b"\n") * 1_900,
    "blocks": _STATUS + b"Final-Recipient: rfc822; a@b.c\nAction: failed\n\n" * 5_000,
    "escapes": _STATUS + b"Final-Recipient: rfc822; a@b.c\nDiagnostic-Code: \x1b$B" + b"\xff" * 9_000,
    "slow charset": _BOUNCE + b"Content-Type: text/plain; charset=punycode\n\n" + b"a-" * 130_000,
    "no charset": _BOUNCE + b"Content-Type: text/plain; charset=zlib\n\nx",
    "lone surrogates": _BOUNCE + b"Content-Type: text/plain; charset=utf-7\n\n+2AA- +3AA-",
    "bad parameter": _BOUNCE + b"Content-Type: text/plain; charset*=x'y'%ff\n\nx",
    "empty boundary": b"Content-Type: multipart/mixed; boundary=\n\n--\n--\n",
    "bytes in a type": b"Content-Type: multipart/\xff; boundary=\xe9\n\n--\xe9\n",
    "uuencoded": _BOUNCE + b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n" + b"M" * MOST_OCTETS,
    "base64": _BOUNCE + b"Content-Transfer-Encoding: base64\n\n" + b"=" * MOST_OCTETS,
    "zeros": b"\0" * MOST_OCTETS,
}


@pytest.mark.parametrize("name", _HOSTILE)
def test_no_mail_takes_long(name: str):
    begun = time.process_time()
    report = read_report(_HOSTILE[name])
    assert time.process_time() - begun < _SECONDS
    assert len(report.recipients) <= 100


def test_what_is_beyond_the_bound_is_not_read():
    late = dsn(block()).replace(
        b"--limit\nContent-Type: message/del", b"x" * MOST_OCTETS + b"\n--limit\nContent-Type: message/del"
    )
    assert all(one.status is None for one in read_report(late).recipients)


@pytest.mark.parametrize("depth", [12, 60])
def test_a_report_that_is_nested_too_deep_is_not_read(depth: int):
    assert read_report(_nested(depth)).ignored == "too_many_parts"


_SAMPLES = [dsn(block()), feedback(), text_bounce("<ada@example.net>: 550 no such user"), _nested(5)]
_PIECES = st.sampled_from(
    [
        b"\n",
        b"\n\n",
        b"\r",
        b"--limit\n",
        b"--limit--\n",
        b"Content-Type: message/rfc822\n\n",
        b"Content-Type: message/delivery-status\n\n",
        b"Content-Type: multipart/report; boundary=limit\n",
        b"Content-Transfer-Encoding: base64\n",
        b"Content-Transfer-Encoding: quoted-printable\n",
        b"Final-Recipient: rfc822; ",
        b"Status: 5.1.1\n",
        b"\xff\xfe",
        b"\x1b$B",
        b"=?utf-8?q?=C3?=",
    ]
)


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(_SAMPLES),
    st.lists(st.tuples(st.integers(0, 2_000), st.integers(0, 40), _PIECES), max_size=12),
)
def test_no_damaged_report_raises(sample: bytes, damages: list[tuple[int, int, bytes]]):
    for start, length, piece in damages:
        sample = sample[:start] + piece + sample[start + length :]
    assert isinstance(read_report(sample), MailReport)


@settings(max_examples=examples(100), deadline=None)
@given(st.binary(max_size=2_000))
def test_no_bytes_raise(octets: bytes):
    assert isinstance(read_report(octets), MailReport)
    assert isinstance(read_report(_STATUS + octets), MailReport)
    assert isinstance(read_report(_BOUNCE + octets), MailReport)
