"""The fields of a delivery status notification (RFC 3464), one block for each recipient."""

import re
from collections.abc import Iterator
from typing import Final

from engine.mail_reports.classes import Failure, classify
from engine.mail_reports.mime import fields_of
from engine.mail_reports.report import MOST_RECIPIENTS, RecipientReport, visible
from shapes.mail_reports import MailReportType

_MOST_BLOCKS: Final = (
    MOST_RECIPIENTS + 10
)  # one block is about the whole mail, and some servers write empty ones
_NO_FAILURE: Final = frozenset({"delivered", "relayed", "expanded"})
_FAILURES: Final = frozenset({"failed", "delayed"})
_ADDRESS: Final = re.compile(r"[^\s<>;,\"]{1,256}@[^\s<>;,\"]{1,255}")


def read_recipients(text: str, explanation: str) -> Iterator[RecipientReport]:
    """Returns the fields of a message/delivery-status about each recipient for whom something failed.

    `explanation`: the text for people, which has the reply where the fields have none.
    """
    several = len(re.findall(r"^final-recipient:", text, re.IGNORECASE | re.MULTILINE)) > 1
    for number, block in enumerate(re.split(r"\n[ \t]*\n+", text.strip("\n"), maxsplit=_MOST_BLOCKS)):
        fields = fields_of(block) if number < _MOST_BLOCKS else {}
        if "final-recipient" not in fields and "original-recipient" not in fields and "action" not in fields:
            continue
        action = fields.get("action", "").split("(")[0].strip().lower()
        # Some servers report a success without an action, or with one of their own.
        reply = fields.get("status") or _typed(fields.get("diagnostic-code", ""))
        if action in _NO_FAILURE or (action not in _FAILURES and reply.startswith("2")):
            continue
        yield _recipient(fields, action, explanation, several=several)


def _recipient(fields: dict[str, str], action: str, explanation: str, *, several: bool) -> RecipientReport:
    diagnostic = _typed(fields.get("diagnostic-code", ""))
    address = next(
        (
            match[0]
            for name in ("original-recipient", "final-recipient", "x-actual-recipient")
            if (match := _ADDRESS.search(_typed(fields.get(name, ""))))
        ),
        None,
    )
    if several:
        explanation = _about(address, explanation)
    failure = classify(Failure(fields.get("status"), diagnostic, explanation))
    delayed = action == "delayed"
    return RecipientReport(
        MailReportType.delay if delayed else MailReportType.bounce,
        failure.klass,
        address,
        failure.status,
        failure.code,
        visible(diagnostic or explanation),
    )


def _about(address: str | None, explanation: str) -> str:
    """Returns the part of a text about several recipients that is about one: from the address up to the next one."""
    if address is None or address not in explanation:
        return ""
    after = explanation.partition(address)[2]
    others = (match.start() for match in _ADDRESS.finditer(after) if address not in match[0])
    return after[: next(others, len(after))]


def _typed(value: str) -> str:
    """Returns a value without its type: `rfc822;`, `smtp;`."""
    kind, semicolon, rest = value.partition(";")
    return rest.strip() if semicolon and re.fullmatch(r"[\w. -]{1,40}", kind.strip()) else value
