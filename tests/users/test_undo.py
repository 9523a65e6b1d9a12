"""After a change of the email, or the own deletion, a link to the old address undoes it for 72 hours. The mails come
from a real SMTP server.
"""

import asyncio
import re
from datetime import timedelta
from email.header import decode_header, make_header
from email.message import Message
from typing import Any
from uuid import UUID

import httpx
import pytest

from core.logs import without_addresses
from engine.direct import password_mail
from engine.users import notices
from runtime.services import Services
from tests.api_tokens.made import caller, made
from tests.second_factors.factor import second_factor
from tests.support.mailed import recorder, settings
from tests.support.people import PASSWORD, People, Person
from tests.support.smtp import Recorder

__all__ = ["recorder", "settings"]

OLD, NEW, THIRD = "ada@example.com", "eve@example.com", "eve2@example.com"
_JOBS = {"users.notice": notices.mail, "passwords.mail": password_mail.mail}
_TAKE = """
DELETE FROM pgqueuer WHERE entrypoint = ANY($1) RETURNING entrypoint, convert_from(payload, 'UTF8')::uuid AS row
"""
Mails = list[tuple[str, str, str]]


@pytest.fixture(autouse=True)
async def _open_routes(dispatcher: Any) -> None:
    """The email route is open, as in a worker."""


async def _mailed(services: Services, recorder: Recorder) -> Mails:
    """Does the jobs of mails. Returns receiver, subject and text of those that came."""
    before = len(recorder.mails)
    for job in await services.db.fetch(_TAKE, [*_JOBS]):
        await _JOBS[job["entrypoint"]](services, job["row"])
    return [
        (mail["To"], str(make_header(decode_header(mail["Subject"]))), _text(mail))
        for mail in recorder.mails[before:]
    ]


def _text(mail: Message) -> str:
    payload = mail.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode()


def _link(text: str) -> str:
    (path,) = re.findall(r"https://postern\.example\.com(/undo/\S+)", text)
    return str(path)


async def _change(person: Person, email: str) -> None:
    answer = await person.rest("PATCH", f"/users/{person.id}", json={"email": email})
    assert answer.status_code == 200, answer.text


async def _login(client: httpx.AsyncClient, email: str, password: str = PASSWORD) -> str | None:
    answer = await client.post("/auth/login", json={"email": email, "password": password})
    return None if answer.status_code == 200 else str(answer.json()["code"])


async def _logged_in(person: Person, email: str) -> Person:
    answer = await person.client.post("/auth/login", json={"email": email, "password": PASSWORD})
    return caller(person, answer.json()["accessToken"])


async def _later(services: Services, hours: int) -> None:
    """Moves what is kept into the past."""
    await services.db.fetch(
        "UPDATE user_undos SET expires_at = expires_at - $1 * interval '1 hour',"
        " since = since - $1 * interval '1 hour'",
        hours,
    )


async def _row(services: Services, id: UUID) -> Any:
    row = await services.db.fetchrow("SELECT email, status FROM users WHERE id = $1", id)
    return dict(row.items())


async def test_both_addresses_log_in_for_72_hours(ada: Person, services: Services):
    await _change(ada, NEW)
    assert [await _login(ada.client, each) for each in (OLD, OLD.upper(), NEW)] == [None] * 3
    assert await _login(ada.client, OLD, "not the password") == "bad_credentials"
    await _later(services, 71)
    assert await _login(ada.client, OLD) is None
    await _later(services, 1)
    assert [await _login(ada.client, each) for each in (OLD, NEW)] == ["bad_credentials", None]


async def test_a_second_factor_is_asked_at_the_old_address_too(ada: Person):
    factor = await second_factor(ada)
    await _change(ada, NEW)
    assert await _login(ada.client, OLD) == "second_factor_required"
    login = {"email": OLD, "password": PASSWORD, "otp": factor.code()}
    assert (await ada.client.post("/auth/login", json=login)).status_code == 200


