"""The cases of projects, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, RELATION, UNKNOWN, Case, Rest
from tests.support.people import Person

_NEW = '{name:"n",channel:sms,text:"Hi {{ name }}"}'
_ID = {"id": "{project}"}

NEEDS_ALL = True  # some of its cases meet rows of other features that they do not name

CASES: dict[str, Case] = {
    "sending_projects.list": Case(
        "own", Rest("GET", "/sending-project/list"), None, why=CONNECTION,
    ),
    "sending_projects.page": Case(
        "own", None,
        '{sendingProjects(where:{name:{contains:"secret"}},orderBy:{field:name}){nodes{uuid name owner{email}'
        " account{uuid} counts{total} rates{sent} sourceAccounts{uuid} attachments{uuid}} totalCount}}",
        why=CONNECTION,
    ),
    "sending_projects.related": Case(
        "own", None,
        "{me{sendingProjects{nodes{uuid name}} accounts{nodes{sendingProjects{nodes{uuid name}}}}}}", why=RELATION,
    ),
    "sending_projects.by_ids": Case(
        "own", None, "{messageRecords{nodes{sendingProject{uuid name}}}}", why=RELATION,
    ),
    "sending_projects.search": Case(
        "own", Rest("GET", "/sending-project/search?q=secret&status=draft&channel=sms"),
        None, why="GraphQL's list is searched by its `where`",
    ),
    "sending_projects.count": Case("own", Rest("GET", "/sending-project/count"), "{sendingProjectCount}"),
    "sending_projects.count_concurrent": Case(
        "own", Rest("GET", "/sending-project/count/concurrent"), "{concurrentSendingProjectCount}"
    ),
    "sending_projects.create": Case(
        "own",
        Rest("POST", "/sending-project", {"name": "n", "channel": "sms", "text": "Hi {{ name }}"}, 201),
        "mutation{createSendingProject(input:" + _NEW + "){uuid window{from}}}",
    ),
    "sending_projects.get": Case(
        "row", Rest("GET", "/sending-project/{project}"),
        "query($id:ID!){sendingProject(id:$id){uuid name text variants{text} window{from to} speed{perMinute}}}", _ID,
    ),
    "sending_projects.update": Case(
        "row", Rest("PATCH", "/sending-project/{project}", {"text": "Hello"}),
        'mutation($id:ID!){updateSendingProject(id:$id,input:{text:"Hello"}){uuid text}}', _ID,
    ),
    "sending_projects.delete": Case(
        "row", Rest("DELETE", "/sending-project/{project}", status=204),
        "mutation($id:ID!){deleteSendingProject(id:$id)}", {"id": "{other_project}"},
    ),
    "sending_projects.start": Case(
        "row", Rest("POST", "/sending-project/start/{project}", status=400),
        "mutation($id:ID!){startSendingProject(id:$id){uuid}}", _ID, owner="no_recipients",
    ),
    "sending_projects.stop": Case(
        "row", Rest("POST", "/sending-project/stop/{project}", status=409),
        "mutation($id:ID!){stopSendingProject(id:$id){uuid}}", _ID, owner="bad_transition",
    ),
    "sending_projects.stop_multiple": Case(
        "own", Rest("POST", "/sending-project/stop/multiple", {"uuids": [UNKNOWN]}),
        "mutation($ids:[UUID!]!){stopSendingProjects(input:{uuids:$ids}){stopped failed{uuid code message}}}",
        {"ids": UNKNOWN},
    ),
    "sending_projects.retry": Case(
        "row", Rest("POST", "/sending-project/retry/{project}", {"unknown": True}, 409),
        "mutation($id:ID!){retrySendingProject(id:$id,input:{unknown:true}){uuid}}", _ID, owner="bad_transition",
    ),
    "sending_projects.preview": Case(
        "row", Rest("POST", "/sending-project/preview", {"sendingProjectUuid": "{project}"}),
        "query($id:UUID!){previewMessage(input:{sendingProjectUuid:$id}){body segments}}", _ID,
    ),
}  # fmt: skip


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    made = []
    for _ in range(2):
        new = {"name": "ada's secret", "channel": "sms", "text": "Hi {{ name }}, ada's secret"}
        made.append((await ada.rest("POST", "/sending-project", json=new)).json()["uuid"])
    return {"project": made[0], "other_project": made[1]}
