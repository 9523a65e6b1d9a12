"""A mail server that keeps what it takes, beside the browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from typing import Any

from aiosmtpd.controller import Controller

from tests.support.ports import free_port


class Inbox:
    """Takes mails."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.subjects: list[str] = []
        self.texts: list[str] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        mail = message_from_bytes(envelope.content)
        self.subjects.append(mail["Subject"])
        payload = mail.get_payload(decode=True)
        self.texts.append(payload.decode() if isinstance(payload, bytes) else "")
        return "250 taken"


@contextmanager
def receiving() -> Iterator[Inbox]:
    inbox = Inbox(free_port())
    controller = Controller(inbox, hostname="127.0.0.1", port=inbox.port)
    controller.start()
    yield inbox
    controller.stop()
