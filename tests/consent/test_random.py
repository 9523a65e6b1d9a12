"""Random histories of consent, held against a model, and a project that must reach exactly whom the model names.

`EXAMPLES=10000` makes so many histories; a usual run makes two hundred.
"""

import os
import random
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx
import pytest

from channels.sandbox import box
from core.rate_limits import Limit
from engine import unsubscribe
from engine.consent import expiry, opt_ins
from resolvers import preferences as preference_pages
from resolvers import signups
from runtime.services import Services
from tests.consent.made import subscribe, topic, withdraw
from tests.consent.test_audience import project, start
from tests.consent.test_signups import form, preferences
from tests.support.people import People
from tests.support.projects import Projects

HISTORIES = int(os.environ.get("EXAMPLES", "200"))
STEPS = 6
ROUND = 100  # contacts whose histories are compared with one project


@dataclass
class Model:
    """The wishes of one contact as they must be: the state of each topic, and which withdrawals stand."""

    states: dict[str, str] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    asked: list[tuple[str, list[str]]] = field(
        default_factory=list
    )  # tokens, and the topics that they are about

    def subscribe(self, topics: list[str], double: set[str], *, evidence: bool) -> None:
        for each in topics:
            if each in self.withdrawn and not evidence:
                continue
            if each in double and not evidence:
                if self.states.get(each) != "active":
                    self.states[each] = "pending"
            else:
                self.activate(each)

    def activate(self, each: str) -> None:
        self.states[each] = "active"
        self.withdrawn.discard(each)

    def withdraw(self, topics: list[str]) -> None:
        for each in topics:
            self.states[each] = "withdrawn"
            self.withdrawn.add(each)

    def sign_up(self, topics: list[str], double: set[str]) -> list[str]:
        """Returns the topics that the person is asked about."""
        asked = []
        for each in topics:
            if self.states.get(each) == "active":
                continue
            if each in double or each in self.withdrawn:
                self.states[each] = "pending"
                asked.append(each)
            else:
                self.activate(each)
        return asked


_STATES = "SELECT contact_id, topic_id, state FROM topic_subscriptions"
_LAST = """
SELECT DISTINCT ON (contact_id, topic_id) contact_id, topic_id, action FROM consent_entries
ORDER BY contact_id, topic_id, created_at DESC, id DESC
"""
_ASKED = "SELECT id FROM opt_ins WHERE contact_id = $1 ORDER BY id DESC LIMIT 1"
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
    seed = int(os.environ.get("SEED", "7"))
    chance = random.Random(seed)
    for first in range(0, HISTORIES, ROUND):
        ada = await people.make(credit="1000")
        news, offers = await topic(ada, optIn="double"), await topic(ada, "offers")
        topics, double = [news, offers], {news}
        keys = {news: "news", offers: "offers"}
        page = await form(ada, topics)
        contacts = [
            {"addresses": [{"channel": "email", "address": f"c{n}@example.com"}]} for n in range(ROUND)
        ]
        answer = (await ada.rest("POST", "/contacts/bulk", json={"contacts": contacts})).json()
        models = {uuid: Model() for uuid in answer["uuids"]}
        for number, (uuid, model) in enumerate(models.items()):
            for _ in range(STEPS):
                some = chance.sample(topics, chance.randint(1, 2))
                match chance.randrange(7):
                    case 0 | 1:
                        evidence = chance.random() < 0.3
                        more: dict[str, Any] = {"evidence": "form"} if evidence else {}
                        pending = [
                            each for each in some if each in double and model.states.get(each) != "pending"
                        ]
                        answer = await subscribe(ada, [uuid], some, **more)
                        model.subscribe(some, double, evidence=evidence)
                        if answer["pending"]:
                            model.asked.append((await token_of(services, uuid), pending))
                    case 2:
                        await withdraw(ada, [uuid], some, channel="email")
                        model.withdraw(some)
                    case 3:
                        data = {"email": f"c{number}@example.com", "topic": [keys[each] for each in some]}
                        assert (await client.post(f"/signup/{page}", data=data)).status_code == 200
                        if asked := model.sign_up(some, double):
                            model.asked.append((await token_of(services, uuid), asked))
                    case 4 if model.asked:
                        token, asked = model.asked.pop()
                        assert (await client.get(f"/opt-in/{token}")).status_code == 200  # by a scanner
                        assert (await client.post(f"/opt-in/{token}")).status_code == 200
                        for each in asked:
                            if model.states.get(each) == "pending":
                                model.activate(each)
                    case 5:
                        path = await preferences(services, uuid)
                        chosen = chance.sample(topics, chance.randint(0, 2))
                        boxes = [f"{each}:email" for each in chosen]
                        assert (
                            await client.post(
                                path, data={"topic": boxes, "shown": [f"{each}:email" for each in topics]}
                            )
                        ).status_code == 200
                        model.withdraw(
                            [
                                t
                                for t in topics
                                if t not in chosen and model.states.get(t) in ("active", "pending")
                            ]
                        )
                        for each in chosen:
                            model.activate(each)
                    case _:
                        continue
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


async def token_of(services: Services, contact: str) -> str:
    """Returns the token of the newest message that asked a contact."""
    id = await services.db.fetchval(_ASKED, UUID(contact))
    return unsubscribe.token(services.key(opt_ins.KEY), id)


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
