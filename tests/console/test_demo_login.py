"""The logins of a demo: the login page of a browser that can use them shows them, and no other."""

from dataclasses import replace

import httpx
import pytest

from core.demo import ADMIN, PASSWORD, USER
from postern import operator
from runtime.installation import Installation, installation
from shapes.users import UserStatus


async def ask(app, peer: str = "127.0.0.1", host: str = "localhost:3000", **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(peer, 40000))
    ours = {"origin": f"http://{host}", "x-postern-console": "1", **headers}
    async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}") as client:
        return await client.post("/console/session/demo", headers=ours)


async def make_users(services) -> None:
    for email, admin in ((ADMIN, True), (USER, False)):
        await operator.create_user(services, email, admin=admin, password=PASSWORD)


@pytest.fixture
async def demo(app, services, monkeypatch):
    """The installation with the embedded servers, and the demo's users."""
    embedded = replace(installation(services), embedded=True)
    monkeypatch.setitem(services._singles, Installation, (embedded, None))
    await make_users(services)
    return app


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
async def test_a_browser_on_this_machine_is_told(demo, peer):
    answer = await ask(demo, peer)
    assert answer.status_code == 200, answer.text
    assert answer.json() == {"email": USER, "adminEmail": ADMIN, "password": PASSWORD}
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("peer", "header"),
    [
        ("10.0.0.7", None),
        ("192.168.1.9", None),
        ("203.0.113.5", None),
        ("2001:db8::1", None),
        ("127.0.0.1", "x-real-ip"),
        ("127.0.0.1", "x-forwarded-for"),
        ("127.0.0.1", "x-forwarded-host"),
        ("127.0.0.1", "forwarded"),
        ("127.0.0.1", "via"),
    ],
)
async def test_nobody_else_is(demo, peer, header):
    answer = await ask(demo, peer, **({header: "127.0.0.1"} if header else {}))
    assert (answer.status_code, answer.text) == (204, "")


async def test_a_name_that_leads_here_is_not_told(demo):
    """A page that has such a name is this service's own for a browser, and of another site all the same."""
    assert (await ask(demo, host="evil.example")).status_code == 204


async def test_a_page_of_another_site_is_not(demo):
    answer = await ask(demo, origin="http://evil.example")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_the_console")


async def test_with_servers_of_one_s_own_there_is_none(app, services):
    await make_users(services)
    assert (await ask(app)).status_code == 204


async def test_a_suspended_user_is_not_shown(demo, services):
    assert (await ask(demo)).status_code == 200
    id = await services.db.fetchval("SELECT id FROM users WHERE email = $1", ADMIN)
    await operator.move_user(services, id, UserStatus.suspended)
    assert (await ask(demo)).status_code == 204


async def test_another_password_is_not_shown(demo, services):
    assert (await ask(demo)).status_code == 200
    hashed = await services.passwords.hash("another horse battery")
    await services.db.fetch("UPDATE users SET password_hash = $1 WHERE email = $2", hashed, USER)
    assert (await ask(demo)).status_code == 204


@pytest.mark.settings(console=False)
async def test_without_the_console_there_is_none(demo):
    assert (await ask(demo)).status_code == 404
