"""Messages of projects: what tests/doors/matrix.py says of this feature."""

from tests.doors.case import Case, Rest
from tests.message_records import rows as made
from tests.support.people import Person

CASES: dict[str, Case] = {
    "message_records.list": Case(
        "own",
        Rest("GET", "/message/list"),
        "{messageRecords{items{uuid body to sendingProjectUuid failureReason}}}",
    ),
    "message_records.count": Case("own", Rest("GET", "/message/count"), "{messageRecordCount}"),
    "message_records.get": Case(
        "row",
        None,
        "query($id:ID!){messageRecord(id:$id){uuid body}}",
        {"id": "{message_record}"},
        why="the specification lists no REST route for one message; GraphQL has every resource by its id",
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    services = ada.client._transport.app.services  # there is no other way in than the engine's
    project = await made.project(services, ada, name="ada's secret")
    (message,) = await made.messages(
        services, ada, project, {"body": "ada's secret", "status": "failed", "failure_reason": "ada's secret"}
    )
    return {"message_record": str(message), "recorded_project": str(project)}
