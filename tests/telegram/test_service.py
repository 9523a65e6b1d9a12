"""The driver in the service: what the history, webhooks and callers see of what happens at Telegram."""

import base64
from typing import Any

import pytest

from engine.messengers import call_client
from shapes.messenger_accounts import MessengerDriver
from tests.support import hosts
from tests.support.messengers import ok, wrong
from tests.support.waits import until

pytestmark = pytest.mark.settings(limit_messenger_messages="100000/60")

LOGIN = "14155550100"
PICTURES = [b"\xff\xd8\xff one", b"\xff\xd8\xff two"]


class Service:
    """A user's account at the server of the tests, and what its webhooks are told."""

    def __init__(self, services: Any, user: Any, webhook_events: list[Any], id: Any) -> None:
        self.services, self.user, self.told, self.id = services, user, webhook_events, id

    async def history(self, to: str = "@bobby") -> list[dict[str, Any]]:
        return list((await ok(self.user, "getChatMessages", LOGIN, to=to))["messages"])

    def kinds(self) -> list[str]:
        return [each.type for each in self.told]

    async def again(self) -> None:
        """Stopped and started: the driver remembers nothing."""
        await hosts.want(self.services, self.id, False)
        await hosts.becomes(self.services, self.id, "stopped")
        await hosts.want(self.services, self.id, True)
        await hosts.becomes(self.services, self.id, "working")


@pytest.fixture
async def service(services, people, driver, ada, bob, monkeypatch):
    webhook_events: list[Any] = []

    async def put(db: Any, account_id: Any, events: list[Any]) -> None:
        webhook_events.extend(each for each in events if each.type != "state")

    monkeypatch.setattr("engine.webhooks.outbox.put", put)
    user = await people.make()
    async with hosts.hosting(services) as host:
        host.drivers._drivers[MessengerDriver.telegram] = driver
        id = await hosts.account(services, user.id, LOGIN, driver="telegram", phone=LOGIN)
        await hosts.becomes(services, id, "waitCode")
        await call_client.ask(services, id, "code", {"code": "12345"})
        await hosts.becomes(services, id, "working")
        yield Service(services, user, webhook_events, id)


def content(*pictures: bytes) -> list[dict[str, str]]:
    return [
        {"type": "image", "src": f"data:image/jpeg;base64,{base64.b64encode(each).decode()}"}
        for each in pictures
    ]


@pytest.mark.parametrize("text", ["look", "long" * 400], ids=["caption", "text before"])
async def test_a_message_of_several_parts_is_one_in_history_and_webhooks(telegram, service, bob, text):
    """It is several messages at Telegram. This holds also after a restart, and where Telegram's own history is
    asked.
    """
    answer = await ok(
        service.user, "sendMessage", LOGIN, msg={"to": "@bobby", "text": text, "content": content(*PICTURES)}
    )
    item = answer["results"][0]["result"]["item"]
    parts = 2 if text == "look" else 3
    assert len(bob.box) == parts
    telegram.world.write(bob, telegram.world.by_phone(LOGIN), "thanks")
    await until(lambda: "thanks" in [each.body["text"] for each in service.told])
    for _ in range(2):
        requests = telegram.count("GetHistory")
        mine, theirs = await service.history()
        assert (mine["item"], mine["text"], len(mine["content"])) == (item, text, 2)
        assert theirs["text"] == "thanks"
        first = min(telegram.world.twins[bob.id, each][1] for each in list(bob.box)[:parts])
        query = "SELECT provider_id FROM messenger_messages WHERE id = $1"
        assert await service.services.db.fetchval(query, item) == str(first)
        assert [each.body["item"] for each in service.told if each.type == "message"] == [
            item,
            theirs["item"],
        ]
        await service.again()
        await call_client.ask(
            service.services, service.id, "history", {"thread": mine["thread"], "limit": 50, "before": None}
        )
        assert telegram.count("GetHistory") > requests


