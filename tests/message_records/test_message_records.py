"""The list and the count of projects' messages, through both doors."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from core.ids import uuid7
from resolvers.message_records import record_filters
from tests.message_records.rows import content, many, messages, project, recipient

NINE = ("queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown", "canceled")
FIELDS = {
    "uuid", "sendingProjectUuid", "recipientUuid", "accountUuid", "channel", "direction", "to", "body", "status",
    "failureCode", "failureReason", "attempts", "providerMessageId", "price", "pricePrefix", "priceVersionId",
    "queuedAt", "sentAt", "deliveredAt", "bouncedAt", "complainedAt", "readAt", "repliedAt", "updatedAt", "variant",
    "unsubscribedAt",
    "waitingFor", "locale",
    "sender", "reportedBy",
}  # fmt: skip


async def listed(who, **filters):
    answer = await who.rest("GET", "/message/list", params=filters)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def counted(who, **filters):
    answer = await who.rest("GET", "/message/count", params=filters)
    assert answer.status_code == 200, answer.text
    return answer.json()["count"]


def ids(page):
    return [UUID(row["uuid"]) for row in page["items"]]


async def test_the_newest_first_through_both_doors(ada, services):
    first, second = await project(services, ada), await project(services, ada, channel="email")
    old = await messages(services, ada, first, {}, {})
    new = await messages(services, ada, second, {"channel": "email", "to": "a@example.com"})
    page = await listed(ada)
    assert ids(page) == [*new, *reversed(old)]
    assert page["meta"] == {"page": 1, "limit": 20, "total": 3, "totalPages": 1}
    assert set(page["items"][0]) == FIELDS
    assert page["items"][0]["price"] == 0
    graph = await ada.data(
        "{messageRecords{nodes{uuid id sendingProjectUuid status direction price body} totalCount} messageRecordCount}"
    )
    assert [row["uuid"] for row in graph["messageRecords"]["nodes"]] == [row["uuid"] for row in page["items"]]
    assert (graph["messageRecords"]["totalCount"], graph["messageRecordCount"]) == (3, 3)
    one = await ada.data(
        "query($id: ID!){messageRecord(id:$id){uuid to}}", {"id": graph["messageRecords"]["nodes"][0]["id"]}
    )
    assert one == {"messageRecord": {"uuid": str(new[0]), "to": "a@example.com"}}


async def test_pages_follow_each_other(ada, services):
    made = []
    for project_id in [await project(services, ada) for _ in range(3)]:
        made += await messages(services, ada, project_id, *({} for _ in range(5)))
    seen = []
    for number in range(1, 6):
        seen += ids(await listed(ada, page=number, limit=4))
    assert seen == list(reversed(made))
    # The same where several projects are asked one by one.
    seen = []
    for number in range(1, 6):
        seen += ids(await listed(ada, page=number, limit=4, channel="sms"))
    assert seen == list(reversed(made))


async def test_every_filter(ada, services):
    source = uuid7()
    mine, other = await project(services, ada), await project(services, ada, channel="email")
    rows = [{"status": status, "account_uuid": source if status == "sent" else None} for status in NINE]
    made = dict(zip(NINE, await messages(services, ada, mine, *rows), strict=True))
    (mail,) = await messages(
        services, ada, other, {"channel": "email", "to": "x@example.com", "status": "sent"}
    )
    for status in NINE:
        expected = [made[status], *([mail] if status == "sent" else [])]
        assert set(ids(await listed(ada, status=status))) == set(expected)
        assert await counted(ada, status=status) == len(expected)
        assert ids(await listed(ada, status=status, sendingProjectUuid=mine)) == [made[status]]
        assert await counted(ada, status=status, sendingProjectUuid=str(mine)) == 1
    assert ids(await listed(ada, sendingProjectUuid=other)) == [mail]
    assert ids(await listed(ada, channel="email")) == [mail]
    assert await counted(ada, channel="email") == 1
    assert await counted(ada, channel="sms", sendingProjectUuid=str(other)) == 0
    assert ids(await listed(ada, accountUuid=source)) == [made["sent"]]
    assert await counted(ada, accountUuid=str(source)) == 1
    assert ids(await listed(ada, accountUuid=source, status="failed")) == []


async def test_a_phone_in_any_spelling(ada, services):
    project_id = await project(services, ada)
    _, wanted, _ = await messages(
        services, ada, project_id, {}, {"to": "+14155550199"}, {"to": "device-token"}
    )
    for spelling in ("+14155550199", "+1 (415) 555-0199", "415 555 0199"):
        page = await listed(ada, phone=spelling)
        assert (ids(page), page["meta"]["total"]) == ([wanted], 1)
        assert await counted(ada, phone=spelling) == 1
    assert len((await listed(ada, phone="device-token"))["items"]) == 1
    assert (await listed(ada, phone="device-token", sendingProjectUuid=uuid7()))["items"] == []


async def test_dates_of_the_queue(ada, services):
    now = datetime.now(UTC)
    one, new = await project(services, ada, created_at=now - timedelta(days=9)), await project(services, ada)
    rows = [{"queued_at": now - timedelta(days=days)} for days in (8, 5, 2)]
    old = await messages(services, ada, one, *rows)
    (today,) = await messages(services, ada, new, {})
    since, until = (now - timedelta(days=6)).isoformat(), (now - timedelta(days=1)).isoformat()
    assert ids(await listed(ada, dateFrom=since)) == [today, old[2], old[1]]
    assert ids(await listed(ada, dateFrom=since, dateTo=until)) == [old[2], old[1]]
    assert ids(await listed(ada, dateTo=until, sendingProjectUuid=one)) == list(reversed(old))
    assert await counted(ada, dateFrom=since, dateTo=until) == 2
    # The end is not in it.
    exact = rows[1]["queued_at"].isoformat()
    assert ids(await listed(ada, dateTo=exact)) == [old[0]]
    assert await ada.data(
        "query($a: DateTime){messageRecordCount(dateFrom:$a)}", {"a": since.partition("+")[0]}
    ) == {"messageRecordCount": 3}


async def test_replies_are_listed_and_counted_too(ada, services):
    requested, silent = await project(services, ada), await project(services, ada)
    sent, _ = await messages(
        services,
        ada,
        requested,
        {"status": "delivered", "replied_at": datetime.now(UTC)},
        {"status": "queued"},
    )
    (reply,) = await messages(
        services,
        ada,
        requested,
        {"direction": "inbound", "status": "read", "body": "yes", "to": "+14155550000"},
    )
    await messages(services, ada, silent, {})
    page = await listed(ada, sendingProjectUuid=requested)
    assert (len(page["items"]), page["meta"]["total"]) == (3, 3)
    assert (page["items"][0]["uuid"], page["items"][0]["body"]) == (str(reply), "yes")
    assert page["items"][0]["providerMessageId"] is None
    assert await counted(ada) == 4
    assert ids(await listed(ada, status="read")) == [reply]
    assert await counted(ada, status="read") == await counted(ada, status="read", channel="sms") == 1
    assert await counted(ada, status="delivered") == 1
    assert sent in ids(page)


async def test_the_body_as_it_was_sent(ada, services):
    project_id = await project(services, ada)
    await content(services, project_id, 1)
    await content(
        services,
        project_id,
        2,
        text=None,
        variants=[{"text": "A {{ name }}", "weight": 1}, {"text": "B {{ phone }}", "weight": 1}],
    )
    who = await recipient(services, project_id, "+14155550000", "Ann", city="Riga")
    row = {"recipient_id": who, "to": "+14155550000", "status": "sent"}
    await messages(
        services,
        ada,
        project_id,
        {**row, "content": 1},
        {**row, "content": 2, "variant": 1},
        {**row, "status": "queued"},
        {**row, "content": 7},
        {**row, "content": 1, "recipient_id": uuid7()},
    )
    page = await listed(ada)
    assert [item["body"] for item in page["items"]] == [None, None, None, "B +14155550000", "Hi Ann of Riga"]
    graph = await ada.data("{messageRecords{nodes{body}}}")
    assert [item["body"] for item in graph["messageRecords"]["nodes"]] == [
        item["body"] for item in page["items"]
    ]


async def test_a_text_that_cannot_be_made_again_costs_nobody_else_his(ada, services):
    broken, good = await project(services, ada), await project(services, ada)
    await content(services, broken, 1, text="{{ name | nonsense }} {% if %}")
    await content(services, good, 1, text="hello {{ name }}")
    for project_id in (broken, good):
        who = await recipient(services, project_id, "+14155550000", "Ann")
        await messages(services, ada, project_id, {"recipient_id": who, "content": 1, "status": "sent"})
    assert [item["body"] for item in (await listed(ada))["items"]] == ["hello Ann", None]


async def test_a_page_costs_a_fixed_number_of_statements(ada, services, monkeypatch):
    async def cost(limit):
        statements = []
        real = services.db.fetch

        async def fetch(sql, *arguments):
            statements.append(sql)
            return await real(sql, *arguments)

        monkeypatch.setattr(services.db, "fetch", fetch)
        page = await listed(ada, limit=limit)
        monkeypatch.setattr(services.db, "fetch", real)
        assert len(page["items"]) == limit
        assert all(item["body"] == "hi Ann" for item in page["items"])
        return len(statements)

    for _ in range(10):
        project_id = await project(services, ada)
        await content(services, project_id, 1, text="hi {{ name }}")
        who = await recipient(services, project_id, "+14155550000", "Ann")
        await messages(
            services,
            ada,
            project_id,
            *({"recipient_id": who, "content": 1, "status": "sent"} for _ in range(5)),
        )
    assert await cost(2) == await cost(50)


async def test_the_provider_s_id(ada, services):
    project_id = await project(services, ada)
    now = datetime.now(UTC)
    own, other, waiting = await messages(
        services, ada, project_id,
        {"status": "sent", "sent_at": now}, {"status": "sent", "sent_at": now, "provider_message_id": "SM1"}, {},
    )  # fmt: skip
    shown = {row["uuid"]: row["providerMessageId"] for row in (await listed(ada))["items"]}
    assert shown == {str(own): str(own), str(other): "SM1", str(waiting): None}


async def test_nobody_sees_another_s(ada, bob, admin, services):
    project_id = await project(services, ada)
    (message,) = await messages(services, ada, project_id, {"status": "failed"})
    for filters in (
        {},
        {"sendingProjectUuid": str(project_id)},
        {"status": "failed"},
        {"phone": "+14155550000"},
    ):
        assert (await listed(bob, **filters))["items"] == []
        assert await counted(bob, **filters) == 0
        assert ids(await listed(admin, **filters)) == [message]
        assert await counted(admin, **filters) == 1
    query = "query($id:ID!){messageRecord(id:$id){uuid}}"
    assert await bob.code(query, {"id": str(message)}) == "message_not_found"
    assert (await admin.data(query, {"id": str(message)}))["messageRecord"]["uuid"] == str(message)


async def test_administrators_read_everybody_s_in_one_order(ada, bob, admin, services):
    made = []
    theirs = [(who, await project(services, who)) for who in (ada, bob)]
    for _ in range(3):
        for who, project_id in theirs:
            made += await messages(services, who, project_id, {})
    seen = []
    for number in (1, 2):
        seen += ids(await listed(admin, page=number, limit=4))
    assert seen == list(reversed(made))


@pytest.mark.parametrize(
    "filters",
    [
        {"status": "gone"},
        {"channel": "fax"},
        {"sendingProjectUuid": "x"},
        {"dateFrom": "yesterday"},
        {"dateFrom": "2026-01-02T00:00:00Z", "dateTo": "2026-01-01T00:00:00Z"},
        {"phone": ""},
        {"phone": "1" * 5000},
        {"phone": "a\x00b"},
        {"limit": 101},
        {"page": 0},
        {"color": "red"},
    ],
)
async def test_bad_input_is_told(ada, filters):
    assert (await ada.rest("GET", "/message/list", params=filters)).status_code == 400


async def test_graphql_knows_the_same_bounds(ada):
    for arguments in (
        "first:101",
        "last:-1",
        'where:{to:{eq:""}}',
        'where:{to:{eq:"a\\u0000"}}',
        'where:{sendingProjectUuid:{eq:"x"}}',
    ):
        body = await ada.graphql(f"{{messageRecords({arguments}){{nodes{{uuid}}}}}}")
        assert body["errors"][0]["extensions"]["code"] in ("validation_failed", "bad_id", "bad_request"), body


async def test_what_no_counter_knows_is_counted_up_to_a_bound(ada, services, monkeypatch):
    monkeypatch.setattr(record_filters, "MOST_COUNTED", 50)
    one, two = await project(services, ada), await project(services, ada)
    await many(services, ada, one, 40, "sent")
    await many(services, ada, two, 40, "sent")
    since = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    assert await counted(ada, dateFrom=since) == 50
    assert (await listed(ada, dateFrom=since))["meta"]["total"] == 50
    assert await counted(ada, dateFrom=since, sendingProjectUuid=str(one)) == 40
    assert await counted(ada) == 80


async def plan(services, sql, *arguments):
    async with services.db.reading() as db:
        rows = await db.fetch("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) " + sql, *arguments)
    return "\n".join(row[0] for row in rows)


@pytest.fixture
def read_statements(services, monkeypatch):
    """The statements that `Database.fetch` ran, with their arguments."""
    seen, fetch = [], services.db.fetch

    async def recorded(sql, *arguments):
        seen.append((sql, arguments))
        return await fetch(sql, *arguments)

    monkeypatch.setattr(services.db, "fetch", recorded)
    return seen


async def test_a_page_of_a_large_project_reads_the_page(ada, services, read_statements):
    """The plan shows it, not the clock: there is no sort, and no more rows are read than the page has."""
    project_id = await project(services, ada)
    await many(services, ada, project_id, 20_000, "sent")
    await many(services, ada, project_id, 5, "failed")
    await many(services, ada, project_id, 20_000, "sent")
    async with services.db.reading() as db:
        await db.execute("ANALYZE message_records")
    for filters in (
        {"sendingProjectUuid": str(project_id)},
        {},
        {"sendingProjectUuid": str(project_id), "status": "failed"},
    ):
        read_statements.clear()
        await listed(ada, **filters)
        sql, arguments = next(
            (sql, values) for sql, values in read_statements if "message_records AS m WHERE" in sql
        )
        shown = await plan(services, sql, *arguments)
        assert "Sort" not in shown and "Seq Scan" not in shown, shown
        index = "ix_message_records_failures" if "status" in filters else "_id_seq"
        assert index in shown, shown


async def test_unknown_messages_are_found_among_any_number_of_failed_ones(ada, services, read_statements):
    """The plan shows it, not the clock: failed messages are not looked through."""
    project_id = await project(services, ada)
    await messages(services, ada, project_id, *[{"status": "unknown"}] * 3, {"status": "queued"})
    await many(services, ada, project_id, 30_000, "failed")
    async with services.db.reading() as db:
        await db.execute("ANALYZE message_records")
    for filters in ({"sendingProjectUuid": str(project_id)}, {}):
        read_statements.clear()
        answer = (await ada.rest("GET", "/message/list", params={"status": "unknown", **filters})).json()
        assert answer["meta"]["total"] == len(answer["items"]) == 3
        (page,) = [statement for statement in read_statements if "seq DESC" in statement[0]]
        shown = await plan(services, page[0], *page[1])
        assert "ix_message_records_unknown" in shown, shown
        assert "Rows Removed" not in shown, shown
    # Whatever moves a message keeps the index true.
    await services.db.fetch("UPDATE message_records SET status = 'delivered' WHERE status = 'unknown'")
    assert await services.db.fetchval("SELECT count(*) FROM message_records WHERE is_unknown") == 0
    await services.db.fetch("UPDATE message_records SET status = 'unknown' WHERE status = 'queued'")
    assert await services.db.fetchval("SELECT count(*) FROM message_records WHERE is_unknown") == 1
