"""Maximum lengths of lists without a length argument, and fields that are counted, for schema/frame/cost.py.

A connection is as long as `first` or `last` says, and statistics have as many intervals as their time span. Every other
list of objects is listed here by `Type.field`, with its maximum; a test checks that none is missing, and that the
numbers are those of the code that makes the lists.
"""

from datetime import UTC, datetime
from typing import Any

from graphql import GraphQLError
from strawberry.schema.types.base_scalars import DateTimeDefinition

from resolvers.message_records import instant
from resolvers.statistics.intervals import at_most
from shapes.statistics import Interval

LISTS = {
    "Query.countries": 300,  # ISO 3166-1 has 249
    "Query.currencies": 250,  # ISO 4217 has 178
    "Query.eventTypes": 50,
    "Query.exportVariables": 50,
    "Query.systemRoutes": 200,
    "Query.ipAllowlistLines": 1000,
    "DoctorReport.findings": 200,
    "SendingProject.variants": 10,
    "SendingProject.failureReasons": 50,
    "SendingProject.variantStatistics": 10,
    "ProjectStatistics.variants": 10,
    "ProjectPlan.skipped": 10,
    "ProjectPlan.missing": 20,
    "SendingProject.sourceAccounts": 100,
    "SendingProject.attachments": 10,
    "ProjectTemplate.variants": 10,
    "Message.failedAttempts": 20,
    "WebhookDelivery.failedAttempts": 20,
    "Message.ledgerEntries": 10,
    "MessageRecord.failedAttempts": 20,
    "MessengerAccount.stateChanges": 100,
    "Query.messengerDrivers": 10,
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
    "BlockedMany.invalid": 1000,
    "UnblockedMany.invalid": 1000,
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
"""Fields that are counted row by row or calculated for each row; so is a connection's `totalCount`."""

WORK = {"Query.sendingProjectPlan": 100, "Query.previewImport": 100}
"""The points of fields whose value takes far more work than its objects tell."""

SPAN = frozenset({"interval", "dateFrom", "dateTo"})
"""The arguments of fields that have intervals."""


_READ: Any = DateTimeDefinition.parse_value


def intervals(interval: Any, since: Any, until: Any) -> int:
    """Returns the maximum number of intervals, given the arguments as they were sent (None: not sent)."""
    try:
        chosen = Interval.day if interval is None else Interval[interval]
        return at_most(_instant(since), _instant(until), chosen, datetime.now(UTC))
    except (GraphQLError, KeyError, ValueError, TypeError, OverflowError):
        return 1  # the executor refuses these arguments


def _instant(value: Any) -> datetime | None:
    """Parses a time like the scalar DateTime."""
    return None if value is None else instant(_READ(value))