async def test_resets_go_to_the_old_address_alone(ada: Person, services: Services, recorder: Recorder):
    await _change(ada, NEW)
    ((to, subject, text),) = await _mailed(services, recorder)
    assert (to, subject) == (OLD, "Your email was changed")
    assert NEW not in text
    for email in (OLD, NEW):
        await ada.client.post("/auth/password/reset-request", json={"email": email})
    assert [to for to, _, _ in await _mailed(services, recorder)] == [OLD, OLD]
    await _later(services, 72)
    for email in (OLD, NEW):
        await ada.client.post("/auth/password/reset-request", json={"email": email})
    assert [to for to, _, _ in await _mailed(services, recorder)] == [NEW]


async def test_tokens_and_factors_need_the_password_meanwhile(ada: Person, services: Services):
    begun = (await ada.rest("POST", "/auth/second-factors/totp", json={"password": PASSWORD})).json()["id"]
    await _change(ada, NEW)
    confirm = f"/auth/second-factors/{begun}/confirm"
    assert (await ada.rest("POST", confirm, json={"otp": "000000"})).status_code == 404
    paths = {"/api-tokens": {"name": "t"}, "/auth/second-factors/totp": {}}
    for path, body in paths.items():
        for more, code in (({}, "password_needed"), ({"password": "not the password"}, "bad_credentials")):
            answer = await ada.rest("POST", path, json={**body, **more})
            assert (answer.status_code, answer.json()["code"]) == (403, code), path
        assert (await ada.rest("POST", path, json={**body, "password": PASSWORD})).status_code == 201
    create = "mutation($i: NewApiToken!) { createApiToken(input: $i) { token } }"
    begin = "mutation($i: NewTotp) { beginTotp(input: $i) { secret } }"
    for mutation, input in ((create, {"name": "t"}), (begin, {})):
        assert await ada.code(mutation, {"i": input}) == "password_needed"
        await ada.data(mutation, {"i": {**input, "password": PASSWORD}})
    await _later(services, 72)
    await ada.data(create, {"i": {"name": "t"}})


@pytest.mark.parametrize("made_before", [timedelta(), timedelta(hours=1)], ids=["since", "an hour before"])
async def test_the_link_undoes_the_change_and_what_was_made_since(
    ada: Person, people: People, services: Services, recorder: Recorder, made_before: timedelta
):
    """A second factor that a stolen login made before the change would lock the owner out."""
    before, _ = await made(ada)
    await _change(ada, NEW)
    thief = await _logged_in(ada, NEW)
    answer = await thief.rest("POST", "/api-tokens", json={"name": "t", "password": PASSWORD})
    since = answer.json()["token"]
    await services.db.fetch(
        "INSERT INTO second_factors (id, user_id, kind, name, created_at, confirmed_at)"
        " VALUES (gen_random_uuid(), $1, 'totp', 'x', now() - $2::interval, now())",
        ada.id,
        made_before,
    )
    ((_, _, text),) = await _mailed(services, recorder)
    link = _link(text)
    shown = await ada.client.get(link)
    assert (shown.status_code, "<form" in shown.text, OLD in shown.text) == (200, True, True)
    assert (await ada.client.get(link)).status_code == 200
    assert (await _row(services, ada.id))["email"] == NEW  # opening it changes nothing
    done = await ada.client.post(link)
    assert (done.status_code, "<form" in done.text) == (200, False)
    assert await _row(services, ada.id) == {"email": OLD, "status": "active"}
    for ended in (ada, thief, caller(ada, since)):
        assert (await ended.rest("GET", "/auth/me")).status_code == 401
    assert (await caller(ada, before).rest("GET", "/auth/me")).status_code == 200
    assert await services.db.fetchval("SELECT count(*) FROM second_factors") == 0
    # The password has ended as well; the owner of the old address sets another one.
    assert [await _login(ada.client, each) for each in (OLD, NEW)] == ["bad_credentials"] * 2
    ((to, _, text),) = await _mailed(services, recorder)
    (token,) = re.findall(r"/console/password#(\S+)", text)
    assert to == OLD
    reset = {"token": token, "password": "a new password"}
    assert (await ada.client.post("/auth/password/reset", json=reset)).status_code == 204
    assert await _login(ada.client, OLD, "a new password") is None
    for method in ("GET", "POST"):
        used = await ada.client.request(method, link)
        assert (used.status_code, used.json()["code"]) == (404, "undo_link_invalid")
    audited = await services.db.fetch(
        "SELECT operation FROM audit_entries WHERE object_type = 'user' ORDER BY id"
    )
    assert {row["operation"] for row in audited} >= {"users.update", "undo.confirm"}


