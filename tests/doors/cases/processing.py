"""The cases of the queue and of processing. The rows are those of messages of projects."""

from tests.doors.case import RELATION, Case, Rest

CASES: dict[str, Case] = {
    "processing.progress": Case(
        "own",
        None,
        "{sendingProjects{nodes{name progress{total done percent preparing perMinute etaSeconds endsAt}}}}",
        why=RELATION,
    ),
    "processing.progress_of": Case(
        "row",
        Rest("GET", "/sending-project-processing/progress/{recorded_project}"),
        None,
        why="GraphQL has it as a relation of projects",
    ),
    "processing.health_of": Case(
        "own",
        None,
        "{sendingProjects{nodes{name processing{uuid status stuck workers}}}}",
        why=RELATION,
    ),
    "processing.queue": Case(
        "own",
        Rest("GET", "/queue/statistics"),
        "{queueStatistics{queued sending oldestQueuedSeconds perMinute projects{uuid} workers{name host}}}",
    ),
    "processing.health": Case(
        "own",
        Rest("GET", "/sending-project-processing/health-check"),
        "{processingHealth{status projects{uuid status lastProgressAt stuck workers}}}",
    ),
}
