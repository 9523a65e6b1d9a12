"""`updatedAt` and `updatedSince`: what changed since a client last asked, of messages and of projects' messages."""

import csv
import io
from datetime import datetime, timedelta

import pytest

from tests.exports.conftest import written
from tests.message_records.rows import many, messages, project

__all__ = ["written"]
OLD = (
    'INSERT INTO message_records (id, project_id, owner_id, channel, "to", '
    "updated_at) SELECT gen_random_uuid(), $1, $2, 'sms', '+1' || n, now() - interval '1 day'"
    " FROM generate_series(1, $3::int) AS n"
)


async def changed(services, one, ada):
    """Three old messages, of which the second has just changed; returns it with the time before."""
    await messages(services, ada, one, {}, {}, {})
    async with services.db.reading() as db:
        await db.execute("ALTER TABLE message_records DISABLE TRIGGER touch")
        await db.execute("UPDATE message_records SET updated_at = updated_at - interval '1 day'")
        await db.execute("ALTER TABLE message_records ENABLE TRIGGER touch")
        ids = [row["id"] for row in await db.fetch("SELECT id FROM message_records ORDER BY seq")]
        await db.execute("UPDATE message_records SET status = 'sending' WHERE id = $1", ids[1])
        at = await db.fetchval("SELECT updated_at FROM message_records WHERE id = $1", ids[1])
    return str(ids[1]), at


async def test_records_that_changed_since(ada, services, written):
    one, _ = await project(services, ada), await project(services, ada)
    id, at = await changed(services, one, ada)
    since = (at - timedelta(seconds=1)).isoformat()
    for more in ({}, {"sendingProjectUuid": str(one)}, {"status": "sending"}, {"dateFrom": since}):
        parameters = {"updatedSince": since, **more}
        answer = await ada.rest("GET", "/message/list", params=parameters)
        assert [item["uuid"] for item in answer.json()["items"]] == [id], answer.text
        assert answer.json()["meta"]["total"] == 1
        assert (await ada.rest("GET", "/message/count", params=parameters)).json() == {"count": 1}
    assert datetime.fromisoformat(answer.json()["items"][0]["updatedAt"]) == at
    graph = await ada.data(
        "query($at:DateTime!){messageRecords(where:{updatedAt:{gte:$at}}){nodes{uuid updatedAt} totalCount}"
        " messageRecordCount(updatedSince:$at)"
        " sendingProjects{nodes{messages(where:{updatedAt:{gte:$at}}){nodes{uuid}}}}}",
        {"at": since},
    )
    assert [node["uuid"] for node in graph["messageRecords"]["nodes"]] == [id]
    assert (graph["messageRecords"]["totalCount"], graph["messageRecordCount"]) == (1, 1)
    assert [node["messages"]["nodes"] for node in graph["sendingProjects"]["nodes"]] == [[], [{"uuid": id}]]
    content = await written.complete(
        ada, "messages", filters={"updatedSince": since}, columns=["uuid", "updatedAt"]
    )
    (row,) = [*csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))][1:]
    assert row[0] == id and row[1].startswith(at.isoformat()[:19])
    later = (at + timedelta(seconds=1)).isoformat()
    assert (await ada.rest("GET", "/message/list", params={"updatedSince": later})).json()["items"] == []


async def test_messages_that_changed_since(ada, services):
    for number in range(3):
        body = {"to": f"+1415555010{number}", "channel": "sms", "body": "hi"}
        assert (await ada.rest("POST", "/messages", json=body)).status_code == 202
    listed = (await ada.rest("GET", "/messages")).json()["items"]
    id = listed[1]["id"]
    async with services.db.reading() as db:
        await db.execute("UPDATE messages SET updated_at = now() + interval '1 hour' WHERE id = $1", id)
        at = await db.fetchval("SELECT updated_at FROM messages WHERE id = $1", id)
    since = (at - timedelta(seconds=1)).isoformat()
    for more in ({}, {"channel": "sms"}, {"status": "queued"}):
        answer = await ada.rest("GET", "/messages", params={"updatedSince": since, **more})
        assert [item["id"] for item in answer.json()["items"]] == [id], answer.text
        assert answer.json()["meta"]["total"] == 1
    assert answer.json()["items"][0]["updatedAt"] > listed[1]["updatedAt"]
    graph = await ada.data(
        "query($at:DateTime!){messages(where:{updatedAt:{gte:$at}}){nodes{uuid updatedAt} totalCount}}",
        {"at": since},
    )
    assert [node["uuid"] for node in graph["messages"]["nodes"]] == [id]
    assert graph["messages"]["totalCount"] == 1


async def test_every_statement_that_moves_a_record_says_when(ada, services):
    project_id = await project(services, ada)
    id, at = await changed(services, project_id, ada)
    async with services.db.reading() as db:
        await db.execute("UPDATE message_records SET attempts = 1 WHERE id = $1", id)
        assert await db.fetchval("SELECT updated_at FROM message_records WHERE id = $1", id) > at


async def test_an_index_finds_them(ada, services):
    """None of many old messages is looked at, and moves still touch no index that knows rows (HOT)."""
    project_id = await project(services, ada)
    await many(services, ada, project_id, 1)
    async with services.db.reading() as db:
        if await db.fetchval("SELECT current_setting('server_version_num')::int") < 160000:
            pytest.skip("before PostgreSQL 16 every index prevents HOT")
        await db.execute(OLD, project_id, ada.id, 30_000)
        await db.execute(
            'INSERT INTO message_records (id, project_id, owner_id, channel, "to")'
            " VALUES (gen_random_uuid(), $1, $2, 'sms', '+2')",
            project_id,
            ada.id,
        )
        await db.execute("VACUUM ANALYZE message_records")
        sql = (
            "SELECT id FROM message_records AS m WHERE m.project_id = $1"
            " AND m.updated_at >= now() - interval '1 minute' ORDER BY m.seq DESC LIMIT 20"
        )
        plan = "\n".join(row[0] for row in await db.fetch("EXPLAIN (ANALYZE, BUFFERS) " + sql, project_id))
        assert "ix_message_records_updated_at" in plan, plan
        await db.execute("UPDATE message_records SET status = 'sending' WHERE seq % 100 = 0")
        await db.execute("SELECT pg_stat_force_next_flush()")
        moved = await db.fetchrow(
            "SELECT n_tup_upd AS all, n_tup_hot_upd AS hot FROM pg_stat_user_tables WHERE relname = 'message_records'"
        )
        assert moved["hot"] > 0.9 * moved["all"] > 0, moved
