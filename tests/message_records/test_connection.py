"""`messageRecords(where:)` and a project's `messages`: what they find, where they stand, and what they read."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from core.ids import uuid7
from resolvers.message_records import record_filters
from runtime.services import Services
from schema.frame.graphql import global_id
from tests.message_records.rows import many, messages, project
from tests.support.people import Person

NINE = ("queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown", "canceled")
LIST = """query($first:Int,$after:String,$last:Int,$before:String,$where:MessageRecordWhere){
  messageRecords(first:$first,after:$after,last:$last,before:$before,where:$where){
    nodes{uuid} totalCount pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}"""
OF_PROJECT = """query($first:Int,$after:String,$last:Int,$before:String,$where:MessageRecordWhere){
  sendingProjects{nodes{uuid messages(first:$first,after:$after,last:$last,before:$before,where:$where){
    nodes{uuid} totalCount pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}}}"""


async def _ids(who: Person, where: Any = None, **paging: Any) -> list[UUID]:
    """Returns the ids that a filter finds, and checks that `totalCount` agrees."""
    page = (await who.data(LIST, {"where": where, "first": 100, **paging}))["messageRecords"]
    assert page["totalCount"] == len(page["nodes"]), where
    return [UUID(node["uuid"]) for node in page["nodes"]]


async def test_every_filter(ada: Person, services: Services) -> None:
    source = uuid7()
    mine, other = await project(services, ada), await project(services, ada, channel="email")
    rows = [{"status": status, "account_uuid": source if status == "sent" else None} for status in NINE]
    made = dict(zip(NINE, await messages(services, ada, mine, *rows), strict=True))
    sent = {"channel": "email", "to": "x@example.com", "status": "sent"}
    mail, reply = await messages(
        services, ada, other, sent, {**sent, "direction": "inbound", "status": "read", "failure_code": None}
    )
    every = [reply, mail, *reversed(made.values())]
    assert await _ids(ada) == every
    in_project = {"sendingProjectUuid": {"eq": str(mine)}}
    for status in NINE:
        also = {"sent": [mail], "read": [reply]}.get(status, [])
        assert await _ids(ada, {"status": {"eq": status}}) == [*also, made[status]]
        assert await _ids(ada, {"status": {"eq": status}, **in_project}) == [made[status]]
    failures = [made["skipped"], made["failed"]]
    assert await _ids(ada, {"status": {"in": ["failed", "skipped"]}}) == failures
    assert await _ids(ada, {"failureCode": {"eq": "rejected"}, "status": {"notIn": ["unknown"]}}) == failures
    assert await _ids(ada, {"failureCode": {"in": ["rejected", "x"]}}) == [made["unknown"], *failures]
    assert await _ids(ada, {"status": {"eq": "sent", "notIn": ["sent"]}}) == []
    assert await _ids(ada, {"channel": {"eq": "email"}}) == [reply, mail]
    assert await _ids(ada, {"channel": {"notIn": ["email"]}}) == every[2:]
    assert await _ids(ada, {"channel": {"in": ["push"]}}) == []
    assert await _ids(ada, {"direction": {"eq": "inbound"}}) == [reply]
    assert await _ids(ada, {"direction": {"notIn": ["inbound"]}}) == every[1:]
    assert await _ids(ada, {"sendingProjectUuid": {"in": [str(other), str(mine), str(uuid7())]}}) == every
    assert await _ids(ada, {"sendingProjectUuid": {"eq": global_id("SendingProject", other)}}) == [
        reply,
        mail,
    ]
    assert await _ids(ada, {"sendingProjectUuid": {"in": []}}) == []
    assert await _ids(ada, {"accountUuid": {"eq": str(source)}}) == [made["sent"]]
    assert await _ids(ada, {"accountUuid": {"eq": str(source)}, "status": {"eq": "failed"}}) == []
    assert await _ids(ada, {"id": {"in": [str(mail), global_id("MessageRecord", made["read"])]}}) == [
        mail,
        made["read"],
    ]
    assert await _ids(ada, {"to": {"eq": "x@EXAMPLE.com"}}) == [reply, mail]
    assert await _ids(ada, {"to": {"in": ["(415) 555-0001", "x@example.com"]}, "status": {"eq": "sent"}}) == [
        mail
    ]


async def test_dates(ada: Person, services: Services) -> None:
    now = datetime.now(UTC)
    one, new = await project(services, ada, created_at=now - timedelta(days=9)), await project(services, ada)
    at = [now - timedelta(days=days) for days in (8, 5, 2)]
    old = await messages(services, ada, one, *({"queued_at": moment} for moment in at))
    (today,) = await messages(services, ada, new, {})
    assert await _ids(ada, {"queuedAt": {"gte": at[1].isoformat()}}) == [today, old[2], old[1]]
    assert await _ids(ada, {"queuedAt": {"gt": at[1].isoformat()}}) == [today, old[2]]
    assert await _ids(ada, {"queuedAt": {"lt": at[1].isoformat()}}) == [old[0]]
    assert await _ids(ada, {"queuedAt": {"gte": at[0].isoformat(), "lte": at[1].isoformat()}}) == [
        old[1],
        old[0],
    ]


FILTERS: dict[str, Any] = {
    "everything": None,
    "channel": {"channel": {"eq": "sms"}},
    "status": {"status": {"in": ["sent", "failed"]}},
    "failures": {"status": {"eq": "failed"}},
    "since": {"queuedAt": {"gte": "2020-01-01T00:00:00Z"}},
}


async def _walked(who: Person, query: str, size: int, forwards: bool, where: Any) -> list[str]:
    """Reads all pages, one after the other, of the list or of the first project's."""
    seen: list[str] = []
    cursor = None
    for _ in range(100):
        paging = {"first": size, "after": cursor} if forwards else {"last": size, "before": cursor}
        data = await who.data(query, {**paging, "where": where})
        page = data["messageRecords"] if query == LIST else data["sendingProjects"]["nodes"][0]["messages"]
        names, info = [node["uuid"] for node in page["nodes"]], page["pageInfo"]
        seen = [*seen, *names] if forwards else [*names, *seen]
        more, cursor = (
            (info["hasNextPage"], info["endCursor"])
            if forwards
            else (info["hasPreviousPage"], info["startCursor"])
        )
        if not more:
            return seen
    raise AssertionError("it never ends")


@pytest.mark.parametrize("where", FILTERS.values(), ids=FILTERS)
async def test_pages_meet_every_row_once(
    ada: Person, bob: Person, admin: Person, services: Services, where: Any
) -> None:
    made: list[UUID] = []
    for who in (ada, ada, bob):
        project_id = await project(services, who)
        rows = [{"status": status} for status in ("sent", "failed", "sent", "failed", "failed")]
        made += await messages(services, who, project_id, *rows)
    every = [str(id) for id in reversed(made)]
    if where is FILTERS["failures"]:
        every = [id for place, id in enumerate(every) if place % 5 in (0, 1, 3)]
    mine = every[len(every) // 3 :]
    for size in (1, 2, 4, 100):
        for forwards in (True, False):
            assert await _walked(ada, LIST, size, forwards, where) == mine
            assert await _walked(admin, LIST, size, forwards, where) == every
            assert await _walked(ada, OF_PROJECT, size, forwards, where) == mine[: len(mine) // 2]


async def test_each_project_its_own(ada: Person, services: Services) -> None:
    made = [await project(services, ada) for _ in range(3)]
    rows = [{"status": "sent"}, {"status": "queued"}, {"status": "sent"}]
    first = await messages(services, ada, made[0], *rows)
    (second,) = await messages(services, ada, made[1], {"status": "sent"})
    (reply,) = await messages(services, ada, made[1], {"direction": "inbound", "status": "read"})
    old = (datetime.now(UTC) - timedelta(days=1)).isoformat()

    async def parts(where: Any, **paging: Any) -> list[tuple[list[str], int]]:
        data = await ada.data(OF_PROJECT, {"where": where, **paging})
        lists = [node["messages"] for node in reversed(data["sendingProjects"]["nodes"])]
        return [([node["uuid"] for node in part["nodes"]], part["totalCount"]) for part in lists]

    def of(*ids: UUID) -> list[str]:
        return [str(id) for id in ids]

    assert await parts(None) == [(of(*reversed(first)), 3), (of(reply, second), 2), ([], 0)]
    assert await parts(None, first=1) == [(of(first[2]), 3), (of(reply), 2), ([], 0)]
    assert await parts({"status": {"eq": "sent"}}) == [(of(first[2], first[0]), 2), (of(second), 1), ([], 0)]
    assert await parts({"status": {"eq": "sent"}}, last=1) == [(of(first[0]), 2), (of(second), 1), ([], 0)]
    assert await parts({"status": {"eq": "canceled"}}) == [([], 0)] * 3
    assert await parts({"queuedAt": {"gte": old}, "status": {"eq": "read"}}) == [
        ([], 0),
        (of(reply), 1),
        ([], 0),
    ]
    assert await parts({"sendingProjectUuid": {"eq": str(made[1])}}) == [
        ([], 0),
        (of(reply, second), 2),
        ([], 0),
    ]


async def test_another_s_are_found_by_no_filter(ada: Person, bob: Person, services: Services) -> None:
    project_id = await project(services, ada)
    (message,) = await messages(services, ada, project_id, {"status": "failed", "to": "+14155550000"})
    for where in (
        {"id": {"eq": str(message)}},
        {"sendingProjectUuid": {"eq": str(project_id)}},
        {"sendingProjectUuid": {"eq": str(project_id)}, "status": {"eq": "failed"}},
        {"to": {"eq": "+14155550000"}},
        {"status": {"in": list(NINE)}},
        {"failureCode": {"eq": "rejected"}},
        {"queuedAt": {"gte": "2020-01-01T00:00:00Z"}, "sendingProjectUuid": {"eq": str(project_id)}},
    ):
        assert await _ids(bob, where) == []
        assert await _ids(ada, where) == [message]


async def test_what_counters_know_is_exact_and_the_rest_is_bounded(
    ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_filters, "MOST_COUNTED", 50)
    monkeypatch.setattr(record_filters, "MOST_COUNTED_EACH", 45)
    one, two = await project(services, ada), await project(services, ada)
    await many(services, ada, one, 60, "sent")
    await many(services, ada, two, 40, "sent")
    since = {"queuedAt": {"gte": "2020-01-01T00:00:00Z"}}
    for where, mine, each in (
        (None, 100, [40, 60]),
        ({"status": {"eq": "sent"}, "channel": {"eq": "sms"}}, 100, [40, 60]),
        ({"channel": {"eq": "email"}}, 0, [0, 0]),
        (since, 50, [40, 45]),
    ):
        assert (await ada.data(LIST, {"first": 1, "where": where}))["messageRecords"]["totalCount"] == mine
        data = await ada.data(OF_PROJECT, {"first": 1, "where": where})
        assert [node["messages"]["totalCount"] for node in data["sendingProjects"]["nodes"]] == each
    alone = await ada.data(
        OF_PROJECT.replace("sendingProjects{", "sendingProjects(last:1){"), {"first": 1, "where": since}
    )
    assert [node["messages"]["totalCount"] for node in alone["sendingProjects"]["nodes"]] == [50]


async def _plans(services: Services, statements: Sequence[tuple[str, Any]]) -> list[Any]:
    """Returns PostgreSQL's plans for the statements that read messages."""
    plans = []
    async with services.db.reading() as db:
        for sql, arguments in statements:
            if "seq <" in sql:
                explained = await db.fetchval(
                    "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, FORMAT JSON) " + sql, *arguments
                )
                plans.append(explained)
    return plans


def _scans(plan: Any) -> list[tuple[str, str | None, int]]:
    """Yields every scan of messages: its kind, its index, the rows that it looked at."""
    scans = []
    if isinstance(plan, list):
        return [scan for part in plan for scan in _scans(part)]
    if isinstance(plan, dict):
        for value in plan.values():
            scans += _scans(value) if isinstance(value, dict | list) else []
        if plan.get("Relation Name") == "message_records":
            looked = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
            scans.append((plan["Node Type"], plan.get("Index Name"), int(looked * plan["Actual Loops"])))
    return scans


async def test_a_page_reads_the_page(ada: Person, services: Services) -> None:
    """The plan shows it, not the clock."""
    project_id = await project(services, ada)
    await messages(services, ada, project_id, {"status": "queued"})
    await many(services, ada, project_id, 15_000, "sent")
    await many(services, ada, project_id, 5, "failed")
    await messages(services, ada, project_id, {"status": "queued"})
    await many(services, ada, project_id, 15_000, "sent")
    other = await project(services, ada)
    await many(services, ada, other, 30, "sent")
    async with services.db.reading() as db:
        await db.execute("ANALYZE message_records")
        await db.execute("ANALYZE sending_projects")
    db_: Any = services.db
    statements: list[tuple[str, Any]] = []
    real = db_._read

    async def read(how: str, sql: str, arguments: tuple[Any, ...]) -> Any:
        statements.append((sql, arguments))
        return await real(how, sql, arguments)

    half = (await ada.data(LIST, {"first": 100}))["messageRecords"]["pageInfo"]["endCursor"]
    in_project = {"sendingProjectUuid": {"eq": str(project_id)}}
    few = 120
    for query, variables, bound in (
        (LIST, {"first": 20}, few),
        (LIST, {"first": 20, "after": half}, few),
        (LIST, {"last": 20}, few),
        (LIST, {"first": 20, "where": in_project}, few),
        (LIST, {"first": 20, "where": {"status": {"eq": "failed"}}}, few),
        (LIST, {"first": 20, "where": {**in_project, "failureCode": {"eq": "rejected"}}}, few),
        (LIST, {"first": 20, "where": {"status": {"eq": "canceled"}}}, 0),
        (OF_PROJECT, {"first": 20}, few),
        (OF_PROJECT, {"first": 20, "after": half}, few),
        (OF_PROJECT, {"first": 20, "where": {"status": {"eq": "failed"}}}, few),
        (OF_PROJECT, {"first": 20, "where": {"status": {"eq": "canceled"}}}, 0),
        # To the second of the two that are queued, and no further.
        (OF_PROJECT, {"last": 2, "where": {"status": {"eq": "queued"}}}, 15_100),
    ):
        statements.clear()
        db_._read = read
        try:
            # Without the number: that is counted apart.
            await ada.data(query.replace("totalCount", ""), variables)
        finally:
            db_._read = real
        scans = _scans(await _plans(services, statements))
        assert sum(looked for _, _, looked in scans) <= bound, (variables, scans)
        assert all(kind in ("Index Scan", "Index Only Scan") for kind, _, _ in scans), (variables, scans)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("first:101", "validation_failed"),
        ('after:"x"', "bad_cursor"),
        ('where:{id:{eq:"x"}}', "bad_id"),
        ('where:{to:{eq:""}}', "validation_failed"),
        ('where:{queuedAt:{gte:"2020-01-01T00:00:00"}}', "validation_failed"),
    ],
    ids=["101", "cursor", "id", "empty", "zone"],
)
async def test_what_is_wrong_is_said(ada: Person, services: Services, arguments: str, code: str) -> None:
    await project(services, ada)
    assert await ada.code(f"{{messageRecords({arguments}){{nodes{{uuid}}}}}}") == code
    assert await ada.code(f"{{sendingProjects{{nodes{{messages({arguments}){{nodes{{uuid}}}}}}}}}}") == code
