"""The cases of what projects cost. `{project}` is of sending_projects."""

from tests.doors.case import RELATION, Case, Rest

CASES: dict[str, Case] = {
    "project_costs.get": Case(
        "row", Rest("GET", "/sending-project/{project}/cost"),
        "query($id:ID!){projectCost(id:$id){cost charged refunded entries currency}}", {"id": "{project}"},
    ),
    "project_costs.of_projects": Case(
        "own", None,
        "{accounts{nodes{ledger{nodes{projectCost{cost}}} sendingProjects{nodes{cost{cost}}}}}}", why=RELATION,
    ),
}  # fmt: skip
