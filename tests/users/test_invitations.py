"""Invitations are mailed by a real SMTP server, with the one secret that the answer has, too."""

import re
from email.header import decode_header, make_header
from email.message import Message
from typing import Any

import pytest
from pydantic import SecretStr

from engine.users import notices
from runtime.services import Services
from tests.support.mailed import recorder, settings
from tests.support.people import PASSWORD, People, Person
from tests.support.smtp import Recorder

__all__ = ["recorder", "settings"]

INVITE = "mutation($i:Invite!){inviteUser(input:$i){token mailed}}"
INVITE_MEMBER = "mutation($i:NewMember!){inviteMember(input:$i){token mailed member{uuid}}}"
ANNA = "anna@example.com"
_TAKE = """
DELETE FROM pgqueuer WHERE entrypoint = 'users.notice' RETURNING convert_from(payload, 'UTF8')::uuid AS row
"""


@pytest.fixture(autouse=True)
async def _open_routes(dispatcher: Any) -> None:
    """The email route is open, as in a worker."""


async def _mailed(services: Services, recorder: Recorder) -> list[tuple[str, str, str]]:
    """Does the jobs of mails. Returns receiver, subject and text of those that came."""
    before = len(recorder.mails)
    for job in await services.db.fetch(_TAKE):
        await notices.mail(services, job["row"])
    return [
        (mail["To"], str(make_header(decode_header(mail["Subject"]))), _text(mail))
        for mail in recorder.mails[before:]
    ]


def _text(mail: Message) -> str:
    payload = mail.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode()


def _token(text: str, page: str) -> str:
    (token,) = re.findall(rf"https://postern\.example\.com/console/{page}#(\S+)", text)
    return str(token)


async def _invite(admin: Person, email: str = ANNA) -> tuple[str, bool]:
    answer = await admin.rest("POST", "/auth/invitations", json={"email": email})
    assert answer.status_code == 201, answer.text
    return answer.json()["token"], answer.json()["mailed"]


async def test_the_mail_sets_the_password_and_logs_in(admin: Person, services: Services, recorder: Recorder):
    token, mailed = await _invite(admin)
    assert mailed
    ((to, subject, text),) = await _mailed(services, recorder)
    assert (to, subject) == (ANNA, "Your invitation")
    assert admin.email in text
    assert _token(text, "invitation") == token  # one secret, whichever way it comes
    accepted = await admin.client.post(
        "/auth/invitations/accept", json={"token": token, "password": PASSWORD}
    )
    assert accepted.status_code == 200, accepted.text
    headers = {"authorization": f"Bearer {accepted.json()['accessToken']}"}
    assert (await admin.client.get("/auth/me", headers=headers)).json()["email"] == ANNA
    login = await admin.client.post("/auth/login", json={"email": ANNA, "password": PASSWORD})
    assert login.status_code == 200
    again = await admin.client.post("/auth/invitations/accept", json={"token": token, "password": PASSWORD})
    assert again.status_code == 401


async def test_a_replaced_invitation_is_not_mailed(admin: Person, services: Services, recorder: Recorder):
    await _invite(admin)
    second = (await admin.data(INVITE, {"i": {"email": ANNA}}))["inviteUser"]
    assert second["mailed"]
    ((_, _, text),) = await _mailed(services, recorder)
    assert _token(text, "invitation") == second["token"]


async def test_a_mail_has_the_secret_of_before_a_rotation(
    admin: Person, services: Services, recorder: Recorder
):
    token, _ = await _invite(admin)
    old = services.settings.secret_key
    services.settings = services.settings.model_copy(
        update={"secret_key": SecretStr("another key of at least 32 characters"), "secret_key_old": [old]}
    )
    ((_, _, text),) = await _mailed(services, recorder)
    assert _token(text, "invitation") == token


async def test_three_mails_an_hour_to_one_email(admin: Person, services: Services, recorder: Recorder):
    assert [(await _invite(admin))[1] for _ in range(4)] == [True, True, True, False]
    # The fourth has replaced the third, and is given by hand.
    assert await _mailed(services, recorder) == []


async def test_a_member_accepts_by_mail(ada: Person, people: People, services: Services, recorder: Recorder):
    anna = await people.make(ANNA)
    await services.db.fetch("UPDATE users SET locale = 'ru-RU' WHERE id = $1", ada.id)
    made = (await ada.data(INVITE_MEMBER, {"i": {"email": ANNA, "role": "editor"}}))["inviteMember"]
    assert made["mailed"]
    ((to, subject, text),) = await _mailed(services, recorder)
    assert (to, subject) == (ANNA, "Приглашение к совместной работе")
    assert ada.email in text
    token = _token(text, "join")
    assert token == made["token"]
    assert token.startswith("mbr_")
    accepted = await anna.rest("POST", "/memberships/accept", json={"token": token})
    assert accepted.status_code == 200, accepted.text


async def test_a_withdrawn_invitation_is_not_mailed(ada: Person, services: Services, recorder: Recorder):
    answer = await ada.rest("POST", "/members", json={"email": ANNA, "role": "editor"})
    assert answer.json()["mailed"]
    assert (await ada.rest("DELETE", f"/members/{answer.json()['member']['id']}")).status_code == 200
    assert await _mailed(services, recorder) == []


async def test_a_member_mails_to_thirty_an_hour(ada: Person, services: Services):
    made = [
        (
            await ada.rest("POST", "/members", json={"email": f"p{number}@example.com", "role": "editor"})
        ).json()
        for number in range(31)
    ]
    assert [each["mailed"] for each in made] == [True] * 30 + [False]


@pytest.mark.parametrize("lacks", ["a route", "an address"])
async def test_without_a_way_to_mail_the_token_is_given_by_hand(
    admin: Person, ada: Person, services: Services, lacks: str
):
    if lacks == "a route":
        services.routes._by_kind["email"] = services.routes._by_kind["sms"]
    else:
        services.settings = services.settings.model_copy(update={"public_url": None})
    token, mailed = await _invite(admin)
    member = await ada.rest("POST", "/members", json={"email": ANNA, "role": "editor"})
    assert [mailed, member.json()["mailed"]] == [False, False]
    assert await services.db.fetchval("SELECT count(*) FROM user_notices") == 0
    accepted = await admin.client.post(
        "/auth/invitations/accept", json={"token": token, "password": PASSWORD}
    )
    assert accepted.status_code == 200
