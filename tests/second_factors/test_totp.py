"""Codes by time: the vectors of RFC 6238, and which steps count."""

import base64
from urllib.parse import parse_qs, urlsplit

import pytest

from core import totp

SECRET = base64.b32encode(b"12345678901234567890").decode()
# RFC 6238, appendix B: seconds since 1970, and the code of eight digits. Ours are its last six.
VECTORS = [
    (59, "94287082"),
    (1111111109, "07081804"),
    (1111111111, "14050471"),
    (1234567890, "89005924"),
    (2000000000, "69279037"),
    (20000000000, "65353130"),
]


@pytest.mark.parametrize(("seconds", "code"), VECTORS)
def test_the_vectors_of_the_rfc(seconds: int, code: str):
    assert totp.code_of(SECRET, seconds // 30) == code[-6:]


@pytest.mark.parametrize("offset", range(-4, 5))
def test_the_step_before_and_the_one_after_count(offset: int):
    now = 1234567890.5
    code = totp.code_of(SECRET, int(now // 30) + offset)
    assert totp.matching_step(SECRET, code, now) == (int(now // 30) + offset if abs(offset) <= 1 else None)


def test_a_secret_has_160_bits_and_is_another_each_time():
    secrets = {totp.new_secret() for _ in range(100)}
    assert len(secrets) == 100
    assert {len(base64.b32decode(secret)) for secret in secrets} == {20}


def test_the_text_of_the_qr_code_is_a_key_uri():
    uri = urlsplit(totp.uri(SECRET, "a b+c:d&e@example.com", "Postern"))
    assert (uri.scheme, uri.netloc) == ("otpauth", "totp")
    assert uri.path == "/Postern:a%20b%2Bc%3Ad%26e@example.com"
    assert parse_qs(uri.query) == {"secret": [SECRET], "issuer": ["Postern"]}
