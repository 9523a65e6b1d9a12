"""The numbers that say what a project came to, and the people behind each of them."""

from typing import Any
from uuid import UUID

import httpx
import pytest

from runtime.services import Services
from tests.sending_projects.conftest import Projects
from tests.support.people import Person
from tests.unsubscribe.test_unsubscribe import ONE_CLICK, path_of

QUERY = """query($id:ID!){sendingProject(id:$id){result{
  intended accepted reportsDelivery delivered cameBack bounced refused complained replied unsubscribed}}}"""
PEOPLE = """query($p:String!,$r:RecordReaction!){
  messageRecords(first:10,where:{sendingProjectUuid:{eq:$p},reaction:{eq:$r}}){
    totalCount nodes{uuid unsubscribedAt}}}"""


async def result(person: Person, project: str) -> Any:
    made = (await person.data(QUERY, {"id": project}))["sendingProject"]["result"]
    answer = await person.rest("GET", f"/sending-project/{project}/result")
    assert (answer.status_code, answer.json()) == (200, made)
    return made


async def sent(projects: Projects, person: Person, **fields: Any) -> tuple[str, list[UUID]]:
    """Makes a project with three sent emails and one that was refused. Returns the ids of its messages."""
    project = await projects.make(person, channel="email", subject="S", text="T", **fields)
    await projects.messages(project, "sent", "sent", "sent", "failed")
    rows = await projects.db.fetch(
        "SELECT id FROM message_records WHERE project_id = $1 ORDER BY seq", UUID(project)
    )
    ids = [row["id"] for row in rows]
    await projects.execute(
        "UPDATE message_records SET channel = 'email' WHERE project_id = $1", UUID(project)
    )
    await projects.execute("UPDATE message_records SET refused = true WHERE id = $1", ids[3])
    return project, ids


async def test_what_can_not_be_measured_is_null(
    projects: Projects, ada: Person, bob: Person, services: Services
):
    project, _ = await sent(projects, ada)
    seen = await result(ada, project)
    reports = services.routes.reports_delivery("email")
    assert seen == {
        "intended": 4, "accepted": 3, "reportsDelivery": reports, "delivered": 0 if reports else None, "cameBack": 1,
        "bounced": 0, "refused": 1, "complained": 0, "replied": None, "unsubscribed": 0,
    }  # fmt: skip
    sms = await projects.make(ada)
    await projects.messages(sms, "delivered", "sent")
    assert (await result(ada, sms))["cameBack"] is None
    assert (await result(ada, sms))["replied"] == 0
    assert (await bob.rest("GET", f"/sending-project/{project}/result")).status_code == 404


async def test_a_route_without_reports_has_no_delivered(
    projects: Projects, ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    project, ids = await sent(projects, ada)
    monkeypatch.setattr(type(services.routes), "reports_delivery", lambda routes, kind: False)
    seen = await result(ada, project)
    assert (seen["delivered"], seen["accepted"], seen["reportsDelivery"]) == (None, 3, False)
    await projects.execute("UPDATE message_records SET status = 'delivered' WHERE id = $1", ids[0])
    assert (await result(ada, project))["delivered"] == 1  # what was reported is shown nevertheless


async def test_who_unsubscribes_by_a_letter_is_counted_once_and_listed(
    projects: Projects, ada: Person, client: httpx.AsyncClient, services: Services
):
    project, ids = await sent(projects, ada)
    for _ in range(2):
        assert (await client.post(path_of(services, ids[1]), data=ONE_CLICK)).status_code == 200
    assert (await result(ada, project))["unsubscribed"] == 1
    seen = (await ada.data(PEOPLE, {"p": project, "r": "unsubscribed"}))["messageRecords"]
    assert (seen["totalCount"], [node["uuid"] for node in seen["nodes"]]) == (1, [str(ids[1])])
    assert seen["nodes"][0]["unsubscribedAt"] is not None
    asked = {"sendingProjectUuid": project, "reaction": "unsubscribed"}
    listed = (await ada.rest("GET", "/message/list", params=asked)).json()
    assert [row["uuid"] for row in listed["items"]] == [str(ids[1])]
    assert (await ada.rest("GET", "/message/count", params=asked)).json() == {"count": 1}
    for reaction in ("replied", "bounced", "complained"):
        assert (await ada.data(PEOPLE, {"p": project, "r": reaction}))["messageRecords"]["totalCount"] == 0


async def test_what_offers_no_link_counts_no_withdrawals(projects: Projects, ada: Person):
    project, _ = await sent(projects, ada, category="transactional")
    assert (await result(ada, project))["unsubscribed"] is None
