"""Messenger accounts in tests: the vendor's wire, and logins of the sandbox (docs/messengers.md)."""

from typing import Any

from tests.support.people import Person

# What becomes of an account, by its login: messengers/sandbox/simulator/scenarios.py.
PLAIN, UNUSED, PASSWORD, BANNED = "15005551001", "15005551021", "15005551031", "15005551041"
FLOOD, PHONE, UNREACHABLE = "15005551051", "15005551111", "15005551101"
RIGHT_CODE, RIGHT_PASSWORD = "12345", "sandbox"


async def call(person: Person, method: str, login: str | None = None, **fields: Any) -> dict[str, Any]:
    """Calls one method of the vendor's, with the token in a header, and returns the whole answer."""
    body = {"source": "telegram", **({} if login is None else {"login": login}), **fields}
    answer = await person.rest("POST", f"/{method}", json=body)
    answer_body: dict[str, Any] = answer.json()
    assert (answer_body["status"] == "ok") == (answer.status_code == 200), answer_body
    return answer_body


async def ok(person: Person, method: str, login: str | None = None, **fields: Any) -> dict[str, Any]:
    body = await call(person, method, login, **fields)
    assert body["status"] == "ok", body
    return body


async def wrong(person: Person, method: str, login: str | None = None, **fields: Any) -> tuple[str, str]:
    """Code and message."""
    body = await call(person, method, login, **fields)
    assert body["status"] == "error", body
    return body["error"]["code"], body["error"]["message"]


async def added(person: Person, login: str = PLAIN, **fields: Any) -> str:
    """A new account; its id."""
    return str((await ok(person, "addAccount", login, **fields))["account"]["accountUuid"])


async def working(person: Person, login: str = PLAIN, **fields: Any) -> str:
    """A new account that is logged in; its id. A host must be there."""
    id = await added(person, login, **fields)
    await ok(person, "enablePhoneAuth", login, phone=PLAIN)
    code, _ = await wrong(person, "setState", login, setState=True)
    assert code == "challenge_required"
    await ok(person, "solveChallenge", login, code=RIGHT_CODE)
    info = await ok(person, "getInfo", login)
    assert info["accountState"] == "working", info
    return id
