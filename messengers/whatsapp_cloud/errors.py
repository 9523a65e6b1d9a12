"""Meta's error codes, and what they mean here.

https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes: programs should use
`code`; titles and subcodes are deprecated. Reports (`statuses[].errors`) use the same codes as answers.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import orjson

from core.outbound import retry_after
from messengers.port import Change, MessengerError, Refused, Throttled, Uncertain, Unreachable, WrongStep
from shapes.messenger_accounts import AccountState

_REFUSED: Final[dict[int, tuple[str, str]]] = {
    100: ("rejected", "Meta can't use something in this message"),
    130403: ("recipient_not_allowed", "the recipient can't be written to"),
    130472: ("not_delivered", "Meta keeps marketing messages from this recipient (an experiment)"),
    130497: ("region_not_permitted", "this account may not write to this country"),
    131008: ("rejected", "something that Meta requires is missing in this message"),
    131009: ("rejected", "Meta can't use a value in this message"),
    131021: ("invalid_recipient", "the recipient is the sender"),
    131026: ("undeliverable", "the number is not on WhatsApp, or can't get this message"),
    131030: ("recipient_not_allowed", "a test number reaches only those that are on its list"),
    131037: ("name_not_approved", "the number's display name is not approved yet"),
    131042: ("payment_problem", "the WhatsApp Business account can't pay; see its payment settings"),
    131047: ("outside_window", "24 hours have passed since the recipient wrote last: send a template"),
    131049: ("not_delivered", "Meta chose not to deliver it, for the recipient's sake; try again much later"),
    131050: ("opted_out", "the recipient wants no marketing messages from this account"),
    131051: ("unsupported_message", "the recipient can't get messages of this kind"),
    131052: ("media_refused", "Meta could not fetch the file"),
    131053: ("media_refused", "Meta does not take this file: its kind, size or content"),
    131055: ("rejected", "this number can't do that"),
    132000: ("template_mismatch", "the template wants another number of parameters"),
    132001: ("template_not_found", "there is no such approved template in this language"),
    132005: ("template_too_long", "the template's text is too long with these parameters"),
    132007: ("template_refused", "the template breaks WhatsApp's policy"),
    132012: ("template_mismatch", "the template wants parameters of another form"),
    132015: ("template_paused", "the template is paused for its low quality"),
    132016: ("template_disabled", "the template was paused too often and is disabled for good"),
    132018: ("template_mismatch", "the template wants other parameters"),
}
_THROTTLED: Final[dict[int, tuple[float, str]]] = {  # seconds to wait, where Meta does not say
    4: (60.0, "the app has made too many calls"),
    17: (60.0, "too many calls"),
    32: (60.0, "too many calls"),
    613: (60.0, "too many calls"),
    80007: (60.0, "the WhatsApp Business account has made too many calls"),
    80008: (60.0, "the WhatsApp Business account has made too many calls"),
    130429: (5.0, "too many messages a second"),
    131048: (3600.0, "too many messages of this number were blocked or marked as spam"),
    131056: (60.0, "too many messages to this one recipient"),
    133016: (3600.0, "the number was registered too often"),
}
_AWAY: Final[dict[int, str]] = {
    1: "Meta's server failed",
    2: "Meta's service is down or overloaded",
    131000: "Meta's server failed",
    131016: "Meta's service is overloaded",
    131057: "the WhatsApp Business account is in maintenance",
    133004: "Meta's server is down",
}
# Errors of the account itself: state, our code, reason.
_ENDED: Final[dict[int, tuple[AccountState, str, str]]] = {
    0: (AccountState.failed, "credentials_refused", "Meta refuses the access token"),
    190: (AccountState.failed, "credentials_refused", "Meta refuses the access token, or it has expired"),
    3: (AccountState.failed, "permission_missing", "the access token may not use this number"),
    10: (AccountState.failed, "permission_missing", "the access token may not use this number"),
    131005: (AccountState.failed, "permission_missing", "the access token may not use this number"),
    33: (
        AccountState.failed,
        "number_not_found",
        "there is no such number, or the access token may not see it",
    ),
    131045: (AccountState.failed, "number_not_registered", "the number is not registered for the Cloud API"),
    133010: (AccountState.failed, "number_not_registered", "the number is not registered for the Cloud API"),
    368: (AccountState.blocked, "banned", "the account is restricted for breaking WhatsApp's policies"),
    131031: (AccountState.blocked, "banned", "the account is locked"),
}
_LONGEST = 200  # characters of Meta's own text
_LONGEST_WAIT = 24 * 60 * 60.0  # seconds that Meta may ask for


class Ended(WrongStep):
    """The whole account can't go on; the call itself is not at fault. `change` must be reported."""

    def __init__(self, change: Change) -> None:
        super().__init__(change.reason or "The account can't be used.", code=change.code)
        self.change = change


