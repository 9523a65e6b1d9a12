"""Random histories of consent, held against a model, and a project that must reach exactly whom the model names.

`EXAMPLES=10000` makes so many histories; a usual run makes two hundred.
"""

import os
import random

import httpx
import pytest

from channels.sandbox import box
from core.rate_limits import Limit
from engine.consent import expiry
from resolvers import preferences as preference_pages
from resolvers import signups
from runtime.services import Services
from tests.consent.histories import Histories, Model
from tests.consent.test_audience import project, start
from tests.support.people import People
from tests.support.projects import Projects

HISTORIES = int(os.environ.get("EXAMPLES", "200"))
STEPS = 6
ROUND = 100  # contacts whose histories are compared with one project


_STATES = "SELECT contact_id, topic_id, state FROM topic_subscriptions"
_LAST = """
SELECT DISTINCT ON (contact_id, topic_id) contact_id, topic_id, action FROM consent_entries
ORDER BY contact_id, topic_id, created_at DESC, id DESC
"""
_ENDS = {"active": {"confirmed", "recorded"}, "pending": {"asked"}, "withdrawn": {"withdrawn", "expired"}}


@pytest.mark.settings(
    limit_signups="100000/1", limit_signup_address="100000/1", limit_signup_owner="100000/1"
)
async def test_histories_end_as_the_model_says_and_nobody_else_is_written_to(
    services: Services,
    client: httpx.AsyncClient,
    projects: Projects,
    people: People,
    monkeypatch: pytest.MonkeyPatch,
):
    for module in (signups, preference_pages):
        monkeypatch.setattr(module, "PAGES", Limit("signup-pages", 1_000_000, 1.0))
    seed = int(os.environ.get("HISTORIES_SEED", "7"))
    chance = random.Random(seed)
    for first in range(0, HISTORIES, ROUND):
        ada = await people.make(credit="1000")
        histories = await Histories.make(ada, client, services)
        topics = histories.topics
        models = {uuid: Model() for uuid in await histories.contacts(ROUND)}
        for number, (uuid, model) in enumerate(models.items()):
            for _ in range(STEPS):
                await histories.step(chance, number, uuid, model)
        await compare(services, models)
        if first % (3 * ROUND) == 0:  # nobody answers any more
            await services.db.fetch("UPDATE opt_ins SET created_at = created_at - interval '8 days'")
            while await services.db.fetchval("SELECT EXISTS (SELECT FROM opt_ins)"):
                await expiry.forget(services)
            for model in models.values():
                for each, state in [*model.states.items()]:
                    if state == "pending":
                        model.states[each] = "withdrawn"
                        if each not in model.withdrawn:
                            del model.states[each]
            await compare(services, models)
        box().outbox.clear()
        reached = {uuid for uuid, model in models.items() if "active" in model.states.values()}
        if reached:
            run = await project(ada, topics)
            await start(ada, run)
            await projects.work()
            sent = {accepted.message.to for accepted in box().outbox if accepted.message.headers}
            assert sent == {f"c{n}@example.com" for n, uuid in enumerate(models) if uuid in reached}, seed
        await services.db.fetch("DELETE FROM topic_subscriptions")


async def compare(services: Services, models: dict[str, Model]) -> None:
    """Holds the subscriptions against the model, and the last entry of each against its state."""
    rows = await services.db.fetch(_STATES)
    stored = {(str(row["contact_id"]), str(row["topic_id"])): row["state"] for row in rows}
    expected = {(uuid, each): state for uuid, model in models.items() for each, state in model.states.items()}
    assert stored == expected
    last = {
        (str(row["contact_id"]), str(row["topic_id"])): row["action"]
        for row in await services.db.fetch(_LAST)
    }
    for key, state in stored.items():
        assert last[key] in _ENDS[state], (key, state, last[key])
