"""A start of `postern serve` settles which users can log in, and its terminal says so."""

import pytest

from core.demo import ADMIN, PASSWORD, USER
from postern import operator
from postern.start_users import StartUsers, settle
from postern.welcome import welcome
from shapes.users import UserStatus
from tests.support.people import Person

CREATE = "postern user create EMAIL --admin"


@pytest.fixture
async def demo(services) -> None:
    for email in (ADMIN, USER):
        await operator.create_user(services, email, admin=email == ADMIN, password=PASSWORD)


async def _statuses(services) -> dict[str, str]:
    rows = await services.db.fetch("SELECT email, status FROM users")
    return {row.email: row.status for row in rows}


async def _start(settings, *, demo: bool = False, terminal: bool = True) -> tuple[StartUsers, str]:
    users = await settle(settings, demo=demo, terminal=terminal)
    return users, welcome(settings, 3000, users)


async def test_a_plain_start_suspends_them_and_says_so(services, settings, demo, client):
    token = await operator.create_token(services, ADMIN, "old")
    bearer = {"Authorization": f"Bearer {token}"}
    assert (await client.get("/auth/me", headers=bearer)).status_code == 200
    users, text = await _start(settings)
    assert (users.demo, users.suspended) == ([], [USER, ADMIN])
    assert await _statuses(services) == {ADMIN: "suspended", USER: "suspended"}
    assert (await client.get("/auth/me", headers=bearer)).status_code == 401, "tokens have ended, too"
    assert f"suspended {USER} and {ADMIN}" in text
    assert "postern serve --demo" in text
    assert PASSWORD not in text
    assert users.link is not None, "the last administrator is suspended, so one can be made"
    assert f"/console/first-user#{users.link}\n" in text
    users, text = await _start(settings)
    assert users.suspended == []
    assert "suspended" not in text
    audited = "SELECT count(*) FROM audit_entries WHERE operation = 'cli.user.suspended'"
    assert await services.db.fetchval(audited) > 0


async def test_a_start_with_demo_lets_them_in_and_says_so(services, settings, demo):
    users, text = await _start(settings, demo=True)
    assert (users.demo, users.activated) == ([USER, ADMIN], [])
    assert f"demo      {USER} and {ADMIN} (administrator), password {PASSWORD}" in text
    assert "first use" not in text
    await _start(settings)
    users, text = await _start(settings, demo=True)
    assert users.activated == [USER, ADMIN]
    assert "suspended before, active again" in text
    assert await _statuses(services) == {ADMIN: "active", USER: "active"}


async def test_a_password_of_one_s_own_is_left_alone(services, settings, demo):
    await operator.set_password(services, ADMIN, "another horse battery")
    users, text = await _start(settings)
    assert users.suspended == [USER]
    assert (await _statuses(services))[ADMIN] == "active"
    assert "first use" not in text
    users, _ = await _start(settings, demo=True)
    assert users.demo == [USER]


async def test_who_was_suspended_by_hand_with_another_password_stays_so(services, settings, demo):
    await operator.set_password(services, USER, "another horse battery")
    user = await services.db.fetchval("SELECT id FROM users WHERE email = $1", USER)
    await operator.move_user(services, user, UserStatus.suspended)
    users, _ = await _start(settings, demo=True)
    assert users.activated == []
    assert (await _statuses(services))[USER] == "suspended"


async def test_a_password_that_changes_meanwhile_is_seen(services, demo):
    user = await services.db.fetchrow("SELECT id, password_hash FROM users WHERE email = $1", USER)
    await operator.set_password(services, USER, "another horse battery")
    having = user["password_hash"]
    assert not await operator.move_user(services, user["id"], UserStatus.suspended, having=having)


async def test_without_a_user_a_terminal_gets_a_link_and_a_log_does_not(services, settings):
    users, text = await _start(settings)
    assert users.link is not None
    assert f"http://127.0.0.1:3000/console/first-user#{users.link}\n" in text
    users, text = await _start(settings, terminal=False)
    assert users.link is None
    assert CREATE in text
    assert "#" not in text


@pytest.mark.settings(public_url="https://postern.example.com/")
async def test_the_link_has_the_public_address(services, settings):
    _, text = await _start(settings)
    assert "https://postern.example.com/console/first-user#" in text


@pytest.mark.settings(console=False)
async def test_without_the_console_it_names_the_command(services, settings):
    users, text = await _start(settings)
    assert users.link is None
    assert CREATE in text


async def test_with_an_administrator_nothing_is_said(services, settings, admin: Person):
    users, text = await _start(settings)
    assert users == StartUsers(has_admin=True, demo=[], suspended=[])
    assert "first use" not in text
