"""A forgotten password: a link by mail, from a real SMTP server, sets a new one."""

import asyncio
import re
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from channels.port import Outcome, Result
from engine.direct import password_mail
from engine.jobs import JobName
from runtime.services import Services
from tests.api_tokens.made import caller, made
from tests.second_factors.factor import second_factor
from tests.support.mailed import recorder, settings
from tests.support.people import PASSWORD, People, Person
from tests.support.smtp import Recorder

__all__ = ["recorder", "settings"]

NEW = "a new password"
_QUEUED = "SELECT convert_from(payload, 'UTF8')::uuid AS row FROM pgqueuer WHERE entrypoint = $1 ORDER BY id"


async def _ask(person: Person, email: str | None = None) -> tuple[int, bytes]:
    path = "/auth/password/reset-request"
    answer = await person.client.post(path, json={"email": email or person.email})
    return answer.status_code, answer.content


async def _queued(services: Services) -> list[UUID]:
    return [row["row"] for row in await services.db.fetch(_QUEUED, JobName.mail_password.value)]


async def _mailed(services: Services, recorder: Recorder) -> list[str]:
    """Does the jobs of mails. Returns the tokens of all mails so far."""
    for row in await _queued(services):
        await password_mail.mail(services, row)
    tokens = []
    for mail in recorder.mails:
        text = mail.get_payload(decode=True).decode()  # type: ignore[union-attr]
        tokens += re.findall(r"https://postern\.example\.com/console/password#(\S+)", text)
    return tokens


async def _set(person: Person, token: str, password: str = NEW) -> tuple[int, str | None]:
    answer = await person.client.post("/auth/password/reset", json={"token": token, "password": password})
    return answer.status_code, None if answer.status_code == 204 else answer.json()["code"]


async def _login(person: Person, password: str) -> int:
    answer = await person.client.post("/auth/login", json={"email": person.email, "password": password})
    return answer.status_code


async def test_a_link_sets_a_new_password_once(
    ada: Person, services: Services, recorder: Recorder, dispatcher: Any
):
    api_token, _ = await made(ada)
    assert (await _ask(ada, ada.email.upper()))[0] == 202
    (token,) = await _mailed(services, recorder)
    (mail,) = recorder.mails
    assert (mail["To"], mail["Subject"], mail["Auto-Submitted"]) == (
        ada.email,
        "Set a new password",
        "auto-generated",
    )
    assert await _set(ada, token, "short") == (400, "validation_failed")
    answers = await asyncio.gather(*(_set(ada, token) for _ in range(8)))
    assert sorted(answers, key=str) == [(204, None)] + [(401, "invalid_reset_token")] * 7
    assert [await _login(ada, PASSWORD), await _login(ada, NEW)] == [401, 200]
    assert (await ada.rest("GET", "/auth/me")).json()["code"] == "session_ended"
    assert (await caller(ada, api_token).rest("GET", "/auth/me")).status_code == 200


async def test_the_answer_tells_nothing_of_who_is_there(
    ada: Person, people: People, services: Services, recorder: Recorder, dispatcher: Any
):
    bob = await people.make("bob@example.com")
    await services.db.fetch("UPDATE users SET status = 'suspended' WHERE id = $1", bob.id)
    answers = [await _ask(ada, email) for email in (ada.email, bob.email, "nobody@example.com")]
    assert answers == [answers[0]] * 3
    assert len(await _queued(services)) == 3  # the same work for each
    await _mailed(services, recorder)
    assert [mail["To"] for mail in recorder.mails] == [ada.email]


async def test_three_mails_an_hour_are_enough(
    ada: Person, services: Services, recorder: Recorder, dispatcher: Any
):
    answers = {await _ask(ada) for _ in range(6)}
    assert len(answers) == 1
    tokens = await _mailed(services, recorder)
    assert len(tokens) == 3
    assert await _set(ada, tokens[0]) == (204, None)
    # The others ended with all logins of the user.
    assert [await _set(ada, token) for token in tokens[1:]] == [(401, "invalid_reset_token")] * 2


async def test_what_opens_nothing(ada: Person, services: Services, recorder: Recorder, dispatcher: Any):
    await _ask(ada)
    (token,) = await _mailed(services, recorder)
    for wrong in ("x", token[:-2], token + "AA", "A" * len(token), token.swapcase()):
        assert await _set(ada, wrong) == (401, "invalid_reset_token")
    now = services.db.now
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services.db, "now", lambda: now() + timedelta(minutes=31))
        assert await _set(ada, token) == (401, "invalid_reset_token")
    # A new password, set in another way, ends the link.
    changed = {"currentPassword": PASSWORD, "newPassword": NEW}
    assert (await ada.rest("POST", "/auth/password", json=changed)).status_code == 200
    assert await _set(ada, token, "another password") == (401, "invalid_reset_token")


async def test_the_second_factor_is_still_asked(
    ada: Person, services: Services, recorder: Recorder, dispatcher: Any
):
    await second_factor(ada)
    await _ask(ada)
    (token,) = await _mailed(services, recorder)
    assert await _set(ada, token) == (204, None)
    answer = await ada.client.post("/auth/login", json={"email": ada.email, "password": NEW})
    assert answer.json()["code"] == "second_factor_required"


async def test_a_mail_that_no_route_takes_is_tried_again(
    ada: Person, services: Services, recorder: Recorder, dispatcher: Any, monkeypatch: pytest.MonkeyPatch
):
    (route,) = services.routes.of("email")
    with monkeypatch.context() as patch:
        await _ask(ada)
        (row,) = await _queued(services)

        async def unreachable(self: Any, batch: Any) -> list[Outcome]:
            return [Outcome(Result.transient, code="unreachable")]

        patch.setattr(type(route), "send", unreachable)
        await password_mail.mail(services, row)
    assert recorder.mails == []
    await password_mail.mail(services, row)
    assert recorder.mails == []  # too soon
    await services.db.fetch("DELETE FROM pgqueuer")
    await services.db.fetch("UPDATE password_resets SET tried_at = now() - interval '1 minute'")
    await password_mail.retry_mails(services)
    assert await _queued(services) == [row]
    assert len(await _mailed(services, recorder)) == 1
    await password_mail.mail(services, row)
    assert len(recorder.mails) == 1  # it is sent once


@pytest.mark.parametrize("lacks", ["a route", "an address"])
async def test_without_a_way_to_mail_it_says_what_helps(ada: Person, services: Services, lacks: str):
    if lacks == "a route":
        services.routes._by_kind["email"] = services.routes._by_kind["sms"]
    else:
        services.settings = services.settings.model_copy(update={"public_url": None})
    answer = await ada.client.post("/auth/password/reset-request", json={"email": ada.email})
    assert (answer.status_code, answer.json()["code"]) == (503, "password_mail_unavailable")
    assert "postern user password" in answer.json()["message"]
