"""Every operation that sends, or lets a worker send later, counts its recipients; the others have a reason."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine.messengers.host import hosting
from resolvers import trial
from runtime.operation import OPERATIONS
from runtime.permissions import Permission
from runtime.services import Services
from tests.chats.live import ADA, connect
from tests.consent.made import contact, topic
from tests.doors.matrix import MATRIX
from tests.doors.test_matrix import Doors, make_world
from tests.reach.limited import REFUSED, limited, phone
from tests.repeatable.schedules import Schedules
from tests.sending_projects.conftest import Projects
from tests.support.messengers import wrong
from tests.support.people import People, Person

SENDING = {Permission.messages_send, Permission.messengers_send, Permission.projects_send}
_STARTS = "it stops what would be sent"
_OWN = "it changes what the owner's own people see of a chat, and sends nothing"
DO_NOT_SEND = {
    "sending_projects.stop": _STARTS,
    "messages.cancel": _STARTS,
    "messages.reschedule": "its recipient was counted when it was scheduled",
    "sending_projects.stop_multiple": _STARTS,
    "repeatable.stop": _STARTS,
    "series.archive": _STARTS,
    "series.pause": _STARTS,
    "series.start": "a credential with such a limit starts none: tests/series/test_guards.py",
    "presence.typing": "it shows that somebody types, and has no text",
    "presence.recording": "it shows that somebody records, and has no text",
    "presence.reset": "it ends what the two above show",
    "inbox.read": "it sends a receipt of what was received",
    "inbox.close": _OWN,
    "inbox.reopen": _OWN,
    "chat_notes.create": _OWN,
    "chat_notes.delete": _OWN,
    "canned_answers.create": _OWN,
    "canned_answers.update": _OWN,
    "canned_answers.delete": _OWN,
    "chat_labels.create": _OWN,
    "chat_labels.update": _OWN,
    "chat_labels.delete": _OWN,
    "chat_labels.put": _OWN,
}
"""Operations that need one of these permissions and reach nobody."""

OF_OTHER_DOORS = {
    "submissions.submit": "mails by SMTP are counted as a batch: tests/submissions/test_door.py",
    "submissions.submit_single": "it takes no mail of a credential with such a limit",
}
"""Operations that send and are called by neither REST nor GraphQL."""

NOT_BY_A_CREDENTIAL = {
    "signups.": "a visitor signs up, and the message goes to the address that the visitor has typed",
    "self_service.": "a person asks for a link to the own address",
    "preferences.": "a person changes the own preferences",
    "events.": "a provider or an engine reports what has happened",
    "hooks.": "a provider or an engine reports what has happened",
}
"""Public operations, and why what they send is no credential's."""

World = dict[str, Any]
Call = Callable[[Person, World], Awaitable[tuple[int, str | None]]]


def _rest(method: str, path: str, body: Any = None) -> Call:
    """Returns a call whose path and body name rows of the world."""

    async def call(person: Person, world: World) -> tuple[int, str | None]:
        sent = body(world) if callable(body) else body
        answer = await person.rest(method, path.format(**world), json=sent)
        return answer.status_code, answer.json().get("code")

    return call


async def _several(person: Person, world: World) -> tuple[int, str | None]:
    body = {"uuids": [world["finished"]]}
    failed = (await person.rest("POST", "/sending-project/multiple/retry", json=body)).json()["failed"]
    return (409, failed[0]["code"]) if failed else (200, None)


async def _batch(person: Person, world: World) -> tuple[int, str | None]:
    body = {"messages": [{**_ANYBODY, "body": "hi"}]}
    (result,) = (await person.rest("POST", "/messages/batch", json=body)).json()["results"]
    return (409, result["error"]["code"]) if result["error"] else (202, None)


async def _chat(person: Person, world: World) -> tuple[int, str | None]:
    code, _ = await wrong(person, "sendMessage", ADA, msg_to=phone(0), msg_text="hi")
    return 409, code


_ANYBODY = {"to": phone(0), "channel": "sms"}
_RECIPIENTS = {"recipients": [{"phone": phone(5)}]}
_MAIL = {"host": "1.1.1.1", "from": "a@example.com", "user": "u", "password": "p"}
SENDS: dict[str, Call] = {
    "messages.send": _rest("POST", "/messages", {**_ANYBODY, "body": "hi"}),
    "message_batches.send": _batch,
    "verifications.start": _rest("POST", "/verifications", _ANYBODY),
    "trial.send": _rest("POST", "/test-sending", {**_ANYBODY, "text": "hi"}),
    "chats.send": _chat,
    "sending_projects.start": _rest("POST", "/sending-project/start/{draft}"),
    "sending_projects.retry": _rest("POST", "/sending-project/retry/{finished}", {}),
    "project_actions.retry_multiple": _several,
    "sending_projects.update": _rest("PATCH", "/sending-project/{scheduled}", {"text": "Other"}),
    "recipients.add": _rest("POST", "/recipient/{scheduled}", _RECIPIENTS),
    "repeatable.start": _rest("POST", "/repeatable-sending-project/{stopped}/start"),
    "repeatable.update": _rest("PATCH", "/repeatable-sending-project/{active}", {"name": "Other"}),
    "topic_subscriptions.subscribe": _rest(
        "POST",
        "/topic-subscriptions",
        lambda world: {
            "contactUuids": [world["contact"]],
            "topicUuids": [world["topic"]],
            "channel": "email",
        },
    ),
    "providers.test": _rest(
        "POST",
        "/system/providers/test",
        {"channel": "email", "provider": "mail-server", "values": _MAIL, "to": "a@example.com"},
    ),
}
"""Operations that send, each with a call that needs no more than an approval."""

