"""The meaning of a command_status for a message and for a bind (SMPP v3.4 §5.1.3)."""

from typing import Final, NamedTuple

from channels.port import Outcome, Result


class Meaning(NamedTuple):
    """The outcome for one command_status."""

    name: str  # in the specification, without its ESME_R
    result: Result
    code: str


OK: Final = 0x00
INVALID_COMMAND: Final = 0x03
WRONG_BIND_STATE: Final = 0x04
QUEUE_FULL: Final = 0x14
RECEIVER_TEMPORARY: Final = 0x64
RECEIVER_REJECTS: Final = 0x66

_REFUSED, _SETTINGS, _LATER = Result.refused, Result.misconfigured, Result.transient

MEANINGS: Final[dict[int, Meaning]] = {
    0x01: Meaning("INVMSGLEN", _REFUSED, "message_too_long"),
    0x02: Meaning("INVCMDLEN", _REFUSED, "rejected"),
    0x03: Meaning(
        "INVCMDID", _SETTINGS, "not_permitted"
    ),  # bound as a receiver, or the account has no submit_sm
    0x04: Meaning("INVBNDSTS", _LATER, "not_bound"),
    0x05: Meaning("ALYBND", _LATER, "already_bound"),  # the SMSC has not noticed yet that our last link ended
    0x06: Meaning("INVPRTFLG", _SETTINGS, "not_permitted"),
    0x07: Meaning("INVREGDLVFLG", _SETTINGS, "receipts_not_permitted"),
    0x08: Meaning("SYSERR", _LATER, "provider_error"),
    0x0A: Meaning("INVSRCADR", _SETTINGS, "invalid_sender"),  # the sender of the DSN: all messages fail
    0x0B: Meaning("INVDSTADR", _REFUSED, "invalid_recipient"),
    0x0D: Meaning("BINDFAIL", _SETTINGS, "bad_credentials"),
    0x0E: Meaning("INVPASWD", _SETTINGS, "bad_credentials"),
    0x0F: Meaning("INVSYSID", _SETTINGS, "bad_credentials"),
    0x14: Meaning("MSGQFUL", Result.throttled, "queue_full"),
    0x15: Meaning("INVSERTYP", _SETTINGS, "not_permitted"),
    0x33: Meaning("INVNUMDESTS", _REFUSED, "invalid_recipient"),
    0x34: Meaning("INVDLNAME", _REFUSED, "invalid_recipient"),
    0x40: Meaning("INVDESTFLAG", _REFUSED, "invalid_recipient"),
    0x43: Meaning("INVESMCLASS", _SETTINGS, "long_not_permitted"),  # try another `long`
    0x45: Meaning("SUBMITFAIL", _LATER, "provider_error"),
    0x48: Meaning("INVSRCTON", _SETTINGS, "invalid_sender"),
    0x49: Meaning("INVSRCNPI", _SETTINGS, "invalid_sender"),
    0x50: Meaning("INVDSTTON", _REFUSED, "invalid_recipient"),
    0x51: Meaning("INVDSTNPI", _REFUSED, "invalid_recipient"),
    0x53: Meaning("INVSYSTYP", _SETTINGS, "bad_credentials"),
    0x54: Meaning("INVREPFLAG", _SETTINGS, "not_permitted"),
    0x58: Meaning("THROTTLED", Result.throttled, "throttled"),
    0x61: Meaning("INVSCHED", _SETTINGS, "validity_not_permitted"),
    0x62: Meaning("INVEXPIRY", _SETTINGS, "validity_not_permitted"),
    0x64: Meaning("X_T_APPN", _LATER, "provider_error"),
    0x65: Meaning("X_P_APPN", _REFUSED, "rejected"),
    0x66: Meaning("X_R_APPN", _REFUSED, "rejected"),
    0xC0: Meaning("INVOPTPARSTREAM", _REFUSED, "rejected"),
    0xC1: Meaning("OPTPARNOTALLWD", _SETTINGS, "long_not_permitted"),
    0xC2: Meaning("INVPARLEN", _REFUSED, "rejected"),
    0xC3: Meaning("MISSINGOPTPARAM", _REFUSED, "rejected"),
    0xC4: Meaning("INVOPTPARAMVAL", _REFUSED, "rejected"),
    0xFE: Meaning("DELIVERYFAILURE", _REFUSED, "rejected"),
    0xFF: Meaning("UNKNOWNERR", _LATER, "provider_error"),
}


def meaning(status: int) -> Meaning:
    """Returns the meaning of a status. Reserved and vendor codes (0x400 to 0x4FF) only say that it was not accepted.

    They count as temporary: a useless retry costs little, but a message given up after a temporary fault is lost.
    """
    return MEANINGS.get(status) or Meaning("(vendor's own)", _LATER, "provider_error")


def describe(status: int) -> str:
    """Returns the status as `ESME_RTHROTTLED (0x58)`."""
    entry = MEANINGS.get(status)
    return f"ESME_R{entry.name} (0x{status:02X})" if entry else f"command_status 0x{status:08X}"


def outcome(status: int, retry_after: float) -> Outcome:
    """Returns the outcome of a message whose submit_sm was answered with `status`, not ESME_ROK."""
    entry = meaning(status)
    return Outcome(
        entry.result,
        code=entry.code,
        reason=f"The SMSC answered submit_sm with {describe(status)}.",
        retry_after=retry_after if entry.result is Result.throttled else None,
    )


def bind_outcome(status: int) -> Outcome:
    """Returns the outcome of every message while binds are answered with `status`: permanent or temporary."""
    entry = meaning(status)
    if entry.result in {Result.misconfigured, Result.refused}:
        return Outcome(
            Result.misconfigured,
            code=entry.code if entry.result is Result.misconfigured else "bad_credentials",
            reason=f"The SMSC refused the bind with {describe(status)}; check system_id, password, system_type and"
            " bind in the DSN, and that the SMSC allows this address and so many sessions.",
        )
    return Outcome(
        Result.transient, code=entry.code, reason=f"The SMSC refused the bind with {describe(status)}."
    )
