"""The page of event sinks, with a real server of NATS."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal

from tests.console.dialogs import Scene
from tests.console.looks import LONG, Look, Looks, Sizes, every_look
from tests.console.sink_dialogs import OF_SINKS
from tests.console.steps import Tab
from tests.console.test_dialogs import Stage
from tests.console.test_dialogs import every_look as every_look_at_dialogs
from tests.console.test_members import _acts, join
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.nats import Brokers, running
from tests.support.people import Person
from tests.support.ports import free_port

pytestmark = pytest.mark.rotating

_BLOCK = "mutation($phone: String!) { blockPhone(phone: $phone) { uuid } }"
_CREATE = "mutation($i: NewEventSink!) { createEventSink(input: $i) { uuid } }"
_OFF = "mutation($id: ID!) { updateEventSink(id: $id, input: { enabled: false }) { uuid } }"
_SINKS = "{ eventSinks { nodes { name url stream replicas types enabled ownerId } } }"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brokers]:
    """A server of NATS, looked after by a thread of its own."""
    folder: Path = tmp_path_factory.mktemp("nats")
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(running(folder)) as made:
        yield made


def new_sink(live: Live, user: Person, broker: Brokers, name: str, **more: Any) -> str:
    """Makes a sink by the API. Returns its id."""
    body = {"name": name, "url": broker.url, "stream": f"S{user.id.hex}", "replicas": 1, **more}
    body["subject"] = f"{body['stream']}.{{type}}"
    return str(call(live, user, _CREATE, i=body)["createEventSink"]["uuid"])


def _choose(page: Tab, name: str, item: str) -> None:
    """Chooses an action of a sink in its menu."""
    page.press(f"Actions for {name}")
    page.sees_element("[role=menu]")
    page.press(item)


def test_a_sink_is_made_tested_changed_and_deleted(page: Tab, live: Live, broker: Brokers) -> None:
    user = new_user(live)
    page.comes_as(user, "/console/event-sinks")
    page.sees("There is no event sink yet.")
    page.press("New event sink")
    page.fill("Name", "Warehouse")
    page.fill("Address", f"nats://127.0.0.1:{free_port()}")
    page.press("Test and create")
    page.sees("refuses connections")  # the dialog stays, with what is wrong
    page.fill("Address", broker.url)
    page.press("Test and create")
    page.sees("replicas")
    page.fill("Replicas of the stream", "9")
    page.press("Test and create")
    page.sees("Write a whole number from 1 to 5.")
    page.fill("Replicas of the stream", "1")
    page.press("Test and create")
    page.sees("The sink is made. It publishes what happens from now on.")
    page.sees("Nothing published yet")
    (sink,) = call(live, user, _SINKS)["eventSinks"]["nodes"]
    assert (sink["url"], sink["stream"], sink["replicas"]) == (broker.url, "POSTERN", 1)

    _choose(page, "Warehouse", "Publish a test event")
    page.sees("The broker has stored it as number")
    page.sees(f"Subject: postern.{user.id}.sink.test")
    page.press("Close")
    call(live, user, _BLOCK, phone="+14155550171")
    page.sees("Working")
    page.sees("The broker has stored an event at")
    page.picture("event-sinks")

    _choose(page, "Warehouse", "Publish events again…")
    page.sees("What the feed still has is published again")
    page.press("Publish again")
    page.sees("1 event is looked at again.")

    _choose(page, "Warehouse", "Edit")
    page.fill("Name", "Lake")
    page.press("Save")
    page.sees("The sink is changed.")
    (sink,) = call(live, user, _SINKS)["eventSinks"]["nodes"]
    assert (sink["name"], sink["url"]) == ("Lake", broker.url)

    _choose(page, "Lake", "Disable")
    page.sees("Disable Lake?")
    page.press("Disable")
    page.sees("Lake is disabled.")
    page.sees("It was disabled. New events wait in the feed until you enable it.")
    _choose(page, "Lake", "Enable")
    page.sees("Lake is tried at once.")
    _choose(page, "Lake", "Delete")
    page.press("Delete")
    page.sees("Lake is deleted.")
    assert call(live, user, _SINKS)["eventSinks"]["nodes"] == []


def test_an_administrator_sees_whose_sink_it_is(page: Tab, live: Live, broker: Brokers) -> None:
    user = new_user(live)
    new_sink(live, user, broker, "Of a user")
    page.comes_as(live.admin, "/console/event-sinks")
    page.sees("Of a user")
    page.sees(user.email)
    page.press("New event sink")
    page.sees("Events of all users")


def test_who_may_only_look_is_offered_no_act(page: Tab, live: Live, broker: Brokers) -> None:
    owner, member = new_user(live), new_user(live)
    new_sink(live, owner, broker, "Warehouse")
    join(live, owner, member, "viewer", permissions=["events:read"])
    page.comes_as(owner, "/console/event-sinks")
    page.sees("Warehouse")
    assert page.has("New event sink") and page.has("Actions for Warehouse")
    _acts(page, live, owner, member, "/console/event-sinks")
    page.sees("Warehouse")
    assert not page.has("New event sink") and not page.has("Actions for Warehouse")
    page.open("/console/event-sinks?add=1")
    page.sees("Warehouse")
    assert not page.has("Test and create")


PAGES: Looks = [
    ("event-sinks", "/console/event-sinks", None, "main table td"),
    ("event-sink-new", "/console/event-sinks?add=1", None, "[role=dialog] input"),
]


@pytest.fixture(scope="module")
def user(live: Live, broker: Brokers) -> Person:
    """A user with a sink that works, one with long words, and one that is switched off."""
    user = new_user(live)
    new_sink(live, user, broker, "Warehouse", types=["message.delivered", "message.failed", "block.added"])
    new_sink(live, user, broker, LONG[:100])
    call(live, user, _OFF, id=new_sink(live, user, broker, "Archive"))
    call(live, user, _BLOCK, phone="+14155550172")
    return user


@every_look
def test_pages(page: Tab, live: Live, user: Person, language: str, sizes: Sizes) -> None:
    Look(page, language, sizes).at_all(user, PAGES, {})


@every_look_at_dialogs
def test_dialogs(page: Tab, user: Person, language: str, sizes: Sizes) -> None:
    stage = Stage(page, language, sizes)
    page.has_login_of(user)
    stage.shows_all(Scene(user, {}), OF_SINKS)
