"""The cases of plans. `{project}` is of sending_projects."""

from tests.doors.case import NOT_LISTED, Case

CASES: dict[str, Case] = {
    "project_plans.get": Case(
        "row", None, "query($id:ID!){sendingProjectPlan(id:$id){recipients toSend exact cost{amount}}}",
        {"id": "{project}"}, why=NOT_LISTED,
    ),
}  # fmt: skip
