"""The cases of plans. `{project}` is of sending_projects."""

from tests.doors.case import Case, Rest

CASES: dict[str, Case] = {
    "project_plans.get": Case(
        "row", Rest("POST", "/sending-project/{project}/plan"),
        "query($id:ID!){sendingProjectPlan(id:$id){recipients toSend exact cost{amount}}}",
        {"id": "{project}"},
    ),
}  # fmt: skip
