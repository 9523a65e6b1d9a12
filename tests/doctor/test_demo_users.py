"""`postern doctor` examines whether the users of the demo stand beside what is no demo."""

import pytest

from core.demo import ADMIN, PASSWORD, USER
from postern import operator
from shapes.users import UserStatus
from tests.doctor.looking import look


@pytest.fixture
async def demo(services):
    """The users of the demo, with passwords that were hashed at the real cost."""
    return [
        (await operator.create_user(services, email, admin=email == ADMIN, password=PASSWORD)).id
        for email in (ADMIN, USER)
    ]


@pytest.mark.parametrize(
    ("settings_", "named"),
    [
        ({"channel_sms": "sandbox://,smpp://user:hunter2@127.0.0.1:1"}, "a real channel (SMS)"),
        ({"channel_email": "smtp://127.0.0.1:1"}, "a real channel (email)"),
        ({"public_url": "https://postern.example.com"}, "a public URL"),
        ({"host": "0.0.0.0"}, "the address 0.0.0.0"),
        ({"host": "192.0.2.7"}, "the address 192.0.2.7"),
    ],
    ids=["sms", "email", "public", "everywhere", "address"],
)
async def test_beside_what_is_no_demo_they_are_a_problem(own, demo, settings_, named):
    line = (await look(own(**settings_))).one("demo users")
    assert line.startswith("✗ demo users")
    assert f"{USER} and {ADMIN}" in line
    assert named in line
    assert "without --demo" in line
    assert PASSWORD not in line


async def test_alone_they_are_none(own, demo, services):
    assert (await look(own())).one("demo users").startswith("✓")
    await services.db.fetch(
        "INSERT INTO routes (id, name, enabled, dsn_encrypted) VALUES (gen_random_uuid(), 'sms-9', true, 'x')"
    )
    assert "✗ demo users" in (await look(own())).one("demo users")


async def test_who_is_suspended_or_has_another_password_is_none(own, demo, services):
    await operator.move_user(services, demo[0], UserStatus.suspended)
    await operator.set_password(services, USER, "another horse battery")
    assert (await look(own(host="0.0.0.0"))).of("demo users") == []
