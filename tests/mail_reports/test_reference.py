"""The token that names a message in the envelope sender of an email."""

import base64
import hmac
import random
from uuid import UUID, uuid4

import pytest

from engine.mail_reports import reference
from tests.support.examples import examples

KEY, OLD = b"k" * 32, b"o" * 32


def test_a_token_names_its_message_under_the_new_and_the_old_key():
    for _ in range(200):
        id = uuid4()
        token = reference.token(OLD, id)
        assert reference.read([KEY, OLD], token) == id
        assert reference.read([KEY], token) is None


@pytest.mark.parametrize("key", [b"", KEY, b"k" * 64])
def test_a_token_is_the_id_and_its_hmac_in_base32(key: bytes):
    """Mails under way have tokens of earlier versions: the form stays."""
    for id in (UUID(int=0), UUID(int=2**128 - 1), *(uuid4() for _ in range(200))):
        signature = hmac.digest(key, id.bytes, "sha256")
        id_part = base64.b32encode(id.bytes).decode().lower()[:26]
        assert reference.token(key, id) == id_part + base64.b32encode(signature).decode().lower()[:12]


def test_the_local_part_has_forty_lower_case_characters():
    local = reference.local_part(reference.token(KEY, UUID(int=2**128 - 1)))
    assert len(local) == 40
    assert local == local.lower()
    assert local.isascii()


def test_a_server_may_fold_the_case():
    id = uuid4()
    token = reference.token(KEY, id)
    assert reference.read([KEY], token.upper()) == id
    assert [*reference.in_text(f"<B-{token.upper()}@Bounces.example.com>")] == [token]


@pytest.mark.parametrize("spoil", range(38))
def test_no_character_can_be_changed(spoil: int):
    token = reference.token(KEY, UUID(int=1))
    for other in "abcdefghijklmnopqrstuvwxyz234567":
        if other != token[spoil]:
            assert reference.read([KEY], token[:spoil] + other + token[spoil + 1 :]) is None


@pytest.mark.parametrize(
    "text", ["", "a" * 37, "a" * 39, "1" * 38, "ä" * 38, "a" * 37 + "\n", "\u212a" * 38, "a" * 37 + "\u212a"]
)
def test_other_texts_are_no_tokens(text: str):
    assert reference.read([KEY], text) is None
    assert reference.alone(text) is None


def test_forged_tokens_name_nothing():
    """Invented ones, and ones of real messages with a signature or an id of their own; EXAMPLES=5: 100,000."""
    chance = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    applied = 0
    for _ in range(examples(10_000)):
        real, other = (reference.token(KEY, UUID(int=chance.getrandbits(128))) for _ in range(2))
        invented = "".join(chance.choices(letters, k=38))
        for forged in (invented, real[:26] + chance.choice((other, invented))[26:]):
            applied += reference.read([KEY, OLD], forged) is not None
    assert applied == 0


def test_tokens_are_found_in_a_text():
    token = reference.token(KEY, UUID(int=7))
    text = f"<b-{token}@bounces.example.com>: from xb-{token}@example.com, b-{token[:-1]}@example.com"
    assert [*reference.in_text(text)] == [token]
