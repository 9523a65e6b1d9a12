"""The cases of actions on several projects, and of copies. `{project}` is of sending_projects."""

from tests.doors.case import UNKNOWN, Case, Rest

CASES: dict[str, Case] = {
    "project_actions.delete_multiple": Case(
        "own", Rest("POST", "/sending-project/multiple/delete", {"uuids": [UNKNOWN]}),
        "mutation($ids:[UUID!]!){deleteSendingProjects(input:{uuids:$ids}){deleted failed{uuid code message}}}",
        {"ids": UNKNOWN},
    ),
    "project_actions.retry_multiple": Case(
        "own", Rest("POST", "/sending-project/multiple/retry", {"uuids": [UNKNOWN]}),
        "mutation($ids:[UUID!]!){retrySendingProjects(input:{uuids:$ids}){retried failed{uuid code message}}}",
        {"ids": UNKNOWN},
    ),
    "project_actions.duplicate": Case(
        "row", Rest("POST", "/sending-project/{project}/duplicate", {"recipients": True}, 201),
        'mutation($id:ID!){duplicateSendingProject(id:$id,input:{name:"n"}){uuid status text}}',
        {"id": "{project}"},
    ),
}  # fmt: skip
