"""An account that may not write to strangers: WhatsApp says so once, and no stranger is tried after that."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from engine.messengers import restrictions
from tests.event_feed.test_event_feed import opened, read
from tests.support.messengers import call, ok
from tests.support.waits import until
from tests.whatsapp.exchange import Peer
from tests.whatsapp.hosted import Hosted

pytestmark = pytest.mark.servers
LOGIN = {"login": "ada", "source": "whatsapp"}


@pytest.fixture
def hosted(services, rig, tmp_path):
    return Hosted(services, rig, tmp_path)


def strangers(hosted, rig, count):
    return [Peer(rig.messenger, rig.phones[hosted.id]) for _ in range(count)]


async def write(ada, peer, **fields):
    answer = await call(ada, "sendMessage", **LOGIN, msg_to=peer.to, msg_text="hello", **fields)
    return answer["status"] if answer["status"] == "ok" else answer["error"]["code"]


async def at_work(ada):
    async def works():
        return (await ok(ada, "getInfo", **LOGIN))["accountState"] == "working"

    await until(works)


async def acquainted(hosted, rig):
    """A person who has written to the account."""
    peer = Peer(rig.messenger, rig.phones[hosted.id])
    peer.tell({"conversation": "hi"})

    async def came():
        return "hi" in await hosted.texts()

    await until(came)
    return peer


async def test_no_stranger_is_tried_once_the_lock_is_known_and_who_wrote_gets_answers(ada, hosted, rig):
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        friend = await acquainted(hosted, rig)
        start = await opened(ada)
        rig.messenger.locked = True
        cold = strangers(hosted, rig, 13)
        answers = [await write(ada, peer) for peer in cold]
        assert answers == ["new_chats_restricted"] * 13
        assert rig.messenger.tried == [cold[0].number]
        assert await write(ada, friend) == "ok"
        info = await ok(ada, "getInfo", **LOGIN)
        assert (info["accountState"], info["restriction"], info["restrictedUntil"]) == (
            "working",
            "reachOut",
            None,
        )
        assert "does not say until when" in info["restrictionReason"]
        [event] = [e for e in (await read(ada, start))["events"] if e["type"].startswith("messengerAccount.")]
        assert (event["type"], event["data"]["restriction"]) == ("messengerAccount.restricted", "reachOut")
    # It is known to the next worker, too.
    async with hosted.in_host():
        await until(lambda: hosted.id in hosted.host.runners and hosted.works)
        await at_work(ada)
        assert await write(ada, cold[1]) == "new_chats_restricted"
        assert await write(ada, friend) == "ok"
        assert rig.messenger.tried == [cold[0].number, friend.number, friend.number]


async def test_a_person_may_try_again_and_a_lock_that_is_gone_stays_gone(ada, hosted, rig):
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        rig.messenger.locked = True
        one, two, three = strangers(hosted, rig, 3)
        path = f"/messenger-accounts/{hosted.id}/lift-restriction"
        assert await write(ada, one) == "new_chats_restricted"
        answer = await ada.rest("POST", path)
        assert (answer.status_code, answer.json().get("restriction")) == (200, None), answer.text
        assert await write(ada, two) == "new_chats_restricted"
        assert await write(ada, three) == "new_chats_restricted"
        assert rig.messenger.tried == [one.number, two.number]
        rig.messenger.locked = False
        data = await ada.data(
            "mutation($id:ID!){liftMessengerRestriction(id:$id){restriction}}", {"id": str(hosted.id)}
        )
        assert data == {"liftMessengerRestriction": {"restriction": None}}
        for peer in (three, two, one):
            assert await write(ada, peer) == "ok"


async def test_of_many_at_once_only_those_in_flight_are_tried(ada, hosted, rig):
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        rig.messenger.locked = True
        await asyncio.gather(*(write(ada, peer) for peer in strangers(hosted, rig, 40)))
        assert len(rig.messenger.tried) <= 8


async def test_it_ends_at_the_time_that_the_messenger_has_named_and_at_no_other(ada, hosted, rig, services):
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        [peer, other] = strangers(hosted, rig, 2)

        async def named(until):
            async with services.db.transaction() as db:
                await restrictions.restrict(db, hosted.id, "six days", until)

        await named(datetime.now(UTC) + timedelta(days=6))
        answer = await call(ada, "sendMessage", **LOGIN, msg_to=peer.to, msg_text="x")
        assert answer["error"]["code"] == "new_chats_restricted"
        assert answer["error"]["details"]["until"].startswith(str(datetime.now(UTC).year))
        await restrictions.lift_ended(services)
        assert (await ok(ada, "getInfo", **LOGIN))["restriction"] == "reachOut"
        start = await opened(ada)
        await named(datetime.now(UTC) - timedelta(seconds=1))
        assert await write(ada, peer) == "ok"  # no round has to come first
        await restrictions.lift_ended(services)
        assert (await ok(ada, "getInfo", **LOGIN))["restriction"] is None
        events = [
            e["type"] for e in (await read(ada, start))["events"] if e["type"].startswith("messengerAccount.")
        ]
        assert events == ["messengerAccount.restricted", "messengerAccount.lifted"]
        assert await write(ada, other) == "ok"


async def test_a_refusal_for_an_acquaintance_says_nothing_about_strangers(ada, hosted, rig):
    """The code 463 also stands for a token that WhatsApp misses of one person."""
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        friend = await acquainted(hosted, rig)
        rig.messenger.troubles[friend.number] = "server returned error 463"
        assert await write(ada, friend) == "chat_restricted"
        assert (await ok(ada, "getInfo", **LOGIN))["restriction"] is None
        [peer] = strangers(hosted, rig, 1)
        assert await write(ada, peer) == "ok"
