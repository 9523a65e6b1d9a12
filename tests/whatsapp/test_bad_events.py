"""Events that can't be parsed or stored: each is dropped alone, and the account goes on with the others."""

import orjson
import pytest

from messengers.port import Message
from messengers.whatsapp.folder import CACHE
from messengers.whatsapp.journal import lasting_events, put_first
from messengers.whatsapp.leftovers import LEFT
from shapes.messenger_accounts import AccountState
from tests.messengers.rigs.whatsapp import WhatsAppRig
from tests.support.waits import until
from tests.whatsapp.conftest import Make, One
from tests.whatsapp.exchange import Peer
from tests.whatsapp.hosted import Hosted

pytestmark = pytest.mark.servers

S = AccountState
BAD_IDS = {"empty": "", "too long": "A" * 1025, "with NUL": "A\0B"}


def _of_bad_ids(id):
    """Returns what a person sends about a message with this id."""
    key = {"ID": id}
    return [
        {"protocolMessage": {"key": key, "type": 0}},
        {"protocolMessage": {"key": key, "editedMessage": {"conversation": "an edit"}}},
        {"reactionMessage": {"key": key, "text": "👍"}},
    ]


def _journaled(live: One) -> list[bytes]:
    return lasting_events(live.folder / CACHE)


async def test_a_message_with_an_id_that_is_none_ends_no_account(services, ada, rig, tmp_path):
    hosted = Hosted(services, rig, tmp_path)
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        connection = hosted.live.connection
        pid = connection._child.process.pid
        peer = Peer(rig.messenger, rig.phones[hosted.id])
        for id in BAD_IDS.values():
            for message in _of_bad_ids(id):
                peer.tell(message)
            peer.receipt([id], 4)
            peer.tell({"conversation": "an id of its own"}, ID=id)
        peer.tell({"reactionMessage": {"key": {"ID": "A"}, "text": "👍" * 1025}})
        peer.tell({"contactMessage": {"displayName": "Ада", "vcard": "я" * 60_000}})
        peer.tell({"conversation": "good"})

        async def good() -> bool:
            return "good" in await hosted.texts()

        await until(good)
        assert await hosted.texts() == ["", "good"]  # the contact has no text
        assert hosted.live.connection is connection
        assert connection._child.process.pid == pid
        await until(lambda: not lasting_events(connection._folder.path / CACHE))


def _bad_rows():
    """Returns events that an earlier release has journaled."""
    message = {
        "t": "message", "id": "A", "thread": "1@s.whatsapp.net", "outgoing": False, "at": 1, "kind": "user",
        "text": "bad", "content": [], "reply_to": None, "name": None, "sender": "+14155550100",
    }  # fmt: skip
    deletion = {"t": "deletion", "thread": "1@s.whatsapp.net", "outgoing": False, "sender": None}
    for id in BAD_IDS.values():
        yield message | {"id": id}
        yield deletion | {"id": id}
    yield message | {"content": [7]}
    yield message | {"kind": "nonsense"}
    yield {"t": "message"}
    yield {"t": "receipt", "thread": "A", "ids": ["A"], "status": "nonsense", "at": 1}
    yield {"t": "a kind of a later release"}


async def test_a_journal_with_events_that_are_malformed_goes_on_behind_them(services, ada, rig, tmp_path):
    hosted = Hosted(services, rig, tmp_path)
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        await hosted.off()
        left = rig.driver._process_folder.path / f"{hosted.id}-left"
        left.mkdir()
        put_first(left / LEFT, [orjson.dumps(row) for row in _bad_rows()])
        await hosted.on()
        connection = hosted.live.connection
        pid = connection._child.process.pid
        Peer(rig.messenger, rig.phones[hosted.id]).tell({"conversation": "good"})
        await until(hosted.texts)
        assert await hosted.texts() == ["good"]
        assert hosted.live.connection is connection
        assert connection._child.process.pid == pid
        await until(lambda: not lasting_events(connection._folder.path / CACHE))


def _refusing(live: One, error: type[Exception]) -> None:
    """Lets the host refuse the text "bad"."""
    apply_events = live.told.apply_events

    async def refuse(events: list[Message], *more: object) -> None:
        if any(event.text == "bad" for event in events):
            raise error
        await apply_events(events, *more)  # type: ignore[arg-type]

    live.told.apply_events = refuse  # type: ignore[assignment,method-assign]


@pytest.fixture
async def refused(rig: WhatsAppRig, new_account: Make):
    """Returns a function that sends three texts, of which the host refuses the second with an error."""
    live = await new_account()
    peer = Peer(rig.messenger, rig.phones[live.account.id])

    async def send(error: type[Exception]) -> One:
        _refusing(live, error)
        for text in ("first", "bad", "last"):
            peer.tell({"conversation": text})
        return live

    return send


@pytest.mark.parametrize("error", [TypeError, KeyError, OverflowError])
async def test_an_event_that_the_host_can_never_store_is_dropped_alone(refused, error: type[Exception]):
    live = await refused(error)
    pid = live.pid
    await until(lambda: [message.text for message in live.told.came()] == ["first", "last"])
    assert live.pid == pid
    await until(lambda: not _journaled(live))


async def test_an_event_that_may_be_stored_later_is_not_dropped(refused):
    live = await refused(ConnectionError)
    await until(lambda: live.told.state is S.failed)
    texts = [orjson.loads(event)["text"] for event in _journaled(live)]
    assert texts[-2:] == ["bad", "last"]
    assert "bad" not in [message.text for message in live.told.came()]


async def test_a_member_of_a_group_edits_no_message_of_another(services, ada, rig, tmp_path):
    rig.messenger.groups["120363@g.us"] = "Friends"
    hosted = Hosted(services, rig, tmp_path)
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        anna, bob = (Peer(rig.messenger, rig.phones[hosted.id], group="120363@g.us") for _ in range(2))

        def edit(by, id, text):
            by.tell(
                {"protocolMessage": {"key": {"ID": id}, "editedMessage": {"conversation": text}}}, edit=True
            )

        first = anna.tell({"conversation": "Anna's"})
        edit(bob, first, "forged")
        second = anna.tell({"conversation": "Anna's second"})
        await until(lambda: _are_stored(hosted, 2))
        assert await hosted.texts() == ["Anna's", "Anna's second"]
        edit(anna, second, "Anna's edit")
        edit(bob, second, "forged")
        anna.tell({"conversation": "the last"})
        await until(lambda: _are_stored(hosted, 3))
        assert await hosted.texts() == ["Anna's", "Anna's edit", "the last"]


async def _are_stored(hosted, count):
    return len(await hosted.texts()) == count
