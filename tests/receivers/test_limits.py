"""Rules of receivers: messages at once, a rate and a warm-up, which several workers share."""

from collections import Counter
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from core.ids import uuid7
from engine.receivers.admission import LIMITED, Admission
from engine.receivers.rules import Receivers, receivers_of
from engine.sending.streams import share_of, streams_of
from tests.receivers.test_pauses import DOMAINS, people


@dataclass
class Item:
    """A message as the admission sees it."""

    id: UUID
    to: str = "u@gmail.com"
    uncertain: bool = False
    receiver: Any = None
    route: Any = None


def other(services: Any, workers: int = 2, index: int = 1) -> Admission:
    """Returns the admission of another worker."""
    made = Admission(services)
    made.receivers = Receivers(services)
    made.receivers.share = lambda total: share_of(total, workers, index)
    return made


async def admitted(admission: Admission, owner: UUID, count: int, domain: str = "gmail.com") -> Any:
    items = [Item(uuid7(), f"u{number}@{domain}") for number in range(count)]
    return items, await admission.admit(items, ((owner, "A <a@example.com>", item.to) for item in items))


async def test_no_more_are_in_flight_than_the_rule_says_and_others_are_not_held_up(
    ada, services, server, projects, rule
):
    streams_of(services).share([services.worker])
    await rule("gmail", in_flight=2)
    server.delay = 0.02
    id = await projects.make(ada, sorted(people(40), key=lambda address: address.partition("@")[2]))
    await projects.work()
    for _ in range(100):
        if await projects.states(id) == {"sent": 200}:
            break
        await projects.hurry()
        await projects.work()
    assert await projects.states(id) == {"sent": 200}
    assert server.taken == Counter(people(40))
    assert server.most["gmail.com"] <= 2 < max(server.most.values())
    # Those of the limited provider came last: none of the others waited for them.
    assert max(max(server.times[domain]) for domain in DOMAINS[1:]) <= max(server.times["gmail.com"])


async def test_two_workers_share_the_messages_at_once(ada, services, rule):
    streams_of(services).share([services.worker])
    await rule("gmail", in_flight=3)
    shares = []
    for index in range(2):
        worker = other(services, 2, index)
        items, got = await admitted(worker, ada.id, 1)
        shares.append(worker.receivers.most(items[0].receiver))
    assert shares == [2, 1]
    late = other(services, 4, 3)  # of three messages the fourth worker has none
    _, got = await admitted(late, ada.id, 5)
    assert len(got.waiting) == 5 and {each.code for each in got.waiting} == {LIMITED}


async def test_two_workers_share_the_rate(ada, services, rule):
    await rule("gmail", per_minute=500)  # ten at once
    one, two = Admission(services), other(services)
    _, got = await admitted(one, ada.id, 6)
    assert got.waiting == []
    _, rest = await admitted(two, ada.id, 6)
    assert len(rest.waiting) == 2
    assert all(each.seconds > 0 and "500 messages a minute" in each.reason for each in rest.waiting)
    # The messages that were not sent are counted no more.
    await one.give_back(got)
    _, again = await admitted(two, ada.id, 5)
    assert len(again.waiting) == 0
    _, others = await admitted(two, ada.id, 50, "outlook.com")
    assert others is None


async def test_a_warm_up_allows_so_many_on_a_day_whichever_worker_sends(ada, admin, services, rule):
    await rule(None, warm_up=[10, 20])
    one, two = Admission(services), other(services)
    first, got = await admitted(one, ada.id, 6)
    _, rest = await admitted(two, ada.id, 6)
    assert (len(got.waiting), len(rest.waiting)) == (0, 2)
    assert all("allows 10 messages on" in each.reason for each in rest.waiting)
    _, yahoo = await admitted(two, ada.id, 10, "yahoo.com")
    assert yahoo.waiting == []  # each class has its own
    for item in first[:4]:
        item.route = "smtp"
    await one.give_back(got)
    [shown] = (await admin.rest("GET", "/receiver-rules")).json()
    assert (shown["allowance"], shown["warmUp"]) == (10, [10, 20])
    assert shown["used"] == [
        {"providerClass": "gmail", "used": 8},
        {"providerClass": "yahoo", "used": 10},
    ]
    await services.db.fetchval("UPDATE receiver_rules SET warm_up_from = now() - interval '1 day'")
    await two.receivers.refresh()
    _, more = await admitted(two, ada.id, 20)
    assert len(more.waiting) == 8
    await services.db.fetchval("UPDATE receiver_rules SET warm_up_from = now() - interval '2 days'")
    await two.receivers.refresh()
    _, ended = await admitted(two, ada.id, 500)
    assert ended.waiting == []


async def test_a_project_under_a_warm_up_sends_so_many_and_the_rest_waits(
    ada, services, server, projects, rule
):
    await rule("gmail", warm_up=[7])
    id = await projects.make(ada, people(20))
    await projects.work()
    assert await projects.states(id) == {"sent": 87, "queued": 13}
    assert server.taken_by("gmail.com") == 7
    rows = await services.db.fetch(
        "SELECT DISTINCT failure_code FROM message_records WHERE project_id = $1 AND status = 'queued'", id
    )
    assert [row["failure_code"] for row in rows] == [LIMITED]


async def test_while_redis_is_away_each_worker_goes_at_the_rate(ada, services, rule, monkeypatch):
    await rule("gmail", per_minute=500)

    async def away(work: Any, instead: Any) -> Any:
        return instead

    monkeypatch.setattr(services.store, "attempt", away)
    admission = Admission(services)
    _, got = await admitted(admission, ada.id, 30)
    assert len(got.waiting) == 20


async def test_without_a_rule_nothing_is_asked(ada, services, monkeypatch):
    admission = Admission(services)
    await admission.receivers.load()
    monkeypatch.setattr(services, "db", None)
    items, got = await admitted(admission, ada.id, 5)
    assert got is None and all(item.receiver is None for item in items)


async def test_the_provider_of_a_domain_is_that_of_its_mail_servers(ada, services, rule):
    await rule("microsoft", per_minute=500)
    await services.db.fetchval(
        "INSERT INTO mail_domains (domain, provider_class, looked_up_at) VALUES ('firm.example', 'microsoft', now())"
    )
    receivers = receivers_of(services)
    found = await receivers.find(
        [
            (ada.id, None, "a@FIRM.example"),
            (ada.id, None, "a@hotmail.co.uk"),
            (ada.id, "b@other.example", "a@hotmail.com"),
        ]
    )
    assert [each and each.provider_class for each in found] == ["microsoft", "microsoft", None]


@pytest.mark.parametrize("count", [1, 5])
async def test_direct_messages_beyond_a_rate_come_one_portion_after_the_other(
    ada, gateway, services, server, drain, rule, count
):
    await rule("gmail", per_minute=60)
    for number in range(count):
        await gateway.send(ada, f"u{number}@gmail.com", "email")
    await drain("email")
    assert server.taken_by("gmail.com") == 1
    due = await services.db.fetch(
        "SELECT due_at - now() AS wait FROM messages WHERE state = 'queued' ORDER BY due_at"
    )
    assert len(due) == count - 1
    jobs = await services.db.fetchval(
        "SELECT count(*) FROM pgqueuer WHERE entrypoint = 'messages.drain.email' AND execute_after > now()"
    )
    assert (jobs > 0) == (count > 1)
