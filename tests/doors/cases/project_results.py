"""The cases of what projects came to. `{project}` is of sending_projects."""

from tests.doors.case import CONNECTION, RELATION, Case, Rest

CASES: dict[str, Case] = {
    "project_results.get": Case("row", Rest("GET", "/sending-project/{project}/result"), None, why=CONNECTION),
    "project_results.of_projects": Case(
        "row", None,
        "query($id:ID!){sendingProject(id:$id){result{intended accepted reportsDelivery delivered cameBack bounced "
        "refused complained replied unsubscribed}}}",
        {"id": "{project}"}, why=RELATION,
    ),
}  # fmt: skip