async def test_what_is_said_about_a_later_part_is_about_the_message(telegram, service, bob):
    answer = await ok(
        service.user,
        "sendMessage",
        LOGIN,
        msg={"to": "@bobby", "text": "look", "content": content(*PICTURES)},
    )
    item = answer["results"][0]["result"]["item"]
    await service.again()
    del service.told[:]
    last = list(bob.box)[-1]
    telegram.world.react(bob, last, "👍")
    telegram.world.read(bob, telegram.world.by_phone(LOGIN))
    telegram.world.write(bob, telegram.world.by_phone(LOGIN), "this one", reply_to=last)
    await until(lambda: len(service.told) == 3)
    assert sorted((each.type, each.body["replyTo"]) for each in service.told) == [
        ("add_message_reaction", item),
        ("message", item),
        ("message_status", None),
    ]
    mine, theirs = await service.history()
    assert (mine["status"], [each["emoji"] for each in mine["reactions"]]) == ("has_seen", ["👍"])
    assert theirs["replyTo"] == item


async def test_parts_that_came_without_their_item_are_found_by_asking_again(telegram, driver, service, bob):
    """The second part got no answer, and the driver that knew of it is gone."""
    message = {
        "to": "@bobby", "text": "long" * 400, "content": content(PICTURES[0]), "idempotencyKey": "k1",
    }  # fmt: skip
    telegram.trouble("SendMedia", silent=True)
    driver.request_timeout = 0.5
    code, _ = await wrong(service.user, "sendMessage", LOGIN, msg=message)
    driver.request_timeout = 20.0
    assert (code, len(bob.box)) == ("uncertain", 2)
    await service.again()
    arguments = {"thread": str(bob.id), "limit": 50, "before": None}
    await call_client.ask(service.services, service.id, "history", arguments)
    ids = "SELECT count(*) FROM messenger_messages WHERE provider_id IS NOT NULL"
    assert await service.services.db.fetchval(ids) == 2  # as if another device had written them
    answer = await ok(service.user, "sendMessage", LOGIN, msg=message)
    (only,) = await service.history()
    assert only["item"] == answer["results"][0]["result"]["item"]
    assert (only["text"], len(only["content"]), len(bob.box)) == ("long" * 400, 1, 2)


@pytest.mark.parametrize("away", [False, True], ids=["live", "while away"])
async def test_a_message_that_was_deleted_is_told_and_leaves_a_tombstone(telegram, service, bob, away):
    me = telegram.world.by_phone(LOGIN)
    picture = telegram.world.store(b"\xff\xd8\xff", photo=True)
    first = telegram.world.write(bob, me, "a secret", media=picture)
    telegram.world.write(bob, me, "stays")
    await until(lambda: len(service.told) == 2)
    answer = await ok(service.user, "sendMessage", LOGIN, msg_to="@bobby", msg_text="mine")
    mine = answer["results"][0]["result"]["item"]
    await until(lambda: len(service.told) == 4)
    (secret, _, _) = before = await service.history()
    assert [each["deletedAt"] for each in before] == [None, None, None]
    del service.told[:]
    if away:
        await hosts.want(service.services, service.id, False)
        await hosts.becomes(service.services, service.id, "stopped")
    telegram.world.delete(bob, first.id, list(bob.box)[-1])
    if away:
        await hosts.want(service.services, service.id, True)
    await until(lambda: len(service.told) == 2)
    assert sorted(each.body["item"] for each in service.told) == sorted([secret["item"], mine])
    assert {(each.type, each.body["text"], each.body["thread"]) for each in service.told} == {
        ("message_deleted", "", str(bob.id))
    }
    gone, stays, own = await service.history()
    assert (gone["item"], gone["text"], gone["content"]) == (secret["item"], "", [])
    assert gone["deletedAt"] and own["deletedAt"] and not stays["deletedAt"]
    assert (stays["text"], own["item"], own["text"]) == ("stays", mine, "")
