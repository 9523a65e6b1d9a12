"""The rate of a project, by which it is said when it ends: that of the last minute in which it ran."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.message_records.rows import many, project
from tests.statistics.test_queue import MINUTES, ran_since, set_counters
from tests.statistics.test_statistics import got

SECONDS = timedelta(seconds=1)


async def sends(services, project_id, count):
    """So many of its messages are sent now."""
    async with services.db.reading() as db:
        await db.execute(
            "UPDATE message_records SET status = 'sent', sent_at = now() WHERE id IN"
            " (SELECT id FROM message_records WHERE project_id = $1 AND status = 'queued' LIMIT $2)",
            project_id,
            count,
        )


async def move(services, project_id, status):
    await services.db.fetch("UPDATE sending_projects SET status = $2 WHERE id = $1", project_id, status)


async def rate(ada):
    (one,) = (await got(ada, "/queue/statistics"))["projects"]
    return one["perMinute"]


@pytest.fixture
async def running(ada, services):
    """A project with 1,000 messages that runs for an hour and has sent nothing."""
    made = await project(services, ada, status="running", started_at=datetime.now(UTC) - 60 * MINUTES)
    await many(services, ada, made, 1000)
    await ran_since(services, made, 60 * MINUTES)
    return made


async def test_what_stood_in_a_pause_does_not_slow_the_forecast(ada, services, running):
    """It sent 600, stood for most of an hour, and has sent 100 in the ten seconds since."""
    await sends(services, running, 600)
    await move(services, running, "paused")
    assert await rate(ada) == 0
    await move(services, running, "running")
    await sends(services, running, 100)
    await ran_since(services, running, 10 * SECONDS)
    assert await rate(ada) == pytest.approx(600, rel=0.2)
    graph = await ada.data("{sendingProjects(first:1){nodes{progress{perMinute etaSeconds}}}}")
    (one,) = graph["sendingProjects"]["nodes"]
    assert one["progress"]["perMinute"] == pytest.approx(600, rel=0.2)
    assert one["progress"]["etaSeconds"] == pytest.approx(300 / 600 * 60, rel=0.3)


async def test_a_moment_after_its_start_it_is_not_said_to_be_too_fast(ada, services, running):
    await move(services, running, "paused")
    await move(services, running, "running")
    await sends(services, running, 10)
    assert await rate(ada) <= 120  # as if it ran for five seconds


async def test_the_minute_before_counts_as_far_as_it_is_not_over_for_a_minute(ada, services, running):
    await sends(services, running, 90)
    await set_counters(
        services, running, minute_at=datetime.now(UTC).replace(second=0, microsecond=0) - MINUTES
    )
    assert 0 <= await rate(ada) <= 90
    await sends(services, running, 30)  # the counter goes on to this minute
    assert 29 <= await rate(ada) <= 120
    counter = await services.db.fetchrow(
        "SELECT sum(minute_settled) AS this, sum(last_minute_settled) AS last FROM sending_counters"
    )
    assert counter["this"] + counter["last"] in (120, 30)  # 30: they were counted in another shard


async def test_a_slow_one_has_the_rate_of_the_last_quarters_of_an_hour(ada, services, running):
    await sends(services, running, 30)
    await set_counters(services, running, minute_at=datetime.now(UTC) - 5 * MINUTES)
    assert 1 <= await rate(ada) <= 2
