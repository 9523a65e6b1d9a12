"""The published password of the demo opens a login from this machine alone, whichever door is asked."""

import httpx
import pytest
from starlette.requests import HTTPConnection

from core.demo import ADMIN, PASSWORD, USER
from postern import operator
from runtime.origins import at_this_machine
from runtime.services import Services
from tests.auth.doors import Auth

LOOPBACK = ("127.0.0.1", "localhost", "LOCALHOST", "127.8.9.10", "[::1]", "localhost:3000", "[::1]:3000")
FOREIGN = (
    "evil.test", "postern.test", "0.0.0.0", "10.0.0.7", "127.0.0.1.evil.test", "localhost.evil.test", "evil@127.0.0.1",
    "127.0.0.1/evil.test", "127.0.0.1#evil.test", "[::2]", "", "localhost.", "127.1",
)  # fmt: skip
PROXIES = ("x-real-ip", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "via")


@pytest.fixture
async def demo(app, services: Services):
    """The users of the demo, as `postern serve --demo` makes them."""
    for email, admin in ((ADMIN, True), (USER, False)):
        await operator.create_user(services, email, admin=admin, password=PASSWORD)
    return app


async def log_in(
    app, door: str, email: str = USER, password: str = PASSWORD, *, peer: str = "127.0.0.1", **headers: str
) -> str | None:
    """The code that a login is refused with; None if it is opened."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(peer, 40000))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:3000") as client:
        if door == "console":
            host = headers.get("host", "127.0.0.1:3000")
            own = {"origin": f"http://{host}", "x-postern-console": "1", **headers}
            answer = await client.post(
                "/console/session", json={"email": email, "password": password}, headers=own
            )
            return None if answer.status_code == 204 else answer.json()["code"]
        return (await Auth(client).login(email, password, door, **headers)).code


@pytest.mark.parametrize("door", ["rest", "graphql", "console"])
async def test_a_demo_user_logs_in_from_this_machine_alone(demo, door):
    assert await log_in(demo, door) is None
    assert await log_in(demo, door, ADMIN, peer="::1") is None
    assert await log_in(demo, door, host="localhost:3000") is None
    wrong = await log_in(demo, door, password="a wrong password")
    refused = [
        await log_in(demo, door, peer="10.0.0.7"),
        await log_in(demo, door, ADMIN, host="evil.test"),
        await log_in(demo, door, **{"x-forwarded-for": "127.0.0.1"}),
        await log_in(demo, door, ADMIN, peer="203.0.113.5", host="localhost"),
    ]
    assert {*refused} == {wrong} == {"bad_credentials"}, "as a wrong password is"


async def test_the_password_is_the_same_in_another_spelling(demo):
    """Passwords are compared in the form NFKC, so these open the same login."""
    wide = PASSWORD.replace("p", "\N{FULLWIDTH LATIN SMALL LETTER P}")
    assert await log_in(demo, "rest", password=wide) is None
    assert await log_in(demo, "rest", password=wide, peer="10.0.0.7") == "bad_credentials"


async def test_a_password_of_one_s_own_is_good_from_everywhere(demo, services):
    await operator.set_password(services, ADMIN, "another horse battery")
    assert await log_in(demo, "rest", ADMIN, "another horse battery", peer="10.0.0.7") is None
    assert await log_in(demo, "rest", ADMIN) == "bad_credentials"


async def test_another_email_makes_the_password_no_better(demo, services):
    await services.db.fetch("UPDATE users SET email = 'boss@example.com' WHERE email = $1", ADMIN)
    assert await log_in(demo, "rest", "boss@example.com") is None
    assert await log_in(demo, "rest", "boss@example.com", peer="10.0.0.7") == "bad_credentials"


def _connection(peer: str, *headers: tuple[str, str]) -> HTTPConnection:
    raw = [(name.encode(), value.encode()) for name, value in headers]
    return HTTPConnection({"type": "http", "headers": raw, "client": (peer, 40000)})


@pytest.mark.parametrize("host", LOOPBACK)
def test_a_host_that_is_this_machine(host):
    assert at_this_machine(_connection("127.0.0.1", ("host", host)))
    assert not at_this_machine(_connection("192.0.2.1", ("host", host)))
    assert not any(
        at_this_machine(_connection("::1", ("host", host), (name, "127.0.0.1"))) for name in PROXIES
    )


@pytest.mark.parametrize("host", FOREIGN)
def test_a_host_that_is_not(host):
    """A page whose own name leads to 127.0.0.1 makes a browser here send its name (DNS rebinding)."""
    assert not at_this_machine(_connection("127.0.0.1", ("host", host)))


def test_no_host_and_two_hosts_are_none():
    assert not at_this_machine(_connection("127.0.0.1"))
    assert not at_this_machine(_connection("127.0.0.1", ("host", "localhost"), ("host", "evil.test")))
