"""Events of the library as states of the account, and errors of it as errors of the port."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.settings import Settings
from messengers.whatsapp import binding, states
from messengers.whatsapp.errors import failure_of
from postern.doctor import messengers as doctor
from postern.doctor.findings import Findings
from shapes.messenger_accounts import AccountState

S = AccountState
NOW = datetime(2026, 1, 1, tzinfo=UTC)
ME = {"id": "14155550100@s.whatsapp.net", "phone": "+14155550100", "name": None}

TABLE: list[tuple[dict[str, Any], AccountState, str | None, str, bool]] = [
    ({"t": "qr", "value": "2@x", "seconds": 60}, S.waitQr, None, "stay", False),
    ({"t": "code", "value": "ABCD-EFGH", "seconds": 160}, S.showCode, None, "stay", False),
    ({"t": "no_code", "why": "phone"}, S.failed, "phone_invalid", "end", False),
    ({"t": "no_code", "why": "limit"}, S.failed, "flood_wait", "end", False),
    ({"t": "paired"}, S.syncing, None, "stay", False),
    ({"t": "connected", "me": ME}, S.working, None, "stay", False),
    ({"t": "down"}, S.reconnecting, "network", "stay", False),
    ({"t": "up"}, S.working, None, "stay", False),
    ({"t": "replaced"}, S.failed, "stream_replaced", "end", False),
    ({"t": "outdated"}, S.failed, "client_outdated", "end", False),
    ({"t": "refused", "why": "BAD_USER_AGENT"}, S.failed, "client_outdated", "end", False),
    ({"t": "refused", "why": "EXPERIMENTAL"}, S.reconnecting, "connection_refused", "later", False),
    ({"t": "refused", "why": "UNKNOWN"}, S.reconnecting, "connection_refused", "later", False),
    ({"t": "logged_out", "why": "LOGGED_OUT"}, S.loggedOut, "session_revoked", "end", True),
    ({"t": "logged_out", "why": "UNKNOWN"}, S.loggedOut, "session_revoked", "end", True),
    ({"t": "logged_out", "why": "MAIN_DEVICE_GONE"}, S.blocked, "account_locked", "end", True),
    ({"t": "logged_out", "why": "UNKNOWN_LOGOUT"}, S.blocked, "banned", "end", True),
    ({"t": "banned", "why": "BLOCKED_BY_USERS", "seconds": 3600}, S.blocked, "banned", "end", False),
    ({"t": "over", "why": "unreachable"}, S.reconnecting, "network", "later", False),
]


@pytest.mark.parametrize(("event", "state", "code", "next", "void"), TABLE, ids=range(len(TABLE)))
def test_every_event_has_its_state(
    event: dict[str, Any], state: AccountState, code: str | None, next: str, void: bool
):
    move = states.move(event, now=NOW)
    assert move is not None
    assert move.change is not None
    assert (move.change.state, move.change.code, move.next, move.void) == (state, code, next, void)
    if code is not None:
        assert move.change.reason


def test_times_are_told():
    qr = states.move({"t": "qr", "value": "2@x", "seconds": 20}, now=NOW)
    ban = states.move({"t": "banned", "why": "", "seconds": 3600}, now=NOW)
    assert qr is not None
    assert ban is not None
    assert qr.change is not None
    assert ban.change is not None
    assert qr.change.expires_at == NOW + timedelta(seconds=20)
    assert ban.change.until == NOW + timedelta(hours=1)


def test_the_end_of_a_round_is_no_state_and_another_child():
    assert states.move({"t": "over", "why": "round"}) == states.Move(None, "again")
    assert states.move({"t": "message"}) is None


ERRORS = {
    "websocket not connected": ("unreachable", "unreachable"),
    "failed to send usync query: websocket not connected": ("unreachable", "unreachable"),
    "info query timed out": ("unreachable", "unreachable"),
    "failed to get device list: context deadline exceeded": ("unreachable", "unreachable"),
    "failed to encrypt message: no signal session established": ("unreachable", "unreachable"),
    "timed out waiting for message send response": ("uncertain", "unreachable"),
    "failed to send message node: broken pipe": ("uncertain", "unreachable"),
    "something that nobody has seen": ("uncertain", "unreachable"),
    "server returned error 463": ("restricted", "restricted"),
    "server returned error 429": ("throttled", "throttled"),
    "server returned error 479": ("refused", "refused"),
    "server returned error 503": ("unreachable", "unreachable"),
    "the store doesn't contain a device JID": ("wrong_step", "wrong_step"),
    "no LID found for 14155550100@s.whatsapp.net from server": ("refused", "refused"),
    "you're not participating in that group": ("refused", "refused"),
    "can't send message to unknown server x": ("refused", "refused"),
}


@pytest.mark.parametrize("text", ERRORS)
def test_every_error_has_its_kind_and_none_is_repeated(text: str):
    sending, asking = ERRORS[text]
    assert failure_of(text, sending=True).kind == sending
    assert failure_of(text, sending=False).kind == asking
    assert "14155550100" not in failure_of(text, sending=True).reason


@pytest.mark.parametrize(
    ("chosen", "what", "mark"),
    [
        ("sandbox", "neonize is not installed.", ""),
        ("whatsapp", "neonize is not installed.", "✗"),
        ("whatsapp", None, "✓"),
    ],
    ids=["not chosen", "missing", "there"],
)
def test_the_doctor_says_what_the_driver_lacks(
    chosen: str, what: str | None, mark: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(doctor, "missing", lambda: what)
    lines: list[str] = []
    findings = Findings(lines.append)
    doctor.drivers(findings, Settings(_env_file=None, whatsapp_driver=chosen))  # type: ignore[call-arg, arg-type]
    assert [line[0] for line in lines] == ([mark] if mark else [])
    assert findings.problems == (mark == "✗")
    assert all("whatsapp" in line for line in lines)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        binding.importlib.util, "find_spec", lambda name: None if name == "magic" else object()
    )
    assert "python-magic" in (binding.missing() or "")
    monkeypatch.setattr(binding.importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(binding, "_has_libmagic", lambda: False)
    assert "apt install libmagic1" in (binding.missing() or "")


def test_a_code_that_is_refused_for_another_reason_says_so():
    move = states.move({"t": "no_code", "why": "other"}, takeover=False)
    assert move is not None
    assert (move.change.state, move.change.code, move.next) == (S.reconnecting, "code_refused", "later")
