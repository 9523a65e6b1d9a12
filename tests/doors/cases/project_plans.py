"""The cases of plans, as tests/doors/case.py describes them. `{project}` is of sending_projects."""

from tests.approvals.made import plan, project
from tests.doors.case import RELATION, Case, Rest
from tests.support.people import Person

CASES: dict[str, Case] = {
    "project_plans.get": Case(
        "row", Rest("POST", "/sending-project/{project}/plan"),
        "query($id:ID!){sendingProjectPlan(id:$id){recipients toSend exact cost{amount}}}",
        {"id": "{project}"},
    ),
    "project_plans.samples_of": Case(
        "row", Rest("GET", "/sending-project/{project}/samples"),
        "query($id:ID!){sendingProjectSamples(id:$id){from messages{to subject body html missing}}}",
        {"id": "{project}"},
    ),
    "project_plans.page": Case(
        "own", Rest("GET", "/project-plans?sendingProjectUuid={planned}"),
        "{storedPlans{nodes{uuid number hash atMost sendingProject{uuid}} totalCount}}",
    ),
    "project_plans.stored": Case(
        "row", Rest("GET", "/project-plans/{plan}"),
        "query($id:ID!){storedPlan(id:$id){uuid hash document}}", {"id": "{plan}"},
    ),
    "project_plans.by_ids": Case("own", None, "{approvals{nodes{plan{uuid hash}}}}", why=RELATION),
    "project_plans.are_current": Case("own", None, "{storedPlans{nodes{uuid isCurrent}}}", why=RELATION),
    "project_plans.make": Case(
        "row", Rest("POST", "/sending-project/{unplanned}/plans", status=201),
        "mutation($id:ID!){makeProjectPlan(id:$id){uuid number}}", {"id": "{unplanned}"},
    ),
}  # fmt: skip


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    planned = await project(ada)
    return {
        "planned": planned,
        "plan": (await plan(ada, planned))["uuid"],
        "unplanned": await project(ada, text="Hi"),
    }