async def test_an_old_a_forged_and_a_foreign_link_open_nothing(
    ada: Person, services: Services, recorder: Recorder
):
    await _change(ada, NEW)
    ((_, _, text),) = await _mailed(services, recorder)
    link = _link(text)
    for wrong in (link[:-3] + "AAA", link[:-1], "/undo/x", "/undo/" + "A" * 64):
        assert (await ada.client.post(wrong)).json()["code"] == "undo_link_invalid"
    await _later(services, 72)
    for method in ("GET", "POST"):
        answer = await ada.client.request(method, link)
        assert answer.json()["code"] == "undo_link_invalid"
        assert "72 hours" in answer.json()["message"]
    assert (await _row(services, ada.id))["email"] == NEW
    assert link.rpartition("/")[2][8:] not in without_addresses(link)


async def test_of_many_uses_at_once_one_undoes(ada: Person, services: Services, recorder: Recorder):
    await _change(ada, NEW)
    ((_, _, text),) = await _mailed(services, recorder)
    answers = await asyncio.gather(*(ada.client.post(_link(text)) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [404] * 7
    assert len(await _mailed(services, recorder)) == 1


async def test_a_second_change_keeps_the_oldest_address(ada: Person, services: Services, recorder: Recorder):
    await _change(ada, NEW)
    await _later(services, 70)
    await _change(ada, THIRD)
    await _later(services, 70)  # 140 hours after the first change
    first, second = await _mailed(services, recorder)
    assert [first[0], second[0]] == [OLD, OLD]
    assert [await _login(ada.client, each) for each in (OLD, NEW, THIRD)] == [None, "bad_credentials", None]
    assert (await ada.client.post(_link(first[2]))).status_code == 200
    assert (await _row(services, ada.id))["email"] == OLD
    assert (await ada.client.post(_link(second[2]))).status_code == 404


async def test_a_kept_address_is_taken(ada: Person, bob: Person, admin: Person, services: Services):
    await _change(ada, NEW)
    body = {"email": OLD, "password": PASSWORD}
    calls = (
        (bob, "POST", "/auth/register", body),
        (bob, "PATCH", f"/users/{bob.id}", {"email": OLD.upper()}),
        (admin, "PATCH", f"/users/{bob.id}", {"email": OLD}),
        (admin, "POST", "/user/create", body),
        (admin, "POST", "/auth/invitations", {"email": OLD}),
    )
    for by, method, path, sent in calls:
        answer = await by.rest(method, path, json=sent)
        assert (answer.status_code, answer.json()["code"]) == (409, "email_taken"), path
    await _change(ada, OLD)  # it is one's own
    await _change(ada, NEW)
    await _later(services, 72)
    assert (await ada.client.post("/auth/register", json=body)).status_code == 201


async def test_a_change_against_registrations_of_both_addresses(ada: Person, services: Services):
    def register(email: str) -> Any:
        return ada.client.post("/auth/register", json={"email": email, "password": PASSWORD})

    answers = await asyncio.gather(
        *(register(email) for email in (OLD, NEW) * 3),
        ada.rest("PATCH", f"/users/{ada.id}", json={"email": NEW}),
    )
    *registered, changed = (answer.status_code for answer in answers)
    assert registered.count(201) + (changed == 200) == 1
    assert set(registered) <= {201, 409}
    assert await services.db.fetchval("SELECT count(*) FROM users") == (1 if changed == 200 else 2)


async def test_an_own_deletion_is_undone(ada: Person, services: Services, recorder: Recorder):
    token, _ = await made(ada)
    await _change(ada, NEW)
    assert (await ada.rest("DELETE", f"/user?uuid={ada.id}")).status_code == 204
    assert await _login(ada.client, OLD) == "user_deleted"
    _, (to, subject, text) = await _mailed(services, recorder)
    assert (to, subject) == (OLD, "Your user was deleted")
    assert "deleted" in (await ada.client.get(_link(text))).text
    assert (await ada.client.post(_link(text))).status_code == 200
    assert await _row(services, ada.id) == {"email": OLD, "status": "active"}
    assert (await caller(ada, token).rest("GET", "/auth/me")).status_code == 401
    assert [to for to, _, _ in await _mailed(services, recorder)] == [OLD]


async def test_an_administrators_deletion_is_not(
    ada: Person, admin: Person, services: Services, recorder: Recorder
):
    await _change(ada, NEW)
    assert (await admin.rest("DELETE", f"/users/{ada.id}")).status_code == 204
    (_, _, text), told = await _mailed(services, recorder)
    assert (told[0], "/undo/" in told[2], "This user is deleted." in told[2]) == (OLD, False, True)
    answer = await ada.client.post(_link(text))
    assert (answer.status_code, answer.json()["code"]) == (403, "user_deleted")
    assert (await _row(services, ada.id))["status"] == "deleted"


async def test_the_last_administrator_stays(admin: Person, services: Services, recorder: Recorder):
    assert (await admin.rest("DELETE", f"/users/{admin.id}")).json()["code"] == "last_admin"
    assert await services.db.fetchval("SELECT count(*) FROM user_undos") == 0
    assert await _mailed(services, recorder) == []


async def test_an_administrators_changes_are_told(
    ada: Person, admin: Person, services: Services, recorder: Recorder
):
    path = f"/users/{ada.id}"
    assert (
        await admin.rest("PATCH", path, json={"displayName": "A", "email": OLD.upper()})
    ).status_code == 200
    assert await _mailed(services, recorder) == []
    changed = {"email": "ada@example.org", "roles": ["admin"], "status": "suspended"}
    assert (await admin.rest("PATCH", path, json=changed)).status_code == 200
    ((to, subject, text),) = await _mailed(services, recorder)
    assert (to, subject, text.count("\n- ")) == (OLD, "An administrator changed your user", 3)
    # It is the administrator's word: nothing is kept.
    assert await services.db.fetchval("SELECT count(*) FROM user_undos") == 0
    await services.db.fetch("UPDATE users SET locale = 'ru-RU' WHERE id = $1", ada.id)
    for step in ("activate", "activate", "suspend"):
        assert (await admin.rest("POST", f"{path}/{step}")).status_code == 200
    told = await _mailed(services, recorder)
    assert [to for to, _, _ in told] == ["ada@example.org"] * 2
    assert ["активен" in told[0][2], "заблокирован" in told[1][2]] == [True, True]


async def test_an_administrator_ends_the_keeping(
    ada: Person, admin: Person, services: Services, recorder: Recorder
):
    await _change(ada, NEW)
    assert (await admin.rest("PATCH", f"/users/{ada.id}", json={"email": THIRD})).status_code == 200
    assert [await _login(ada.client, each) for each in (OLD, THIRD)] == ["bad_credentials", None]
    await ada.client.post("/auth/password/reset-request", json={"email": THIRD})
    mails = await _mailed(services, recorder)
    assert sorted(to for to, _, _ in mails) == sorted([OLD, THIRD])


async def test_a_mail_that_no_route_took_is_tried_again(
    ada: Person, services: Services, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
):
    await _change(ada, NEW)
    with monkeypatch.context() as patch:
        patch.setattr(services.routes, "is_off", lambda route: True)
        assert await _mailed(services, recorder) == []
    await notices.retry_mails(services)
    assert await _mailed(services, recorder) == []  # too soon
    await services.db.fetch("UPDATE user_notices SET tried_at = now() - interval '1 minute'")
    await notices.retry_mails(services)
    assert len(await _mailed(services, recorder)) == 1
    await services.db.fetch("UPDATE user_notices SET tried_at = now() - interval '1 minute'")
    await notices.retry_mails(services)
    assert await _mailed(services, recorder) == []


async def test_without_a_way_to_mail_the_change_happens_all_the_same(ada: Person, services: Services):
    services.settings = services.settings.model_copy(update={"public_url": None})
    await _change(ada, NEW)
    assert await services.db.fetchval("SELECT count(*) FROM user_notices") == 0
    assert await _login(ada.client, OLD) is None
