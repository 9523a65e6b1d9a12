"""A Sending Project as a dashboard sees it: one query for all of it, each row with what is its own."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

import pytest

from core.ids import uuid7
from runtime.services import Services
from schema.frame.graphql import global_id
from tests.message_records.rows import bucket, content, messages, project, recipient
from tests.sending_projects.conftest import Projects
from tests.statistics.test_queue import ran_since
from tests.support.people import Person

NODE = "query($id:ID!){sendingProject(id:$id){%s}}"


async def _shown(who: Person, id: Any, fields: str) -> Any:
    return (await who.data(NODE % fields, {"id": str(id)}))["sendingProject"]


async def test_how_far_it_is(ada: Person, services: Services) -> None:
    fields = "progress{total done percent preparing perMinute etaSeconds endsAt} rates{sent failed delivered}"
    project_id = await project(services, ada)
    empty = await _shown(ada, project_id, fields)
    assert empty["progress"] == {
        "total": 0, "done": 0, "percent": None, "preparing": False, "perMinute": 0, "etaSeconds": None, "endsAt": None,
    }  # fmt: skip
    assert empty["rates"] == {"sent": None, "failed": None, "delivered": None}
    began = datetime.now(UTC) - timedelta(minutes=2)
    running = await project(services, ada, status="running", started_at=began, preparation="freeze")
    await messages(
        services,
        ada,
        running,
        *({"status": status} for status in ("queued", "sending", "sent", "delivered", "failed")),
    )
    # The trigger has counted what was sent and failed just now; `delivered` was sent before it was counted as such.
    seen = await _shown(ada, running, fields)
    progress = seen["progress"]
    assert (progress["total"], progress["done"], progress["percent"], progress["preparing"]) == (
        5,
        3,
        60,
        True,
    )
    assert seen["rates"] == {"sent": 0.4, "failed": 0.2, "delivered": 0.5}
    await bucket(services, ada, running, began.replace(minute=0, second=0, microsecond=0), shard=99, sent=0)
    assert (progress["etaSeconds"] is None) == (progress["perMinute"] == 0) == (progress["endsAt"] is None)


async def test_its_total_does_not_grow_while_its_messages_are_made(ada: Person, services: Services) -> None:
    fields = "progress{total done percent preparing}"
    running = await project(services, ada, status="running", preparation="freeze")
    for number in range(4):
        await recipient(services, running, f"+1415555010{number}")
    seqs = await services.db.fetch("SELECT seq FROM recipients WHERE project_id = $1 ORDER BY seq", running)
    for made, row in enumerate(seqs):
        progress = (await _shown(ada, running, fields))["progress"]
        assert (progress["total"], progress["done"], progress["preparing"]) == (4, made, True)
        await messages(services, ada, running, {"status": "sent"})
        await services.db.fetch(
            "UPDATE sending_projects SET prepared_to = $2 WHERE id = $1", running, row["seq"]
        )
    await services.db.fetch("UPDATE sending_projects SET preparation = NULL WHERE id = $1", running)
    assert (await _shown(ada, running, fields))["progress"] == {
        "total": 4, "done": 4, "percent": 100, "preparing": False,
    }  # fmt: skip


async def test_the_pace_of_a_running_one(ada: Person, services: Services) -> None:
    now = datetime.now(UTC)
    running = await project(services, ada, status="running", started_at=now - timedelta(hours=3))
    stopped = await project(services, ada, status="stopped", started_at=now - timedelta(hours=3))
    await ran_since(services, running, timedelta(hours=3))
    quarter = now.replace(minute=now.minute // 15 * 15, second=0, microsecond=0)
    for project_id in (running, stopped):
        await messages(services, ada, project_id, {"status": "queued"}, {"status": "queued"})
        await bucket(services, ada, project_id, quarter, shard=99, sent=100, failed=20)
    data = await ada.data("{sendingProjects{nodes{uuid progress{perMinute etaSeconds endsAt}}}}")
    progress = {node["uuid"]: node["progress"] for node in data["sendingProjects"]["nodes"]}
    assert progress[str(stopped)] == {"perMinute": 0, "etaSeconds": None, "endsAt": None}
    moving = progress[str(running)]
    assert 120 / 31 <= moving["perMinute"] <= 120 / 14  # of 15 to 30 minutes
    assert moving["etaSeconds"] == pytest.approx(2 / moving["perMinute"] * 60, abs=1)
    assert datetime.fromisoformat(moving["endsAt"]) > now


async def test_statistics_by_intervals_each_project_its_own(ada: Person, services: Services) -> None:
    hour = datetime(2026, 3, 1, 10, tzinfo=UTC)
    made = [await project(services, ada, name=f"p{number}") for number in range(3)]
    for number, project_id in enumerate(made[:2], 1):
        await bucket(services, ada, project_id, hour, sent=number, delivered=10 * number)
        await bucket(services, ada, project_id, hour + timedelta(minutes=45), sent=100)
        await bucket(services, ada, project_id, hour + timedelta(hours=2), failed=7)
    data = await ada.data(
        """{ sendingProjects(orderBy:{field:name, direction:asc}) { nodes {
          hours: statistics(interval:hour, dateFrom:"2026-03-01T10:00:00Z", dateTo:"2026-03-01T13:00:00Z") {
            from sent delivered failed }
          days: statistics(dateFrom:"2026-03-01T10:00:00Z", dateTo:"2026-03-01T11:00:00Z", timezone:"Asia/Kolkata") {
            from sent } } } }"""
    )
    first, second, third = data["sendingProjects"]["nodes"]
    assert [hour["from"] for hour in first["hours"]] == [f"2026-03-01T{at}:00:00Z" for at in (10, 11, 12)]
    assert [(hour["sent"], hour["delivered"], hour["failed"]) for hour in first["hours"]] == [
        (101, 10, 0), (0, 0, 0), (0, 0, 7),
    ]  # fmt: skip
    assert [hour["sent"] for hour in second["hours"]] == [102, 0, 0]
    assert first["days"] == [{"from": "2026-02-28T18:30:00Z", "sent": 101}]
    assert [hour["sent"] for hour in third["hours"]] == [0, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ('timezone:"Mars/Olympus"', "bad_timezone"),
        ('interval:hour,dateFrom:"2020-01-01T00:00:00Z",dateTo:"2021-01-01T00:00:00Z"', "too_many_intervals"),
        ('dateFrom:"2021-01-01T00:00:00Z",dateTo:"2020-01-01T00:00:00Z"', "bad_request"),
    ],
    ids=["zone", "many", "backwards"],
)
async def test_statistics_have_bounds(ada: Person, services: Services, arguments: str, code: str) -> None:
    await project(services, ada)
    body = await ada.graphql(f"{{sendingProjects{{nodes{{statistics({arguments}){{sent}}}}}}}}")
    assert body["errors"][0]["extensions"]["code"] == code
    assert body["data"]["sendingProjects"]["nodes"] == [{"statistics": None}]


@pytest.mark.settings(graphql_max_cost=20_000)
async def test_intervals_of_many_projects_are_bounded_together(ada: Person, services: Services) -> None:
    for _ in range(6):
        await project(services, ada)
    query = "{sendingProjects(first:%d){nodes{statistics(interval:hour,dateFrom:%s,dateTo:%s){sent}}}}"
    span = '"2026-01-01T00:00:00Z"', '"2026-03-20T00:00:00Z"'  # 1872 hours
    assert "errors" not in await ada.graphql(query % (5, *span))
    body = await ada.graphql(query % (6, *span))
    assert {error["extensions"]["code"] for error in body["errors"]} == {"too_many_intervals"}


async def test_why_messages_failed(ada: Person, services: Services) -> None:
    one, other = await project(services, ada), await project(services, ada)
    rows = [{"status": "failed", "failure_code": code} for code in ("b", "a", "b", "c", "b", "c")]
    await messages(services, ada, one, *rows)
    data = await ada.data("{sendingProjects{nodes{uuid failureReasons{code count}}}}")
    reasons = {node["uuid"]: node["failureReasons"] for node in data["sendingProjects"]["nodes"]}
    assert [(reason["code"], reason["count"]) for reason in reasons[str(one)]] == [
        ("b", 3),
        ("c", 2),
        ("a", 1),
    ]
    assert reasons[str(other)] == []


async def test_everything_around_it(ada: Person, services: Services, projects: Projects) -> None:
    sender = (
        await ada.rest(
            "POST", "/account/create", json={"source": "telegram", "login": "l", "token": "t" * 40}
        )
    ).json()["uuid"]
    gone = (
        await ada.rest(
            "POST", "/account/create", json={"source": "telegram", "login": "m", "token": "t" * 40}
        )
    ).json()["uuid"]
    assert (await ada.rest("DELETE", f"/account?uuid={gone}")).status_code == 204
    project_id = await project(services, ada, name="one", account_uuids=[UUID(gone), UUID(sender)])
    other = await project(services, ada, name="other")
    await content(services, project_id)
    who = await recipient(services, project_id, "+14155550001", "Ann", city="B")
    row = {
        "id": uuid5(project_id, str(who)),
        "recipient_id": who,
        "content": 1,
        "status": "sent",
        "account_uuid": UUID(sender),
    }
    await messages(services, ada, project_id, row)
    waits = await recipient(services, other, "ann@example.com")
    data = await ada.data(
        """{ sendingProjects(first:2, orderBy:{field:name, direction:asc}) { nodes { name
          owner { email sendingProjects { totalCount } } account { name sendingProjects(first:5) { totalCount nodes {
            name } } }
          sourceAccounts { login sendingProjects(first:5) { totalCount nodes { name } } } repeatable { name }
          exportLinks { totalCount }
          messages(first:5) { totalCount nodes { body sendingProjectUuid recipientUuid sendingProject { name }
            recipient { name message { uuid } } sourceAccount { login } account { name } } }
          recipients(first:5) { totalCount nodes { uuid phone address name variables status statusReason messageId
            message { status } sendingProject { name } } } } } }"""
    )
    first, second = data["sendingProjects"]["nodes"]
    assert first["owner"] == {"email": ada.email, "sendingProjects": {"totalCount": 2}}
    assert [node["name"] for node in first["account"]["sendingProjects"]["nodes"]] == ["other", "one"]
    sends = {"totalCount": 1, "nodes": [{"name": "one"}]}
    assert first["sourceAccounts"] == [{"login": "l", "sendingProjects": sends}]
    assert (first["repeatable"], first["exportLinks"]) == (None, {"totalCount": 0})
    assert first["messages"] == {
        "totalCount": 1,
        "nodes": [
            {
                "body": "Hi Ann of B", "sendingProjectUuid": str(project_id), "recipientUuid": str(who),
                "sendingProject": {"name": "one"}, "sourceAccount": {"login": "l"}, "account": {"name": "Main"},
                "recipient": {"name": "Ann", "message": {"uuid": str(row["id"])}},
            }
        ],
    }  # fmt: skip
    assert first["recipients"]["nodes"] == [
        {
            "uuid": str(who), "phone": "+14155550001", "address": "+14155550001", "name": "Ann",
            "variables": {"city": "B"}, "status": "sent", "statusReason": None, "messageId": str(row["id"]),
            "message": {"status": "sent"}, "sendingProject": {"name": "one"},
        }
    ]  # fmt: skip
    assert second["sourceAccounts"] == []
    assert second["recipients"]["nodes"] == [
        {
            "uuid": str(waits), "phone": None, "address": "ann@example.com", "name": None, "variables": {},
            "status": "pending", "statusReason": None, "messageId": None, "message": None,
            "sendingProject": {"name": "other"},
        }
    ]  # fmt: skip
    nodes = [
        global_id("SendingProject", project_id),
        global_id("Recipient", who),
        global_id("MessageRecord", row["id"]),
    ]
    again = await ada.data(
        """query($ids:[ID!]!){ nodes(ids:$ids) { __typename id ... on SendingProject { name counts { total } }
        ... on Recipient { status phone } ... on MessageRecord { body recipient { name } } } }""",
        {"ids": nodes},
    )
    assert again["nodes"] == [
        {"__typename": "SendingProject", "id": nodes[0], "name": "one", "counts": {"total": 1}},
        {"__typename": "Recipient", "id": nodes[1], "status": "sent", "phone": "+14155550001"},
        {"__typename": "MessageRecord", "id": nodes[2], "body": "Hi Ann of B", "recipient": {"name": "Ann"}},
    ]


async def test_how_the_work_goes(ada: Person, services: Services) -> None:
    await project(services, ada, name="draft")
    old = datetime.now(UTC) - timedelta(hours=1)
    await project(
        services, ada, name="stuck", status="running", preparation="freeze", updated_at=old, started_at=old
    )
    data = await ada.data("{sendingProjects{nodes{name processing{stuck workers project{name}}}}}")
    assert data["sendingProjects"]["nodes"] == [
        {"name": "stuck", "processing": {"stuck": True, "workers": [], "project": {"name": "stuck"}}},
        {"name": "draft", "processing": None},
    ]


LIST = """query($first:Int,$after:String,$last:Int,$before:String,$where:SendingProjectWhere,
  $order:SendingProjectOrder){ sendingProjects(first:$first,after:$after,last:$last,before:$before,where:$where,
  orderBy:$order){ nodes{name} totalCount pageInfo{hasNextPage hasPreviousPage startCursor endCursor} } }"""


async def _names(who: Person, **variables: Any) -> list[str]:
    page = (await who.data(LIST, variables))["sendingProjects"]
    return [node["name"] for node in page["nodes"]]


@pytest.mark.parametrize("direction", ["asc", "desc"])
@pytest.mark.parametrize("field", ["name", "updatedAt", "createdAt"])
async def test_every_order_both_ways(ada: Person, services: Services, field: str, direction: str) -> None:
    began = datetime(2026, 1, 1, tzinfo=UTC)
    long = "😀" * 190
    for number, name in enumerate(("b", "a", long, "b", "C", "a b", "Ä")):
        await project(services, ada, name=name, updated_at=began + timedelta(days=number * 5 % 7 // 2))
    order = {"field": field, "direction": direction}
    everything = await _names(ada, first=100, order=order)
    assert len(everything) == 7
    if field == "name":
        async with services.db.reading() as db:
            rows = await db.fetch(
                f"SELECT name FROM sending_projects ORDER BY name {direction}, id {direction}"
            )
        assert everything == [row["name"] for row in rows]
    for size in (1, 2, 3):
        forwards, after = [], None
        while True:
            page = (await ada.data(LIST, {"first": size, "after": after, "order": order}))["sendingProjects"]
            forwards += [node["name"] for node in page["nodes"]]
            if not page["pageInfo"]["hasNextPage"]:
                break
            after = page["pageInfo"]["endCursor"]
        assert forwards == everything
        backwards, before = [], None
        while True:
            page = (await ada.data(LIST, {"last": size, "before": before, "order": order}))["sendingProjects"]
            backwards = [node["name"] for node in page["nodes"]] + backwards
            if not page["pageInfo"]["hasPreviousPage"]:
                break
            before = page["pageInfo"]["startCursor"]
        assert backwards == everything
    assert await ada.code(
        LIST, {"after": after, "order": {"field": "name" if field != "name" else "updatedAt"}}
    ) == ("bad_cursor")


async def test_every_filter(ada: Person, services: Services) -> None:
    project_id = await project(services, ada, name="Spring 100% sale", channel="email", status="running")
    await project(services, ada, name="autumn", status="finished")
    await project(services, ada, name="gone", status="deleted")
    assert await _names(ada) == ["autumn", "Spring 100% sale"]
    for where in (
        {"name": {"contains": "00% SALE"}},
        {"channel": {"eq": "email"}},
        {"status": {"in": ["running", "paused"]}},
        {"status": {"notIn": ["finished"]}},
        {"id": {"eq": str(project_id)}},
        {"id": {"in": [global_id("SendingProject", project_id)]}},
        {"accountId": {"eq": str(ada.account_id)}, "channel": {"in": ["email"]}},
        {"ownerId": {"eq": str(ada.id)}, "name": {"contains": "s"}, "status": {"eq": "running"}},
    ):
        assert await _names(ada, where=where) == ["Spring 100% sale"], where
    assert await _names(ada, where={"status": {"eq": "deleted"}}) == []
    assert await _names(ada, where={"name": {"contains": "_"}}) == []
    assert await _names(ada, where={"createdAt": {"lt": "2020-01-01T00:00:00Z"}}) == []
    assert await _names(ada, where={"repeatableUuid": {"eq": str(project_id)}}) == []


async def test_another_s_projects_stay_hidden_in_relations(
    ada: Person, bob: Person, admin: Person, services: Services
) -> None:
    """Rows that name another's project, account or sender show nothing of it."""
    hers = await project(services, ada, name="ada's secret")
    his = await project(services, bob, name="bob's", account_id=ada.account_id, repeatable_uuid=hers)
    await messages(services, ada, hers, {"status": "failed"})
    await messages(services, bob, hers, {"status": "sent", "to": "+14155559999"})
    seen = await bob.data(
        "{sendingProjects{nodes{name account{name} repeatable{name}}} messageRecords{nodes{to sendingProject{name}"
        " account{name}}}}"
    )
    assert seen == {
        "sendingProjects": {"nodes": [{"name": "bob's", "account": None, "repeatable": None}]},
        "messageRecords": {"nodes": [{"to": "+14155559999", "sendingProject": None, "account": None}]},
    }
    assert (await bob.data("query($id:ID!){node(id:$id){id}}", {"id": global_id("SendingProject", hers)}))[
        "node"
    ] is None
    mine = await ada.data("{accounts{nodes{sendingProjects{nodes{name}}}}}")
    assert mine["accounts"]["nodes"] == [{"sendingProjects": {"nodes": [{"name": "ada's secret"}]}}]
    everything = await admin.data("{sendingProjects{nodes{name account{owner{email}}}}}")
    assert [node["name"] for node in everything["sendingProjects"]["nodes"]] == ["bob's", "ada's secret"]
    assert str(his) not in str(mine)


async def test_a_project_shows_a_hundred_of_its_source_accounts(ada: Person, services: Services) -> None:
    body = {"source": "telegram", "login": "l", "token": "t" * 40}
    real = UUID((await ada.rest("POST", "/account/create", json=body)).json()["uuid"])
    id = await project(services, ada)
    for place, shown in ((99, 1), (100, 0)):
        ids = [uuid7() for _ in range(101)]
        ids[place] = real
        await services.db.fetch("UPDATE sending_projects SET account_uuids = $2 WHERE id = $1", id, ids)
        data = await ada.data("{sendingProjects{nodes{accountUuids sourceAccounts{uuid}}}}")
        (node,) = data["sendingProjects"]["nodes"]
        assert (len(node["accountUuids"]), len(node["sourceAccounts"])) == (101, shown)