def of(status: int, body: bytes, headers: Mapping[str, str], *, effect: bool) -> MessengerError:
    """Returns the port's error of an answer. `effect`: the call sends something, so an unknown result is Uncertain."""
    error = _error(body)
    code = error.get("code") if isinstance(error.get("code"), int) else None
    if code is not None and (failure := of_code(code, error, headers)) is not None:
        return failure
    summary = f"Meta answered {status}" + (f", code {code}" if code is not None else "")
    reason = f"{summary}: {words(error)}".rstrip(": ")
    if status == 429:
        return Throttled(f"{reason}.", until=_until(headers, 60.0))
    if status in (401, 403):
        return _ended(AccountState.failed, "credentials_refused", "Meta refuses the access token", code)
    if status in (408, 425, 503) or 300 <= status < 400:
        return Unreachable(f"{reason}.")
    if status >= 500 or status < 300:
        return Uncertain(f"{reason}.") if effect else Unreachable(f"{reason}.")
    return Refused(f"{reason}.", code="rejected")


def of_code(code: int, error: Mapping[str, Any], headers: Mapping[str, str]) -> MessengerError | None:
    """Returns the port's error of a code, or None if the code is unknown."""
    if (
        code == 100 and error.get("error_subcode") == 33
    ):  # Meta still sends it for an object that does not exist
        code = 33
    if code in _ENDED:
        return _ended(*_ENDED[code], code)
    if 200 <= code <= 299:
        return _ended(*_ENDED[10], code)
    if code in _THROTTLED:
        seconds, why = _THROTTLED[code]
        return Throttled(f"Meta {code}: {why}.", until=_until(headers, seconds))
    if code in _AWAY:
        return Unreachable(f"Meta {code}: {_AWAY[code]}.")
    if code in _REFUSED or 132000 <= code <= 132999:
        ours, why = _REFUSED.get(code, ("template_refused", "Meta does not take this template"))
        details = words(error) if ours in ("rejected", "template_mismatch", "media_refused") else ""
        return Refused(f"Meta {code}: {why}{f' ({details})' if details else ''}.", code=ours)
    return None


def reported(error: Mapping[str, Any]) -> tuple[str, str]:
    """Returns code and reason of a message that failed after it was accepted."""
    code = error.get("code")
    failure = of_code(code, error, {}) if isinstance(code, int) else None
    if failure is not None:
        return failure.code, failure.reason
    return (
        "failed",
        f"Meta{f' {code}' if isinstance(code, int) else ''}: {words(error) or 'it gave no reason'}.",
    )


def words(error: Mapping[str, Any]) -> str:
    """Returns Meta's text as one short line, without phone numbers and tokens."""
    data = error.get("error_data")
    details = data.get("details") if isinstance(data, dict) else None
    text = next(
        (
            candidate
            for candidate in (details, error.get("message"), error.get("title"))
            if isinstance(candidate, str)
        ),
        "",
    )
    line = re.sub(r"\+?\d{7,}|[A-Za-z0-9_\-]{40,}", "…", " ".join(text.split()))
    line = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
    return line.rstrip(".")


def _ended(state: AccountState, ours: str, why: str, code: int | None) -> Ended:
    reason = f"{why} (Meta {code})" if code is not None else why
    todo = (
        "See the WhatsApp Manager"
        if state is AccountState.blocked
        else "Correct it and start the account again"
    )
    return Ended(Change(state, code=ours, reason=f"{reason[:1].upper()}{reason[1:]}. {todo}."))


def _error(body: bytes) -> dict[str, Any]:
    try:
        error = orjson.loads(body)["error"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return {}
    return error if isinstance(error, dict) else {}


def _until(headers: Mapping[str, str], seconds: float) -> datetime:
    """Returns when to try again: by Retry-After, or by the usage header (minutes); a day at most."""
    asked = retry_after(headers.get("retry-after"), headers.get("date"))
    if asked is not None:
        seconds = min(asked, _LONGEST_WAIT)
    else:
        try:
            usage = orjson.loads(headers.get("x-business-use-case-usage", ""))
            waits = [
                item["estimated_time_to_regain_access"]
                for many in usage.values()
                for item in many
                if isinstance(item, dict)
            ]
            minutes = max((float(item) for item in waits if isinstance(item, int | float)), default=0.0)
            seconds = max(seconds, min(minutes * 60, _LONGEST_WAIT))
        except (orjson.JSONDecodeError, AttributeError, KeyError, TypeError):
            pass
    return datetime.now(UTC) + timedelta(seconds=seconds)