BY_OTHER_PERMISSIONS = {
    "verifications.start": "a code is sent as a message",
    "sending_projects.update": "a scheduled project starts by itself",
    "recipients.add": "a scheduled project starts by itself",
    "repeatable.update": "an active one fires by itself",
    "topic_subscriptions.subscribe": "contacts are asked to confirm",
    "providers.test": "a provider is tried with one message",
}


@pytest.fixture
async def world(
    services: Services, ada: Person, projects: Projects, monkeypatch: pytest.MonkeyPatch
) -> World:
    monkeypatch.setattr(trial, "WAIT", 0.1)
    schedules = Schedules(services)
    draft = await projects.make(ada, recipients=2)
    later = (datetime.now(UTC) + timedelta(days=9)).isoformat()
    scheduled = await projects.make(ada, recipients=2, startAt=later)
    assert (await ada.rest("POST", f"/sending-project/start/{scheduled}")).status_code == 200
    finished = await projects.make(ada, recipients=1, status="finished")
    await projects.messages(finished, "failed")
    return {
        "draft": draft,
        "scheduled": scheduled,
        "finished": finished,
        "active": await schedules.make(ada),
        "stopped": await schedules.make(ada, start=False),
        "contact": await contact(ada),
        "topic": await topic(ada, optIn="double"),
    }


def test_each_operation_is_counted_or_has_a_reason():
    sending = {
        name for name, entry in OPERATIONS.items() if entry.permission in SENDING and entry.mode != "read"
    }
    assert sending - SENDS.keys() == DO_NOT_SEND.keys() | OF_OTHER_DOORS.keys()
    assert SENDS.keys() - sending == BY_OTHER_PERMISSIONS.keys()
    assert SENDS.keys() <= OPERATIONS.keys()


@pytest.mark.settings(sandbox_moment=0.02, public_url="https://post.example.com")
@pytest.mark.parametrize("operation", SENDS)
async def test_it_is_refused_without_an_approval(
    operation: str, services: Services, ada: Person, admin: Person, world: World
):
    owner = admin if operation == "providers.test" else ada
    token, _ = await limited(owner, 0)
    if operation == "chats.send":
        async with hosting(services):
            await connect(services, ada, ADA)
            assert await SENDS[operation](token, world) == REFUSED
            assert not await services.db.fetchval("SELECT count(*) FROM messenger_messages")
        return
    assert await SENDS[operation](token, world) == REFUSED
    if operation != "providers.test":  # it would call the provider
        assert (await SENDS[operation](owner, world))[1] != REFUSED[1]


@pytest.mark.rotating
@pytest.mark.settings(sandbox_moment=0.05, qr_attempts=1000)
async def test_no_operation_at_all_sends_for_a_credential_that_may_reach_nobody(
    services: Services, people: People, admin: Person, monkeypatch: pytest.MonkeyPatch, subtests: Any
):
    world = await make_world(people, admin)
    token, _ = await limited(world.ada, 0)
    async with hosting(services):
        for name, case in MATRIX.items():
            if OPERATIONS[name].mode == "read" or name.startswith(tuple(NOT_BY_A_CREDENTIAL)):
                continue
            with subtests.test(name):
                before = await _sent(services)
                doors = Doors(people.client, case, world.rows, token.token)
                await doors.rest()
                await doors.graphql()
                added = [now - then for now, then in zip(await _sent(services), before, strict=True)]
                assert not any(added), name


async def _sent(services: Services) -> list[set[Any]]:
    """Returns the messages that there are, and what sends without a further start."""
    queries = (
        "SELECT id FROM messages",
        "SELECT id FROM messenger_messages WHERE outgoing",
        "SELECT id FROM sending_projects WHERE status IN ('scheduled', 'running', 'paused')",
        "SELECT id FROM repeatable_projects WHERE status = 'active' AND deleted_at IS NULL",
    )
    return [{row["id"] for row in await services.db.fetch(query)} for query in queries]
