"""A provider that refuses emails, or whose users complain, is told once until it has recovered."""

from typing import Any

from engine.mail_reports.degraded import find_degraded
from runtime.services import Services
from tests.event_feed.test_event_feed import opened, read
from tests.support.people import Person

_COUNT = """
INSERT INTO domain_counters AS c (owner_id, provider_class, bucket, shard, accepted, policy, complaints)
SELECT $1, $2, date_bin('15 minutes', now() - $3::float8 * interval '1 hour', timestamptz '2000-01-01 00:00Z'), s.shard,
  s.accepted, s.policy, s.complaints
FROM (VALUES (3, $4::int, 0, 0), (35, 0, $5::int, $6::int)) AS s (shard, accepted, policy, complaints)
ON CONFLICT (owner_id, provider_class, bucket, shard) DO UPDATE SET accepted = c.accepted + excluded.accepted,
  policy = c.policy + excluded.policy, complaints = c.complaints + excluded.complaints
"""


async def _count(
    services: Services,
    who: Person,
    provider: str,
    accepted: int,
    policy: int,
    complaints: int,
    hours: float = 0,
) -> None:
    await services.db.fetch(_COUNT, who.id, provider, hours, accepted, policy, complaints)
    await find_degraded(services)


async def _degraded(who: Person) -> list[tuple[Any, ...]]:
    answer = (await who.rest("GET", "/statistics/deliverability")).json()["degraded"]
    return [(row["providerClass"], row["accepted"], row["policy"], row["complaints"]) for row in answer]


async def test_it_is_told_once_until_it_has_recovered(
    services: Services, ada: Person, bob: Person, admin: Person
) -> None:
    start, of_bob = await opened(ada), await opened(bob)
    await _count(services, ada, "gmail", 999, 3, 3)  # of too few emails
    await _count(services, ada, "yahoo", 10_000, 14, 15)  # 0.29 %
    await _count(services, ada, "apple", 10_000, 0, 900, hours=25)  # yesterday
    assert await _degraded(ada) == []
    await _count(services, ada, "yahoo", 0, 1, 0)
    assert await _degraded(ada) == await _degraded(admin) == [("yahoo", 10_000, 15, 15)]
    assert await _degraded(bob) == []
    graph = await ada.data("{deliverability{degraded{providerClass createdAt}}}")
    (row,) = graph["deliverability"]["degraded"]

    await _count(services, ada, "yahoo", 1_000, 90, 0)
    await _count(services, ada, "yahoo", 40_000, 0, 0)  # 0.24 %: below the limit, but not recovered
    assert await _degraded(ada) == [("yahoo", 10_000, 15, 15)]
    await _count(services, ada, "yahoo", 100_000, 0, 0)  # 0.08 %
    assert await _degraded(ada) == []
    await _count(services, ada, "yahoo", 0, 0, 800)
    events = (await read(ada, start, types="domain.degraded"))["events"]
    assert [event["data"]["complaints"] for event in events] == [15, 815]
    first = events[0]
    assert (first["subject"], first["data"]["providerClass"]) == ("degradedProvider", "yahoo")
    assert first["data"]["createdAt"][:19] == row["createdAt"][:19]
    assert (await read(bob, of_bob))["events"] == []


async def test_it_recovers_when_nothing_is_sent_any_more(services: Services, ada: Person) -> None:
    await _count(services, ada, "gmail", 1_000, 0, 5)
    assert await _degraded(ada)
    await services.db.fetch("UPDATE domain_counters SET bucket = bucket - interval '25 hours'")
    await find_degraded(services)
    assert await _degraded(ada) == []


async def test_an_owner_without_a_feed_has_the_finding_alone(services: Services, ada: Person) -> None:
    await _count(services, ada, "gmail", 1_000, 3, 0)
    assert await _degraded(ada) == [("gmail", 1_000, 3, 0)]
    assert await services.db.fetchval("SELECT count(*) FROM event_inbox") == 0
