"""One table of the meanings of failures: hard, full, content, policy, transient or unknown.

The enhanced status decides first (RFC 3463), a provider's own type second, and the text of the reply last. A wrong
`hard` blocks a recipient's address, and anything else that is wrong costs a counter. So `hard` is doubted twice: a hard
status is not believed if the text plainly says something else; and without such a status, an unknown mailbox is not
believed of a server that had taken the address: some say it of a mail that their user's filter refused (after DATA).
"""

import re
from dataclasses import dataclass
from itertools import islice
from typing import Final

from engine.mail_reports.class_texts import (
    DISABLED,
    FULL,
    HOST_UNKNOWN,
    LOOSE,
    NOT_OF_RECIPIENT,
    OF_SENDER,
    PLAINEST,
    TEXTS,
    USER_UNKNOWN,
    Rows,
)
from shapes.mail_reports import MailReportClass as Class

_STATUS: Final = re.compile(r"(?<![\d.])([245])\.(\d{1,3})(?:\.(\d{1,3}))?(?!\.?\d)")
_CODE: Final = re.compile(r"(?<![\d.#:/=-])([45][0-5]\d)(?![\d.:/@=])")
_LONGEST: Final = 3_000  # characters of a text that are looked at
_LONGEST_REPLY: Final = 600  # a longer one has a footer of any kind

_MOST_STATUSES: Final = 10

# By subject and detail (RFC 3463 §3), for failures that are permanent. A status that is not here says nothing.
_PERMANENT: Final = {
    (1, 0): Class.hard,
    (1, 1): Class.hard,
    (1, 2): Class.hard,
    (1, 3): Class.hard,
    (1, 6): Class.hard,
    (1, 7): Class.policy,  # the sender's address is refused
    (1, 8): Class.policy,
    (1, 10): Class.hard,  # RFC 7505
    (2, 1): Class.hard,
    (2, 2): Class.full,
    (2, 3): Class.content,  # too long for this mailbox
    (3, 4): Class.content,
    (4, 1): Class.transient,
    (4, 2): Class.transient,
    (4, 3): Class.transient,
    (4, 5): Class.transient,
    (4, 6): Class.transient,
    (4, 7): Class.transient,
    (7, 13): Class.unknown,  # the recipient's account is disabled
}
# The meaning of some statuses together with a text: Microsoft's servers say so of a recipient whom they don't have.
_TOGETHER: Final = {
    (4, 1): re.compile(r"recipient address rejected: access denied"),
    (5, 0): re.compile(r"requested action not taken: mailbox unavailable"),
}
_PROVIDER_TYPES: Final = {
    "invalid": Class.hard,
    "noemail": Class.hard,
    "unknown": Class.hard,
    "suppressed": Class.hard,
    "mailboxfull": Class.full,
    "messagetoolarge": Class.content,
    "contentrejected": Class.content,
    "attachmentrejected": Class.content,
    "spam": Class.policy,
    "blocked": Class.policy,
    "general": Class.unknown,
}
# Types that say no more than that it failed for good: they are believed only if status and text say nothing.
_UNEXPLAINED: Final = {"permanent": Class.hard}
_RCPT: Final = re.compile(
    r"in reply to rcpt|rcpt to response|>>> ?rcpt|after rcpt|our rcpt to|\[rcpt_to\]|\(state 1[34]\)"
)
_DATA: Final = re.compile(
    r"in reply to end of data|>>> ?data|after end of data|after data|\[data\]|our data|smtp command data"
)
# Mobile carriers say so of a mail that their user's filter refused: au without an address, docomo in this order.
_OF_FILTERS: Final = re.compile(r"55\d[ :-]+: user unknown|unknown user \S{1,80}@\S{0,80}docomo")
_OF_SENDING: Final = re.compile(r"submission|sending|outgoing|outbound")
_SIZE: Final = re.compile(r"\bsize\b|too (large|big|long)")
_WEAK: Final = re.compile(r"user unknown|unknown user|no such user")
_MAIL: Final = re.compile(r"in reply to mail|>>> ?mail from|after mail from|our mail from|\[mail_from\]")


@dataclass(frozen=True, slots=True)
class Failure:
    """The words of a report about one recipient's failure."""

    status: str | None = None  # the report's own
    diagnostic: str = ""  # the server's reply
    explanation: str = ""  # the text for people
    provider_type: str | None = None  # as a provider's event names it


@dataclass(frozen=True, slots=True)
class Classified:
    """A failure's class, and the status and reply code that were found."""

    klass: Class
    status: str | None
    code: int | None


def classify(failure: Failure) -> Classified:
    """Returns the class of a failure."""
    reply, more = _plain(failure.diagnostic), _plain(failure.explanation)
    spoken = reply or more
    statuses = _statuses(failure.status, spoken)
    match = _CODE.search(spoken)
    code = int(match[1]) if match else None
    klass = _klass(failure, statuses, reply, more)
    if klass is None:
        temporary = (code or 0) // 100 == 4 or any(status[0] == 4 for status in statuses)
        klass = Class.transient if temporary else Class.unknown
    return Classified(klass, ".".join(map(str, statuses[0])) if statuses else None, code)


