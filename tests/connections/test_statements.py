"""No N+1: the deepest queries cost as many SQL statements for a page of twenty as for a page of two."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import uuid5

import pytest

from runtime.services import Services
from tests.message_records.rows import bucket, content, messages, project, recipient
from tests.support.people import Person

FEW, MANY = 2, 20

OVERVIEW = """query($n:Int){ sendingProjects(first:$n, orderBy:{field:name}) { totalCount nodes {
  id name status counts { total failed } rates { delivered } progress { percent etaSeconds endsAt }
  processing { stuck workers } statistics(interval:hour) { from sent delivered } failureReasons { code count }
  owner { email tariff { code } accounts(first:$n) { nodes { name } } }
  account { name owner { email } sendingProjects(first:$n) { totalCount nodes { name counts { total } } } }
  repeatable { name schedule { cron } nextRuns(count:2) owner { email } account { name } sourceProject { name }
    sendingProjects(first:$n) { nodes { name } } }
  sourceAccounts { source login } attachments { uuid }
  messages(first:$n, where:{status:{in:[sent,failed]}}) { totalCount nodes {
    body status sendingProject { name } recipient { name status message { status } } account { name } } }
  recipients(first:$n) { totalCount nodes { phone status messageId message { body } sendingProject { name } } }
} } }"""
QUERIES = {
    "projects": OVERVIEW,
    "user": """query($n:Int){ me { sendingProjects(first:$n) { totalCount nodes { name messages(first:$n) {
      totalCount nodes { to recipient { address } sourceAccount { login } } } } }
      repeatableSendingProjects(first:$n) { totalCount nodes { name nextRuns template { text } source { importUuid } } }
      accounts(first:$n) { nodes { ledger(first:$n) { totalCount nodes { amount } } messages(first:$n) {
        nodes { account { name } } } } } } }""",
    "messages": """query($n:Int){ messageRecords(first:$n) { totalCount nodes { body
      sendingProject { name statistics(interval:day) { sent } } recipient { name } account { name } } } }""",
    "statistics": """query($n:Int){ statisticsList(first:$n) { totalCount nodes { counts { total } rates { sent }
      project { name owner { email } } } } queueStatistics { projects { queued project { name } } }
      processingHealth { projects { stuck project { name } } } }""",
}


BACKGROUND = frozenset({"SELECT EXISTS (SELECT FROM routes)"})
"""Statements of watches, which may come at any time."""


@contextmanager
def counted(services: Services) -> Iterator[list[str]]:
    """The statements that are run meanwhile."""
    db: Any = services.db
    real, statements = db._read, list[str]()

    async def read(how: str, sql: str, arguments: tuple[Any, ...]) -> Any:
        if sql not in BACKGROUND:
            statements.append(sql)
        return await real(how, sql, arguments)

    db._read = read
    try:
        yield statements
    finally:
        db._read = real


@pytest.fixture
async def world(ada: Person, services: Services) -> Person:
    """Ada with more of everything than the larger page shows."""
    source = str(await project(services, ada, name="source"))
    new = {
        "template": {"channel": "sms", "text": "hi", "accountId": str(ada.account_id)},
        "schedule": {"cron": "0 9 * * *"},
        "source": {"sendingProjectUuid": source},
    }
    now = datetime.now(UTC)
    for number in range(MANY + 3):
        made = await ada.rest("POST", "/repeatable-sending-project", json={**new, "name": f"r{number}"})
        await ada.rest("POST", "/accounts", json={"name": f"a{number}"})
        sender = await ada.rest(
            "POST", "/account/create", json={"source": "telegram", "login": f"l{number}", "token": "t" * 40}
        )
        project_id = await project(
            services,
            ada,
            name=f"p{number:02}",
            status="running",
            repeatable_uuid=made.json()["uuid"],
            account_uuids=[sender.json()["uuid"]],
            started_at=now,
        )
        await content(services, project_id)
        people = [
            await recipient(services, project_id, f"+1415555{place:04}", "Ann", city="B")
            for place in range(4)
        ]
        rows = [
            {
                "id": uuid5(project_id, str(who)),
                "recipient_id": who,
                "content": 1,
                "status": status,
                "account_uuid": sender.json()["uuid"],
            }
            for who, status in zip(people, ("sent", "failed", "delivered", "queued"), strict=True)
        ]
        await messages(services, ada, project_id, *rows)
        await bucket(
            services,
            ada,
            project_id,
            now.replace(minute=0, second=0, microsecond=0),
            shard=99,
            sent=2,
            failed=1,
        )
    return ada


@pytest.mark.parametrize("plans", [True, False], ids=["fast", "graphql-core"])
async def test_a_longer_page_costs_no_more_statements(
    world: Person, services: Services, plans: bool, subtests: Any
) -> None:
    services.settings.graphql_plans = plans
    services.settings.public_url = str(
        world.client.base_url
    )  # other hosts are looked up again every five seconds
    for name, query in QUERIES.items():
        with subtests.test(name):
            numbers: dict[int, list[str]] = {}
            for size in (FEW, MANY):
                await world.data(query, {"n": size})  # the counters of the first time
                with counted(services) as statements:
                    data = await world.data(query, {"n": size})
                numbers[size] = statements
                lists = [part["nodes"] for part in data.values() if part and "nodes" in part]
                assert all(len(nodes) == size for nodes in lists)
            more = [sql for sql in numbers[MANY] if sql not in numbers[FEW]]
            assert len(numbers[MANY]) == len(numbers[FEW]), more
            assert len(numbers[MANY]) <= 45
