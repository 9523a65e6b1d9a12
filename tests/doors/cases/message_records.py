"""The cases of Messages of projects, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, RELATION, Case, Rest
from tests.message_records import rows as made
from tests.support.people import Person

NEEDS_ALL = True  # some of its cases meet rows of other features that they do not name

CASES: dict[str, Case] = {
    "message_records.of_contacts": Case(
        "own", None, "{contacts{nodes{uuid messageRecords{nodes{uuid to}}}}}", why=RELATION
    ),
    "message_records.list": Case(
        "own",
        Rest("GET", "/message/list"),
        None,
        why=CONNECTION,
    ),
    "message_records.page": Case(
        "own",
        None,
        "{messageRecords{nodes{uuid to sendingProjectUuid failureReason} totalCount}}",
        why=CONNECTION,
    ),
    "message_records.of_projects": Case(
        "row",
        None,
        "query($id:ID!){sendingProject(id:$id){messages{nodes{uuid to failureReason} totalCount}}}",
        {"id": "{recorded_project}"},
        why=RELATION,
    ),
    "message_records.by_ids": Case(
        "own",
        None,
        "{sendingProjects{nodes{recipients{nodes{message{uuid to failureReason}}}}}}",
        why=RELATION,
    ),
    "message_records.texts": Case("own", None, "{messageRecords{nodes{uuid body}}}", why=RELATION),
    "message_records.locales": Case("own", None, "{messageRecords{nodes{uuid locale}}}", why=RELATION),
    "message_records.count": Case("own", Rest("GET", "/message/count"), "{messageRecordCount}"),
    "message_records.get": Case(
        "row",
        None,
        "query($id:ID!){messageRecord(id:$id){uuid body}}",
        {"id": "{message_record}"},
        why=RELATION,
    ),
    "message_records.waiting_for": Case(
        "own", None, "{messageRecords{nodes{uuid waitingFor{code reason until}}}}", why=RELATION
    ),
    "message_records.with_text": Case("row", Rest("GET", "/message/{message_record}"), None, why=CONNECTION),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    services = ada.client._transport.app.services  # there is no other way in than the engine's
    project = await made.project(services, ada, name="ada's secret")
    (message,) = await made.messages(
        services, ada, project, {"body": "ada's secret", "status": "failed", "failure_reason": "ada's secret"}
    )
    return {"message_record": str(message), "recorded_project": str(project)}
