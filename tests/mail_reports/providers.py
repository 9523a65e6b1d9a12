"""The fixtures of tests in which a mail provider calls POST /hooks/smtp/email."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest

from core.settings import Settings
from engine.mail_reports import reference
from tests.mail_reports.made import Mails
from tests.mail_reports.provider_calls import Call, Caller, Ses, Sns, sns_server

HOOK = "/hooks/smtp/email"


@pytest.fixture
def settings(make_settings: Any, caller: Caller) -> Settings:
    made: Settings = make_settings(
        channel_email=f"smtp://127.0.0.1:25?from=news@example.com&{caller.options}"
    )
    return made


@dataclass
class Provider:
    """One provider's calls about messages of one person."""

    caller: Any
    mails: Mails
    client: httpx.AsyncClient
    sns: Sns | None

    async def message(self, state: str = "sent") -> tuple[UUID, str]:
        """Makes a message, and returns its id and its token."""
        (id,) = await self.mails.direct(state)
        return id, reference.token(self.mails.services.key(reference.KEY), id)

    async def make(self, call: Call) -> httpx.Response:
        return await self.client.post(HOOK, content=call.content, headers=call.headers)

    async def refused(self, call: Call, status: int = 401) -> None:
        """Makes a call that is answered by an error, and changes nothing."""
        answer = await self.make(call)
        assert answer.status_code == status, answer.text
        await self.nothing()

    async def report(self, event: Any) -> None:
        """Reports something."""
        answer = await self.make(self.caller.call(event))
        assert (answer.status_code, answer.content) == (204, b""), answer.text

    async def nothing(self) -> None:
        """Nothing was reported."""
        assert await self.count() == 0
        assert await self.mails.refunds() == []
        assert await self.mails.blocks() == []

    async def count(self) -> int:
        count: int = await self.mails.services.db.fetchval("SELECT count(*) FROM mail_reports")
        return count

    async def stored(self) -> Any:
        """Returns the report that came last."""
        return await self.mails.services.db.fetchrow("SELECT * FROM mail_reports ORDER BY id DESC LIMIT 1")

    async def reported(self, event: Any, id: UUID) -> tuple[str, str | None, str]:
        """Reports something; returns type, class and the message's state."""
        await self.report(event)
        stored = await self.stored()
        assert stored["message_id"] == id
        return stored["type"], stored["class"], (await self.mails.row(id))["state"]


@pytest.fixture
async def provider(
    caller: Caller, mails: Mails, client: httpx.AsyncClient, tmp_path: Path
) -> AsyncIterator[Provider]:
    if isinstance(caller, Ses):
        async with sns_server(mails.services, tmp_path, caller.files) as sns:
            yield Provider(caller, mails, client, sns)
    else:
        yield Provider(caller, mails, client, None)
