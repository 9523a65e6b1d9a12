"""The owner of an account is mailed its statement if a setting of the account says so."""

from datetime import timedelta
from typing import Any

import pytest

from tests.statements.conftest import Books
from tests.support.mailed import recorder, settings
from tests.support.people import Person
from tests.support.smtp import Recorder
from tests.users.test_invitations import _mailed

__all__ = ["recorder", "settings"]


@pytest.fixture(autouse=True)
async def _open_routes(dispatcher: Any) -> None:
    """The email route is open, as in a worker."""


async def test_who_wants_it_is_mailed_once(books: Books, ada: Person, bob: Person, recorder: Recorder):
    path = f"/settings/statements.mail?scope=account&accountId={ada.account_id}"
    answer = await ada.rest("PUT", path, json={"value": True})
    assert answer.status_code < 300, answer.text
    for person in (ada, bob):
        await books.move(person, books.begin + timedelta(days=3))
    await books.close()
    ((to, subject, text),) = await _mailed(books.services, recorder)
    month = f"{books.month:%Y-%m}"
    assert (to, subject) == (ada.email, f"Statement of {month}: Main")
    assert "Closing balance: 100 USD" in text
    assert f"https://postern.example.com/console/accounts/{ada.account_id}/statements/{month}" in text
    await books.close()
    assert await _mailed(books.services, recorder) == []
