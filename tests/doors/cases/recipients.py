"""recipients: what tests/doors/matrix.py says of this feature. `{project}` is of sending_projects."""

from tests.doors.case import Case, Rest
from tests.support.people import Person

CASES: dict[str, Case] = {
    "recipients.list": Case(
        "row", Rest("GET", "/recipient/list/{project}"),
        "query($id:ID!){recipients(sendingProjectId:$id){items{uuid phone name status}}}", {"id": "{project}"},
    ),
    "recipients.add": Case(
        "row", Rest("POST", "/recipient/{project}", {"recipients": [{"phone": "+14155550100"}]}),
        'mutation($id:ID!){addRecipients(sendingProjectId:$id,input:{recipients:[{phone:"+14155550101"}]}){added}}',
        {"id": "{project}"},
    ),
}  # fmt: skip


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    return {}
