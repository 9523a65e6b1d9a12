"""The cases of recipients. `{project}` is of sending_projects."""

from tests.doors.case import CONNECTION, RELATION, Case, Rest
from tests.support.people import Person

CASES: dict[str, Case] = {
    "recipients.list": Case(
        "row", Rest("GET", "/recipient/list/{project}"), None, why=CONNECTION,
    ),
    "recipients.page": Case(
        "row", None, "query($id:ID!){recipients(sendingProjectId:$id){nodes{uuid phone name status}}}",
        {"id": "{project}"}, why=CONNECTION,
    ),
    "recipients.of_projects": Case(
        "own", None, "{sendingProjects{nodes{recipients{nodes{uuid address name status} totalCount}}}}", why=RELATION,
    ),
    "recipients.by_ids": Case("own", None, "{messageRecords{nodes{recipient{uuid name}}}}", why=RELATION),
    "recipients.get": Case(
        "row", Rest("GET", "/recipient/info/{recipient}"), "query($id:ID!){recipient(id:$id){uuid name phone status}}",
        {"id": "{other_recipient}"},
    ),
    "recipients.add": Case(
        "row", Rest("POST", "/recipient/{project}", {"recipients": [{"phone": "+14155550100"}]}),
        'mutation($id:ID!){addRecipients(sendingProjectId:$id,input:{recipients:[{phone:"+14155550101"}]}){added}}',
        {"id": "{project}"},
    ),
    "recipients.remove_some": Case(
        "row", Rest("POST", "/recipient/{project}/remove", {"text": "nobody"}),
        'mutation($id:ID!){removeRecipients(sendingProjectId:$id,input:{text:"nobody"}){removed withMessage more}}',
        {"id": "{project}"},
    ),
    "recipients.remove": Case(
        "row", Rest("DELETE", "/recipient/{project_of_recipient}/{recipient}", status=204),
        "mutation($id:ID!){removeRecipient(id:$id)}", {"id": "{other_recipient}"},
    ),
}  # fmt: skip


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    made = await ada.rest("POST", "/sending-project", json={"name": "with a recipient", "channel": "sms"})
    project = made.json()["uuid"]
    one = {"phone": "+14155550100", "name": "ada's secret"}
    two = {"phone": "+14155550102"}
    await ada.rest("POST", f"/recipient/{project}", json={"recipients": [one, two]})
    listed = await ada.rest("GET", f"/recipient/list/{project}")
    first, second = (row["uuid"] for row in listed.json()["items"])
    return {"recipient": first, "other_recipient": second, "project_of_recipient": project}
