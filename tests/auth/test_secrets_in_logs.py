"""No log line has a secret in it, at the most talkative level, whatever goes wrong."""

import logging

import pytest

from core import logs
from tests.auth.doors import BOTH
from tests.support.people import PASSWORD

NEW = "another horse battery"
WRONG = "a wrong horse battery"
BODY = "the quick brown fox owes money"


@pytest.fixture(params=["json", "pretty"])
def output(request, capsys):
    """Captures all that is logged, by us and by the libraries, as an operator would see it."""
    logs.configure("debug", request.param)
    yield capsys
    logs.configure("info", "json")


async def test_no_secret_is_logged(auth, ada, admin, services, output):
    secrets = {PASSWORD, NEW, WRONG, BODY, ada.token, admin.token, "+14155550100", "s" * 32, "j" * 32}

    def keep(done):
        assert done.code is None, done.message
        for name in ("accessToken", "refreshToken", "token"):
            if name in done.data:
                secrets.add(done.data[name])
        return done.data

    for door in BOTH:
        email = f"{door}@example.com"
        await auth.call(door, "register", {"email": email, "password": PASSWORD})
        await auth.call(door, "register", {"email": email, "password": PASSWORD})
        await auth.call(door, "register", {"email": "nobody", "password": PASSWORD})
        await auth.call(door, "login", {"email": email, "password": [PASSWORD]})
        await auth.login(email, WRONG, door)
        pair = keep(await auth.login(email, PASSWORD, door))
        following = keep(await auth.refresh(pair["refreshToken"], door))
        await services.db.fetch("UPDATE refresh_tokens SET used_at = used_at - interval '11 seconds'")
        assert (await auth.refresh(pair["refreshToken"], door)).code == "refresh_token_reused"
        assert await auth.me(following["accessToken"], door) == "session_ended"
        keep(await auth.login(email, PASSWORD, door))
    token = keep(await auth.call("graphql", "createApiToken", {"name": "x"}, token=ada.token))["token"]
    assert await auth.me(token) is None
    passwords = {"currentPassword": PASSWORD, "newPassword": NEW}
    access = keep(await auth.call("graphql", "changePassword", passwords, token=ada.token))["accessToken"]
    invited = keep(await auth.call("graphql", "inviteUser", {"email": "eve@example.com"}, token=admin.token))
    keep(await auth.call("graphql", "acceptInvitation", {"token": invited["token"], "password": NEW}))
    bearer = {"Authorization": f"Bearer {access}"}
    await auth.client.get(f"/auth/me?token={access}&password={NEW}", headers=bearer)
    await auth.client.get(f"/nowhere?access_token={token}", headers=bearer)
    await auth.client.get(
        "/graphql", params={"query": f'{{ storageValue(key: "{token}") {{ key }} }}'}, headers=bearer
    )
    message = {"to": "+14155550100", "channel": "sms", "body": BODY}
    assert (await auth.client.post("/messages", json=message, headers=bearer)).status_code == 202
    # A database that fails tells its client the values that it failed on.
    await services.db.fetch("ALTER TABLE messages ADD CONSTRAINT broken CHECK (body <> body) NOT VALID")
    assert (await auth.client.post("/messages", json=message, headers=bearer)).status_code == 500
    await services.db.fetch("ALTER TABLE users ADD CONSTRAINT broken CHECK (password_hash = 'x') NOT VALID")
    assert (
        await auth.client.post("/auth/register", json={"email": "e@example.com", "password": NEW})
    ).status_code == 500
    await services.db.fetch("DROP TABLE refresh_tokens")
    assert (
        await auth.client.post("/auth/refresh", json={"refreshToken": following["refreshToken"]})
    ).status_code == 500
    secrets |= {row["password_hash"] for row in await services.db.fetch("SELECT password_hash FROM users")}

    written = output.readouterr().err
    assert written.count("unexpected failure") >= 3
    assert written.count("/auth/login") >= 6
    leaked = [secret for secret in secrets if secret and secret in written]
    lines = [line[:400] for line in written.splitlines() if any(secret in line for secret in leaked)]
    assert lines == []
    assert "$argon2" not in written
    assert logging.getLogger().level == logging.DEBUG
