"""Accounts of the driver in tests, and a sink that keeps what it is told."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from messengers.port import Account, Change, Event, Lost, Media, Outgoing
from messengers.whatsapp_cloud import CloudConnection, CloudDriver
from shapes.chats import ContentKind
from shapes.messenger_accounts import AccountState, MessengerSource
from tests.support.waits import until
from tests.whatsapp_cloud.meta import Number

TO = "+16505551234"
PICTURE = Media(ContentKind.image, b"\xff\xd8\xff picture", "image/jpeg", "p.jpg")


class Told:
    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.lost = False

    async def changed(self, change: Change) -> None:
        if self.lost:
            raise Lost
        self.changes.append(change)

    async def session(self, session: str | None) -> None:
        raise AssertionError("there is no session")

    async def apply_events(self, events: Sequence[Event], cursor: Mapping[str, Any] | None = None) -> None:
        raise AssertionError("what comes in comes by the hook")

    @property
    def states(self) -> list[AccountState]:
        return [change.state for change in self.changes]


def of(number: Number, **more: Any) -> Account:
    credentials = more.pop("credentials", number.credentials)
    return Account(uuid4(), MessengerSource.whatsapp, number.phone, credentials=credentials, **more)


async def working(driver: CloudDriver, number: Number, recorder: Told, **more: Any) -> CloudConnection:
    made = driver.connect(of(number, **more), recorder)
    await made.start()
    await until(lambda: AccountState.working in recorder.states)
    return made


def text(words: str = "hello", to: str = TO, **more: Any) -> Outgoing:
    return Outgoing(uuid4(), to, words, **more)
