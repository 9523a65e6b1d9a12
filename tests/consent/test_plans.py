"""Statements about subscriptions read few rows, also of a topic that was just filled and has no statistics."""

from typing import Any
from uuid import UUID

import asyncpg
import orjson
import pytest

from core.ids import uuid7
from db.lists import PageArgs
from engine.projects import batches
from resolvers.topic_subscriptions import OF_OWNER, SUBSCRIPTIONS
from shapes.topic_subscriptions import TopicSubscriptionWhere
from tests.consent.made import topic
from tests.engine.test_stale_statistics import rows_read
from tests.support.people import Person

_MANY, _PAGE = 10_000, 20
_EXPLAIN = "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) "
# Ten of them are pending: the oldest, so that a list that begins with the newest comes to them last.
_FILL = """
WITH made AS (
  INSERT INTO contacts (id, owner_id, name) SELECT postern_uuid7(), $1, 'x' FROM generate_series(1, $3) RETURNING id
)
INSERT INTO topic_subscriptions (id, owner_id, contact_id, topic_id, channel, state)
SELECT postern_uuid7(), $1, id, $2, 'email', CASE WHEN row_number() OVER () > 10 THEN 'active' ELSE 'pending' END
FROM made
"""
_MESSAGES = """
WITH made AS (
  INSERT INTO recipients (id, project_id, address, contact_id)
  SELECT postern_uuid7(), $1, contact_id || '@example.com', contact_id FROM topic_subscriptions
  WHERE state = 'active' LIMIT 500 RETURNING id, address
)
INSERT INTO message_records (id, project_id, owner_id, recipient_id, channel, "to", status, unit_id, seq)
SELECT postern_uuid7(), $1, $2, id, 'email', address, 'queued', $3, row_number() OVER () FROM made
"""


@pytest.fixture
async def db(database: str) -> Any:
    connection = await asyncpg.connect(database)
    yield connection
    await connection.close()


@pytest.mark.parametrize("analyzed", [False, True])
@pytest.mark.parametrize("of_topic", [True, False])
async def test_a_list_of_what_is_rare_reads_little(ada: Person, db: Any, analyzed: bool, of_topic: bool):
    news = await topic(ada)
    await db.execute(_FILL, ada.id, UUID(news), _MANY)
    if analyzed:
        await db.execute("ANALYZE topic_subscriptions")
    where = {"state": {"eq": "pending"}} | ({"topicId": {"eq": news}} if of_topic else {})
    asked = TopicSubscriptionWhere.model_validate(where).conditions()
    query, values = SUBSCRIPTIONS.page_query(PageArgs(first=_PAGE), asked, (OF_OWNER,), None)
    plan = await db.fetchval(_EXPLAIN + query.sql, *query.arguments(values | {"owner_id": ada.id}))
    assert rows_read(orjson.loads(plan)[0]["Plan"]) < 10 * _PAGE, plan


async def test_consent_is_looked_up_by_the_contact_also_without_statistics(
    ada: Person, db: Any, projects: Any
):
    news, unit = UUID(await topic(ada)), uuid7()
    project = await projects.make(ada, [])
    await db.execute(_FILL, ada.id, news, _MANY)
    await db.execute(_MESSAGES, project, ada.id, unit)
    plan = await db.fetchval(_EXPLAIN + batches._MESSAGES, unit, 500, "promotional", [news])
    assert rows_read(orjson.loads(plan)[0]["Plan"]) < 20_000, plan
