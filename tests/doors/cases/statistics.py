"""Statistics: what tests/doors/matrix.py says of this feature. The rows are those of messages of projects."""

from tests.doors.case import Case, Rest
from tests.support.people import Person

CASES: dict[str, Case] = {
    "statistics.delivery_status_counts": Case(
        "own",
        Rest("GET", "/statistics/delivery-status-counts"),
        "{deliveryStatusCounts{statuses failureReasons}}",
    ),
    "statistics.general": Case(
        "own",
        Rest("GET", "/statistics/general?interval=week&timezone=Asia/Kolkata"),
        '{statisticsGeneral(interval:week,timezone:"Asia/Kolkata"){items{from queued sent}}}',
    ),
    "statistics.list": Case(
        "own",
        Rest("GET", "/statistics/list"),
        "{statisticsList{items{project{uuid name} counts{total} rates{sent}}}}",
    ),
    "statistics.total": Case(
        "own", Rest("GET", "/statistics/total"), "{statisticsTotal{projects counts{total} rates{sent}}}"
    ),
    "statistics.queue": Case(
        "own",
        Rest("GET", "/queue/statistics"),
        "{queueStatistics{queued sending oldestQueuedSeconds perMinute projects{uuid} workers{id host}}}",
    ),
    "statistics.processing": Case(
        "own",
        Rest("GET", "/sending-project-processing/health-check"),
        "{processingHealth{status projects{uuid status lastProgressAt stuck workers}}}",
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    return {}
