"""The cases of deliverability. The rows are those of messages and of projects."""

from tests.doors.case import CONNECTION, RELATION, Case, Rest

CASES: dict[str, Case] = {
    "deliverability.by_provider": Case(
        "own",
        Rest("GET", "/statistics/deliverability"),
        "{deliverability{from to items{providerClass accepted bounced complaints complaintLevel}}}",
    ),
    "deliverability.by_project": Case(
        "own",
        Rest("GET", "/statistics/deliverability/projects"),
        "{deliverabilityByProject{from to items{sendingProjectUuid name from accepted complaintLevel}}}",
    ),
    "deliverability.of_projects": Case(
        "row",
        None,
        "query($id:ID!){sendingProject(id:$id){mailReportCounts{providerClass bounced hard complaints}}}",
        {"id": "{recorded_project}"},
        why=RELATION,
    ),
    "deliverability.of_project": Case(
        "row", Rest("GET", "/statistics/mail-reports/{recorded_project}"), None, why=CONNECTION
    ),
}
