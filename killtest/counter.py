"""Counts, for each person, what the provider accepted against what the product says."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from killtest.people import Person
from killtest.provider.recorder import Attempt


class Statement(StrEnum):
    """Names what a product says of a person's message, in words that all products share."""

    sent = "sent"
    failed = "failed"
    unknown = "unknown"  # it may have been sent: the product says that it can't know
    waiting = "waiting"  # it is queued, or being sent, when the waiting ends
    none = "none"  # the product says nothing, although it accepted the message


COLUMNS = (
    "people", "right", "refused", "gave_up", "lost", "twice_answered", "twice_unanswered", "twice_resubmitted",
    "sent_but_not", "failed_but_sent", "silent", "unknown", "unknown_delivered", "waiting", "waiting_delivered",
    "not_accepted",
)  # fmt: skip
"""The counts of a run; `docs/proof.md` describes each. The columns of `twice` count besides the others."""


@dataclass
class Submission:
    """Says what the caller knows of a submission."""

    accepted: bool = False  # the product has answered that it has the message
    repeated: bool = (
        False  # the caller submitted again, because the answer to the first was lost, and the product
    )
    # has no key by which it would recognize the repetition


def verdict(person: Person, deliveries: int, statement: Statement) -> str:
    """Returns the one column in which a person with an accepted submission counts."""
    match statement:
        case Statement.waiting:
            return "waiting_delivered" if deliveries else "waiting"
        case Statement.unknown:
            return "unknown_delivered" if deliveries else "unknown"
        case Statement.none:
            return "silent" if deliveries else "lost"
        case Statement.sent:
            return "right" if deliveries else "sent_but_not"
        case Statement.failed if deliveries:
            return "failed_but_sent"
        case _:
            return "refused" if person.refused else "gave_up"


def repetition(accepted: list[Attempt], submission: Submission) -> str | None:
    """Returns the column for a person who got the message more than once.

    A sender that gets no answer may repeat: of SMTP, RFC 1047 says so. It counts apart from a repetition after an
    answer that the provider had written completely, and from one that the caller made.
    """
    if len(accepted) < 2:
        return None
    if submission.repeated:
        return "twice_resubmitted"
    answered_before = any(attempt.answered for attempt in accepted[:-1])
    return "twice_answered" if answered_before else "twice_unanswered"


def count(
    everyone: Iterable[Person],
    deliveries: Mapping[int, list[Attempt]],
    statements: Mapping[int, Statement],
    submissions: Mapping[int, Submission],
) -> dict[str, int]:
    """Returns the number of people in each of `COLUMNS`."""
    counts: Counter[str] = Counter(dict.fromkeys(COLUMNS, 0))
    for person in everyone:
        counts["people"] += 1
        accepted = deliveries.get(person.number, [])
        submission = submissions.get(person.number, Submission())
        if again := repetition(accepted, submission):
            counts[again] += 1
        if submission.accepted:
            statement = statements.get(person.number, Statement.none)
            counts[verdict(person, len(accepted), statement)] += 1
        else:
            counts["not_accepted"] += 1
    return dict(counts)
