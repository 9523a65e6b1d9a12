"""How long lists of objects may be that nobody says the length of, and what is counted: for schema/cost.py.

A connection is as long as `first` or `last` says, and statistics have as many intervals as their span touches. Every
other list of objects stands here by `Type.field`, with the most that it ever has; a test holds that none is missing,
and that the numbers are those of the code that makes the lists.
"""

from datetime import UTC, datetime
from typing import Any

from graphql import GraphQLError
from strawberry.schema.types.base_scalars import DateTimeDefinition

from resolvers.intervals import at_most
from resolvers.message_records import instant
from schema.types.statistics import Interval

LISTS = {
    "Query.countries": 300,  # ISO 3166-1 has 249
    "Query.currencies": 250,  # ISO 4217 has 178
    "Query.exportVariables": 50,
    "SendingProject.variants": 10,
    "SendingProject.failureReasons": 50,
    "SendingProject.variantStatistics": 10,
    "ProjectStatistics.variants": 10,
    "SendingProject.sourceAccounts": 100,
    "SendingProject.attachments": 10,
    "ProjectTemplate.variants": 10,
    "MessengerMessage.content": 10,
    "MessengerMessage.reactions": 50,
    "ImportPreview.columns": 200,
    "QueueStatistics.projects": 100,
    "QueueStatistics.workers": 100,
    "QueueStatistics.routes": 50,
    "ProcessingHealth.projects": 100,
    "ProcessingHealth.routes": 50,
    "StoppedProjects.failed": 100,
    "AddedRecipients.invalid": 1000,
}

COUNTS = frozenset(
    {
        "Query.sendingProjectCount",
        "Query.concurrentSendingProjectCount",
        "Query.messageRecordCount",
        "Query.repeatableSendingProjectCount",
        "Query.concurrentRepeatableSendingProjectCount",
        "BlockCount.count",
        "RepeatableSendingProject.nextRuns",
    }
)
"""What is counted row by row, or worked out for each; a connection's `totalCount` is one too."""

SPAN = frozenset({"interval", "dateFrom", "dateTo"})
"""Arguments of what has intervals."""


_READ: Any = DateTimeDefinition.parse_value


def intervals(interval: Any, since: Any, until: Any) -> int:
    """How many there are at most, by arguments as they came: None for one that did not."""
    try:
        chosen = Interval.day if interval is None else Interval[interval]
        return at_most(_instant(since), _instant(until), chosen, datetime.now(UTC))
    except (GraphQLError, KeyError, ValueError, TypeError, OverflowError):
        return 1  # no executor takes it either


def _instant(given: Any) -> datetime | None:
    """As the scalar DateTime reads it."""
    return None if given is None else instant(_READ(given))
