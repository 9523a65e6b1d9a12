"""The operator sets the password of a user who has forgotten it."""

import pytest

from core.errors import Conflict, NotFound, ValidationFailed
from postern import operator
from runtime.services import Services
from tests.api_tokens.made import caller, made
from tests.support.people import Person


async def _login(person: Person, password: str) -> int:
    answer = await person.client.post("/auth/login", json={"email": person.email, "password": password})
    return answer.status_code


async def test_a_password_is_set_and_all_logins_end_but_for_tokens(ada: Person, services: Services):
    token, _ = await made(ada)
    assert await operator.set_password(services, ada.email.upper(), "a new password") is None
    assert (await ada.rest("GET", "/auth/me")).json()["code"] == "session_ended"
    assert await _login(ada, "a new password") == 200
    assert (await caller(ada, token).rest("GET", "/auth/me")).status_code == 200
    generated = await operator.set_password(services, ada.email)
    assert generated is not None
    assert [await _login(ada, "a new password"), await _login(ada, generated)] == [401, 200]


async def test_whose_password_cannot_be_set(ada: Person, admin: Person, services: Services):
    with pytest.raises(NotFound):
        await operator.set_password(services, "nobody@example.com")
    with pytest.raises(ValidationFailed):
        await operator.set_password(services, ada.email, "short")
    await admin.data('mutation{inviteUser(input:{email:"new@example.com"}){token}}')
    with pytest.raises(Conflict):
        await operator.set_password(services, "new@example.com")
    assert (await ada.rest("GET", "/auth/me")).status_code == 200
