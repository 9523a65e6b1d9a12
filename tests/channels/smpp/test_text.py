"""SMPP's alphabets, and texts in parts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from channels.sms_text import decode_gsm, encode, segments, split
from tests.channels.peer_smpp import ALPHABET

GSM = [char for char in ALPHABET if char not in "`\x1b"]


def test_alphabet_is_the_one_that_others_know() -> None:
    for code, char in enumerate(ALPHABET):
        if char in GSM:
            octets = bytes([code]) if code < 0x80 else bytes([0x1B, code - 0x80])
            assert encode(char) == ("gsm", octets)
            assert decode_gsm(octets) == char
    assert encode("\f") == ("gsm", b"\x1b\x0a")
    assert encode("`")[0] == encode("ç")[0] == encode("\x1b")[0] == "ucs2"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 1),
        ("a" * 160, 1),
        ("a" * 161, 2),
        ("a" * 159 + "€", 2),
        ("€" * 80, 1),
        ("a" * 306, 2),
        ("a" * 152 + "€" + "a" * 152, 3),  # the pair would lie across the cut, so the first part has 152
        ("a" * 151 + "€" + "a" * 153, 2),
        ("я" * 70, 1),
        ("я" * 71, 2),
        ("я" * 134, 2),
        ("я" * 66 + "😀" + "я" * 66, 3),
        ("😀" * 35, 1),
        ("😀" * 36, 2),
        ("\ud800" * 70, 1),
    ],
)
def test_segments(text: str, count: int) -> None:
    assert segments(text) == count


@settings(deadline=None)
@given(
    st.one_of(st.text(), st.text(st.sampled_from([*GSM, "€", "\f"])), st.text(st.sampled_from("aя€😀👩‍🚀"))),
    st.integers(1, 60),
)
def test_parts_fit_stand_alone_and_make_the_text(text: str, times: int) -> None:
    text *= times
    alphabet, parts = split(text)
    assert segments(text) == len(parts)
    room = (160, 153) if alphabet == "gsm" else (140, 134)
    assert all(len(part) <= room[len(parts) > 1] for part in parts)
    # Nothing wasted: what was not put in a part would not have fitted there.
    assert all(len(part) >= room[1] - 2 for part in parts[:-1])
    decoded = [decode_gsm(part) if alphabet == "gsm" else part.decode("utf-16-be") for part in parts]
    assert "".join(decoded) == text
    assert (alphabet == "gsm") == all(char in GSM or char == "\f" for char in text)


@settings(deadline=None)
@given(st.binary())
def test_any_septets_decode(data: bytes) -> None:
    assert len(decode_gsm(data)) <= len(data)


def test_strange_septets() -> None:
    assert decode_gsm(b"\x1bA\x1b\x1b\xffz\x1b") == "A \ufffdz"
