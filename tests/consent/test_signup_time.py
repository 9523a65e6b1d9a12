"""The time of a sign-up's answer tells nothing of the address."""

import time

import httpx
import pytest

from resolvers import signups
from tests.consent.made import contact, subscribe, topic
from tests.consent.test_signups import cara, form, sign_up
from tests.support.people import Person

__all__ = ["cara"]


@pytest.mark.settings(limit_signups="1000/1", limit_signup_owner="1000/1", limit_signup_address="1000/1")
async def test_the_time_of_an_answer_does_not_tell_who_is_subscribed(
    client: httpx.AsyncClient, cara: Person, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(signups, "ANSWER_SECONDS", 0.25)
    news = await topic(cara, optIn="double")
    id, known = await form(cara, [news]), [f"known{number}@example.com" for number in range(12)]
    await subscribe(cara, [await contact(cara, email) for email in known], [news])
    times: dict[bool, list[float]] = {True: [], False: []}
    for number in range(24):
        is_known = number % 2 == 0
        begun = time.monotonic()
        await sign_up(client, id, email=known[number // 2] if is_known else f"new{number}@example.com")
        times[is_known].append(time.monotonic() - begun)
    assert min(*times[True], *times[False]) >= 0.25
    pairs = [(subscribed, new) for subscribed in times[True] for new in times[False]]
    told = sum(subscribed < new for subscribed, new in pairs) / len(
        pairs
    )  # 1 or 0: the time tells it; 0.5: nothing
    assert 0.1 < told < 0.9
