"""Lists of projects: pages, search, counts and relations, through both doors."""

from uuid import UUID

import pytest

from tests.sending_projects.conftest import Projects
from tests.sending_projects.test_projects import NOTHING, source_account
from tests.support.people import Person


async def test_pages(ada: Person, projects: Projects):
    made = [await projects.make(ada, name=f"n{number}") for number in range(3)]
    body = (await ada.rest("GET", "/sending-project/list?limit=2")).json()
    assert [item["uuid"] for item in body["items"]] == made[:0:-1]
    assert body["meta"] == {"page": 1, "limit": 2, "total": 3, "totalPages": 2}
    page = await ada.data("{sendingProjects(last:1){nodes{uuid} totalCount}}")
    assert page["sendingProjects"] == {"nodes": [{"uuid": made[0]}], "totalCount": 3}
    for query in ("limit=101", "page=0", "nope=1"):
        assert (await ada.rest("GET", f"/sending-project/list?{query}")).status_code == 400


@pytest.mark.parametrize("q", ["%", "_", "\\", "100%", "a_b", "\\%", "'", '"'])
async def test_a_search_is_literal(ada: Person, projects: Projects, q: str):
    project_id = await projects.make(ada, name=f"x {q} y")
    await projects.make(ada, name="x 100 a-b y")
    items = (await ada.rest("GET", "/sending-project/search", params={"q": q})).json()["items"]
    assert [item["uuid"] for item in items] == [project_id]
    graph = await ada.data(
        "query($q:String){sendingProjects(where:{name:{contains:$q}}){nodes{uuid}}}", {"q": q}
    )
    assert graph["sendingProjects"]["nodes"] == [{"uuid": project_id}]


async def test_search(ada: Person, projects: Projects):
    old = await projects.make(ada, name="Old Sale", channel="push")
    await projects.execute(
        "UPDATE sending_projects SET created_at = '2020-01-05T12:00:00Z' WHERE id = $1", UUID(old)
    )
    new = await projects.make(ada, name="new sale", status="running")

    async def search(**params: str) -> list[str]:
        answer = await ada.rest("GET", "/sending-project/search", params=params)
        return [item["uuid"] for item in answer.json()["items"]]

    assert await search() == [new, old]
    assert await search(q="SALE") == [new, old]
    assert await search(q="old") == [old]
    assert await search(status="running") == [new]
    assert await search(channel="push", q="sale") == [old]
    assert await search(dateTo="2020-01-05T12:00:00Z") == []
    assert await search(dateFrom="2020-01-05T12:00:00Z", dateTo="2020-01-05T12:00:01Z") == [old]
    assert await search(dateFrom="2021-01-01T00:00:00+02:00") == [new]
    for query in (
        "status=none",
        "channel=fax",
        "dateFrom=x",
        "dateFrom=2020-01-01T00:00:00",
        "q=" + "x" * 201,
    ):
        assert (await ada.rest("GET", f"/sending-project/search?{query}")).status_code == 400
    code = await ada.code('{sendingProjects(where:{createdAt:{gte:"2020-01-01T00:00:00"}}){nodes{uuid}}}')
    assert code == "validation_failed"


async def test_counts_are_sums_of_the_counters(ada: Person, projects: Projects):
    project = await projects.make(ada)
    await projects.messages(project, "queued", "sent", "sent", "failed", "unknown")
    other = await projects.make(ada)
    await projects.messages(other, "delivered")
    wanted = {**NOTHING, "total": 5, "queued": 1, "sent": 2, "failed": 1, "unknown": 1}
    assert (await ada.rest("GET", f"/sending-project/{project}")).json()["counts"] == wanted
    listed = (await ada.rest("GET", "/sending-project/list")).json()["items"]
    assert [listed_project["counts"] for listed_project in listed] == [
        {**NOTHING, "total": 1, "delivered": 1},
        wanted,
    ]
    graph = await ada.data("{sendingProjects{nodes{counts{total queued sent failed}}}}")
    assert graph["sendingProjects"]["nodes"][1]["counts"] == {"total": 5, "queued": 1, "sent": 2, "failed": 1}


async def test_concurrent_ones(ada: Person, projects: Projects):
    for status in ("draft", "scheduled", "running", "paused", "stopped", "finished"):
        await projects.make(ada, status=status)
    assert (await ada.rest("GET", "/sending-project/count")).json() == {"count": 6}
    assert (await ada.rest("GET", "/sending-project/count/concurrent")).json() == {"count": 3}
    graph = await ada.data("{sendingProjectCount concurrentSendingProjectCount}")
    assert graph == {"sendingProjectCount": 6, "concurrentSendingProjectCount": 3}


async def test_relations(ada: Person, bob: Person, projects: Projects):
    senders = [await source_account(projects, ada) for _ in range(2)]
    project = await projects.make(ada, channel="telegram", accountUuids=senders)
    await projects.execute("UPDATE source_accounts SET status = 'deleted' WHERE id = $1", UUID(senders[0]))
    await projects.messages(project, "sent", "failed")
    query = (
        "{sendingProjects{nodes{sourceAccounts{uuid} messages(where:{status:{eq:failed}}){nodes{status} "
        "totalCount}}}}"
    )
    (item,) = (await ada.data(query))["sendingProjects"]["nodes"]
    assert item == {
        "sourceAccounts": [{"uuid": senders[1]}],
        "messages": {"nodes": [{"status": "failed"}], "totalCount": 1},
    }
