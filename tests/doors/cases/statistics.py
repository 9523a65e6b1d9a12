"""The cases of statistics. The rows are those of messages of projects."""

from tests.doors.case import CONNECTION, RELATION, Case, Rest

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
    "statistics.by_channel": Case(
        "own",
        Rest("GET", "/statistics/channels?kind=all"),
        "{statisticsByChannel(kind:all){channel queued unknown}}",
    ),
    "statistics.list": Case(
        "own",
        Rest("GET", "/statistics/list"),
        None,
        why=CONNECTION,
    ),
    "statistics.page": Case(
        "own",
        None,
        "{statisticsList{nodes{project{uuid name} counts{total} rates{sent}} totalCount}}",
        why=CONNECTION,
    ),
    "statistics.of_projects": Case(
        "row",
        None,
        "query($id:ID!){sendingProject(id:$id){statistics(interval:hour){from queued sent}}}",
        {"id": "{recorded_project}"},
        why=RELATION,
    ),
    "statistics.failure_reasons": Case(
        "row",
        None,
        "query($id:ID!){sendingProject(id:$id){failureReasons{code count}}}",
        {"id": "{recorded_project}"},
        why=RELATION,
    ),
    "statistics.variants": Case(
        "row",
        None,
        "query($id:ID!){sendingProject(id:$id){variantStatistics{variant counts{total}}}}",
        {"id": "{recorded_project}"},
        why=RELATION,
    ),
    "statistics.intervals_of": Case(
        "row",
        Rest("GET", "/statistics/intervals/{recorded_project}?interval=hour"),
        None,
        why="GraphQL has it as a relation of projects",
    ),
    "statistics.failure_reasons_of": Case(
        "row", Rest("GET", "/statistics/failure-reasons/{recorded_project}"), None, why=CONNECTION
    ),
    "statistics.variants_of": Case(
        "row", Rest("GET", "/statistics/variants/{recorded_project}"), None, why=CONNECTION
    ),
    "statistics.total": Case(
        "own", Rest("GET", "/statistics/total"), "{statisticsTotal{projects counts{total} rates{sent}}}"
    ),
}
