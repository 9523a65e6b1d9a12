"""Several processes, one of which is killed: what is counted is what was accepted, and never more than the limit."""

import asyncio
from pathlib import Path
from uuid import UUID

import httpx
import pytest

from runtime.services import Services
from tests.api_tokens.made import made
from tests.messages.test_joined_processes import SILENT, _api, _post, _through_proxy
from tests.reach.limited import counted
from tests.support.people import Person
from tests.support.waits import PATIENCE, until

pytestmark = [pytest.mark.rotating, pytest.mark.slow]

_REACHED = 'SELECT count(DISTINCT "to") FROM messages'


async def _token(ada: Person, above: int) -> tuple[Person, str]:
    token, id = await made(ada, approvalAbove=above)
    return Person(ada.id, ada.email, ada.account_id, token, ada.client), id


async def test_a_kill_between_counting_and_accepting_leaves_neither(
    ada: Person, services: Services, database: str, tmp_path: Path
):
    token, id = await _token(ada, 2)
    async with _through_proxy(database) as (url, silenced), _api(url, tmp_path) as (process, client):
        lost = asyncio.create_task(_post(client, token, SILENT.decode()))
        await asyncio.wait_for(
            silenced.wait(), PATIENCE
        )  # it is counted, and the message is in the transaction
        process.kill()
        with pytest.raises(httpx.TransportError):
            await lost

    async def is_over() -> bool:
        waiting = "SELECT count(*) FROM pg_locks WHERE relation = 'reach_counters'::regclass AND granted"
        return await services.db.fetchval(waiting) == 0

    await until(is_over)
    assert await counted(services, id) == 0 == await services.db.fetchval(_REACHED)
    answers = [await _post(ada.client, token, f"{number}@example.com") for number in range(3)]
    assert [answer.status_code for answer in answers] == [202, 202, 409]


async def test_processes_of_one_token_and_a_kill(
    ada: Person, services: Services, database: str, tmp_path: Path
):
    token, id = await _token(ada, 20)
    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
    async with _api(database, folders[0]) as (process, a), _api(database, folders[1]) as (_, b):
        sent = [
            asyncio.create_task(_post(client, token, f"{number}@example.com"))
            for number in range(60)
            for client in (a, b, ada.client)
        ]
        await until(lambda: services.db.fetchval(_REACHED))
        process.kill()
        answers = await asyncio.gather(*sent, return_exceptions=True)
        statuses = {answer.status_code for answer in answers if isinstance(answer, httpx.Response)}
        assert 202 in statuses and statuses <= {202, 409, 429, 503}, statuses
        reached = await services.db.fetchval(_REACHED)
        assert await counted(services, id) == reached <= 20
        more = [await _post(b, token, f"{number}@example.org") for number in range(25)]
    assert sum(answer.status_code == 202 for answer in more) == 20 - reached
    assert await counted(services, id) == await services.db.fetchval(_REACHED) == 20
    assert (
        await services.db.fetchval("SELECT recipients FROM reach_counters WHERE credential_id = $1", UUID(id))
        == 20
    )