def _klass(failure: Failure, statuses: list[tuple[int, int, int]], reply: str, more: str) -> Class | None:
    by_text = _by_text(reply or more)
    commands = f"{reply} {more}"
    if by_text in (None, Class.hard, Class.policy) and _MAIL.search(commands) and not _RCPT.search(commands):
        return Class.policy  # it is the sender that was refused
    # An explanation may have a footer of any kind, so only its plainest words correct a hard status.
    correction = _by_text(more, PLAINEST) or (by_text if reply else None)
    for status in statuses:
        if (klass := _by_status(status, by_text, correction, reply or more)) is not None:
            return klass
    if failure.provider_type and (klass := _PROVIDER_TYPES.get(failure.provider_type.lower())) is not None:
        return klass
    temporary = any(status[0] == 4 for status in statuses)
    if by_text is None and not temporary:
        unexplained = _UNEXPLAINED.get((failure.provider_type or "").lower())
        return unexplained or (None if failure.provider_type else _loosely(reply))
    if by_text is not Class.hard:
        return by_text
    if temporary:
        return None
    spoken = reply or more
    if HOST_UNKNOWN.search(spoken) or _RCPT.search(commands):
        return Class.hard
    if _OF_FILTERS.search(spoken):
        return Class.policy
    return None if _DATA.search(commands) and _WEAK.search(spoken) else Class.hard


def _loosely(text: str) -> Class | None:
    """Returns the meaning of a text by the words that need not mean it; never hard, and nothing of what may pass."""
    match = _CODE.search(text)
    if not text or len(text) > _LONGEST_REPLY or DISABLED.search(text) or (match and match[1][0] == "4"):
        return None
    return _by_text(text, LOOSE)


def _plain(text: str) -> str:
    return " ".join(text[:_LONGEST].split()).lower()


def _statuses(status: str | None, text: str) -> list[tuple[int, int, int]]:
    """Returns the statuses, the most telling first: the server that refused the mail writes its own into its reply,
    and the server that reports may know no more than that it failed.
    """
    statuses = [
        (int(match[1]), int(match[2]), int(match[3] or 0))
        for source in (text, status or "")
        for match in islice(_STATUS.finditer(source), _MOST_STATUSES)
    ]
    failures = [status for status in statuses if status[0] != 2]
    return sorted(failures, key=lambda status: status[2] == 0)


def _by_status(
    status: tuple[int, int, int], by_text: Class | None, correction: Class | None, text: str
) -> Class | None:
    """Returns the meaning of a status; None if it says nothing. `correction` is believed rather than a hard status."""
    kind, subject, detail = status
    if (subject, detail) == (2, 2):
        return Class.full if correction is not Class.policy or not _OF_SENDING.search(text) else Class.policy
    if subject == 7:
        return _of_security(kind, detail, by_text, text)
    if subject == 6:
        return Class.content
    if kind == 4:
        # A status that names no subject leaves the word to the text, but nothing temporary is hard.
        allowed = {Class.full} if subject else {Class.full, Class.policy, Class.content}
        return by_text if subject in (0, 3) and by_text in allowed else Class.transient
    if (together := _TOGETHER.get((subject, detail))) is not None and together.search(text):
        return Class.hard
    klass = _PERMANENT.get((subject, detail))
    if klass is Class.content and correction is Class.full:
        return Class.full
    if klass is Class.hard and correction not in (None, Class.hard):
        return correction
    return klass


def _of_security(kind: int, detail: int, by_text: Class | None, text: str) -> Class:
    """Returns the meaning of a status x.7.x. Servers give it with words that say something plainer: that the mailbox is
    full, or that there is none. They are believed if nothing in the text is about the sender or about a policy.
    """
    klass = _PERMANENT.get((7, detail), Class.policy)
    if klass is not Class.policy or OF_SENDER.search(text):
        return klass
    if by_text is Class.full or (by_text is Class.content and _SIZE.search(text)):
        return by_text
    is_hard = (
        kind == 5 and by_text is Class.hard and USER_UNKNOWN.search(text) and not HOST_UNKNOWN.search(text)
    )
    return Class.hard if is_hard and not _DATA.search(text) and not _OF_FILTERS.search(text) else klass


def _by_text(text: str, rows: Rows = TEXTS) -> Class | None:
    """Returns the meaning of a text, by the first row of the table that is in it."""
    if not text or (DISABLED.search(text) and not FULL.search(text)):
        return None
    klass = next((klass for klass, pattern in rows if pattern.search(text)), None)
    return Class.policy if klass is Class.hard and NOT_OF_RECIPIENT.search(text) else klass
