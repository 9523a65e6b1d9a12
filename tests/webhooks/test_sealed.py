"""QRs and pairing codes in events: sealed while they wait, open when they go out, gone when their time is over."""

from datetime import UTC, datetime, timedelta

import orjson

from core.ids import uuid7
from core.vault import Vault
from engine.webhooks import sealed

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
VAULT = Vault(b"k" * 32)


def body(**fields: str | None) -> bytes:
    return orjson.dumps({"hook_type": "state", "text": 'he said "sealedValue": yes', **fields})


def test_a_value_is_readable_only_when_it_goes_out():
    account = uuid7()
    shown = sealed.seal(VAULT, account, "the QR")
    assert "the QR" not in str(shown)
    waits = body(expiresAt="2026-11-01T12:00:30Z", **shown)
    opened_body = orjson.loads(sealed.opened(VAULT, account, waits, NOW))
    assert opened_body["value"] == "the QR"
    assert "sealedValue" not in opened_body
    assert opened_body["text"] == 'he said "sealedValue": yes'
    late = orjson.loads(sealed.opened(VAULT, account, waits, NOW + timedelta(minutes=1)))
    assert late["value"] is None
    assert orjson.loads(sealed.opened(VAULT, uuid7(), waits, NOW))["value"] is None
    assert orjson.loads(sealed.opened(Vault(b"o" * 32), account, waits, NOW))["value"] is None


def test_what_has_none_goes_out_as_it_is():
    plain = body(value=None)
    assert sealed.opened(VAULT, uuid7(), plain, NOW) is plain
