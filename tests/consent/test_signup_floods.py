"""A flood of the public form, and many who are asked at once: others go on, and what is stored is bounded."""

import asyncio
from collections import Counter
from typing import Any

import httpx
import pytest

from resolvers import signups
from runtime.services import Services
from tests.consent.made import contact, states, subscribe, topic
from tests.consent.test_signups import cara, form, sign_up
from tests.support.people import Person
from tests.support.waits import PATIENCE

__all__ = ["cara"]


async def test_many_who_are_asked_at_once_after_a_start_wait_for_no_connection(
    services: Services, client: httpx.AsyncClient, cara: Person
):
    """The first request reads the key of address hashes while the others have all connections of the pool."""
    news = await topic(cara, optIn="double")
    many = 2 * services.db.options.read_pool_size
    people = [await contact(cara, f"c{number}@example.com") for number in range(many)]
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(subscribe(cara, [person], [news]) for person in people))
    assert await states(cara) == ["pending"] * 20  # of a page


@pytest.mark.settings(limit_signups="1000/1")
async def test_a_flood_has_few_sign_ups_under_way(
    client: httpx.AsyncClient, cara: Person, monkeypatch: pytest.MonkeyPatch
):
    """One of each form, and two of each network."""
    news = await topic(cara, optIn="double")
    forms = [await form(cara, [news]) for _ in range(3)]
    under_way, most, of_form, read = Counter[str](), list[int](), list[int](), signups._sign_up

    async def counted(op: Any, form_id: Any, input: Any) -> Any:
        under_way[form_id] += 1
        most.append(under_way.total())
        of_form.append(under_way[form_id])
        await asyncio.sleep(0.01)
        page = await read(op, form_id, input)
        under_way[form_id] -= 1
        return page

    monkeypatch.setattr(signups, "_sign_up", counted)
    await asyncio.gather(*(sign_up(client, forms[n % 3], email=f"c{n}@example.com") for n in range(12)))
    assert (max(most), max(of_form)) == (signups.BOUNDS.slots_per_network, 1)


@pytest.mark.settings(limit_signups="1000/1")
async def test_who_signs_up_in_a_flood_is_told_to_try_again(client: httpx.AsyncClient, cara: Person):
    id = await form(cara, [await topic(cara, optIn="double")])
    answers = await asyncio.gather(
        *(client.post(f"/signup/{id}", data={"email": f"c{n}@example.com"}) for n in range(70))
    )
    refused = [answer for answer in answers if answer.status_code == 429]
    assert 0 < len(refused) <= 70 - signups.BOUNDS.per_user
    assert {answer.headers["retry-after"] for answer in refused} == {"5"}
