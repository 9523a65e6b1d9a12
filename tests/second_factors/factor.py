"""A person's authenticator app, with the codes that it shows."""

import time
from dataclasses import dataclass

from core import totp
from tests.support.people import PASSWORD, Person


@dataclass
class Factor:
    """A confirmed app.

    It was confirmed with the code of `step`. The next one counts for the following minute, however slow the machine is.
    """

    id: str
    secret: str
    recovery_codes: list[str]
    step: int

    def code(self, offset: int = 1) -> str:
        """Returns the code of the step that is `offset` steps after that of the confirmation."""
        return totp.code_of(self.secret, self.step + offset)


def present() -> int:
    """Returns the present step. The tests' PostgreSQL has this machine's clock."""
    return int(time.time() // totp.STEP_SECONDS)


async def begun(person: Person, name: str = "phone") -> dict[str, str]:
    """Begins to add an app, and returns what the answer says."""
    answer = await person.rest("POST", "/auth/second-factors/totp", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 201, answer.text
    body: dict[str, str] = answer.json()
    return body


async def second_factor(person: Person, **headers: str) -> Factor:
    """Adds an app and confirms it."""
    made, step = await begun(person), present()
    path, code = f"/auth/second-factors/{made['id']}/confirm", totp.code_of(made["secret"], step)
    answer = await person.rest("POST", path, json={"otp": code}, headers=headers)
    assert answer.status_code == 200, answer.text
    return Factor(made["id"], made["secret"], answer.json()["recoveryCodes"], step)
