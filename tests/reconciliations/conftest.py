"""Holds what these tests share: projects that were worked to their end, and their files."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

import engine.projects
import engine.reconciliations.making  # noqa: F401  registers the job
from channels.port import Outcome, Outgoing, Result
from engine.worker import receive_events
from runtime.services import Services
from tests.support.fake_channels import Fake, use
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.reconciled import Files, files_of, verified

WORDS = ("sent", "delivered", "refused", "unknown")


@pytest.fixture
async def projects(services: Services) -> AsyncIterator[Projects]:
    async def sink(channel: Any, events: Any) -> None:
        await receive_events(services, channel, events)

    await services.routes.open(sink)
    yield Projects(services)
    await services.routes.close()


def by_name(message: Outgoing) -> Outcome:
    """`sent.3@example.com` is sent, and so on; of a phone the last digit says it."""
    by_digit = {"7": "delivered", "8": "unknown", "9": "refused"}
    word = message.to.partition(".")[0] if "@" in message.to else by_digit.get(message.to[-1], "sent")
    return Outcome(Result(word), f"n{message.id}", code="x")


def all_words(each: int) -> list[str]:
    return [f"{word}.{n}@example.com" for word in WORDS for n in range(each)]


async def finished(projects: Projects, person: Person, recipients: list[Any], **fields: Any) -> UUID:
    """A project that has been sent to its end, and is reconciled."""
    use(projects.services, Fake(by_name), kind=fields.get("channel", "email"))
    project = await projects.make(person, recipients, **{"retry": {"maxAttempts": 1}, **fields})
    await ended(projects, project)
    return project


async def ended(projects: Projects, project: UUID) -> None:
    for _ in range(50):
        await projects.work()
        if (await projects.row(project))["status"] == "finished":
            break
        await projects.hurry()
    else:
        raise AssertionError("it does not end")
    await projects.work()


async def files(projects: Projects, project: UUID) -> Files:
    async with projects.db.reading() as db:
        made = await files_of(db, project)
    assert made is not None
    return verified(made)
