"""A sink logs in by a credentials file, as servers with an operator and accounts want it."""

import base64
import json
from pathlib import Path
from typing import Any

import nkeys
import pytest

from tests.sinks.conformance import events
from tests.sinks.test_refusals import refused, sink
from tests.support.nats import running

pytestmark = pytest.mark.timeout(60)

_ALL: dict[str, int] = dict.fromkeys(
    (
        "subs", "data", "payload", "imports", "exports", "conn", "leaf", "mem_storage", "disk_storage", "streams",
        "consumer",
    ),
    -1,
)  # fmt: skip


class Key:
    """A key pair of an operator (O), an account (A) or a user (U)."""

    def __init__(self, prefix: int, letter: str) -> None:
        self.seed = nkeys.encode_seed(letter.encode() * 32, prefix).decode()
        self._pair = nkeys.from_seed(bytearray(self.seed.encode()))
        self.public = self._pair.public_key.decode()

    def jwt(self, about: "Key", **claims: Any) -> str:
        """Returns a JWT about another key, signed by this one (docs.nats.io, "In Depth JWT Guide")."""
        body = {"jti": "1", "iat": 1, "iss": self.public, "sub": about.public, "name": "x"}
        parts = ({"typ": "JWT", "alg": "ed25519-nkey"}, {**body, "nats": {"version": 2, **claims}})
        text = ".".join(_base64(json.dumps(part).encode()) for part in parts)
        return f"{text}.{_base64(self._pair.sign(text.encode()))}"


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def credentials_file(jwt: str, seed: str) -> str:
    return f"""-----BEGIN NATS USER JWT-----
{jwt}
------END NATS USER JWT------

************************* IMPORTANT *************************
NKEY Seed printed below can be used to sign and prove identity.

-----BEGIN USER NKEY SEED-----
{seed}
------END USER NKEY SEED------
"""


async def test_a_credentials_file(tmp_path: Path):
    operator = Key(nkeys.PREFIX_BYTE_OPERATOR, "O")
    account = Key(nkeys.PREFIX_BYTE_ACCOUNT, "A")
    user, other = Key(nkeys.PREFIX_BYTE_USER, "U"), Key(nkeys.PREFIX_BYTE_USER, "V")
    system = Key(nkeys.PREFIX_BYTE_ACCOUNT, "S")  # JetStream asks for one
    accounts = "\n".join(
        f'{each.public}: "{operator.jwt(each, type="account", limits=limits)}"'
        for each, limits in ((account, {**_ALL, "wildcards": True}), (system, {}))
    )
    credentials = credentials_file(account.jwt(user, type="user", subs=-1, data=-1, payload=-1), user.seed)
    more = f"""
operator: "{operator.jwt(operator, type="operator")}"
resolver: MEMORY
resolver_preload {{
{accounts}
}}
system_account: {system.public}
"""
    path = tmp_path / "user.creds"
    path.write_text(credentials)
    async with running(tmp_path, more=more, user_credentials=str(path)) as broker:
        good = sink(broker.url, credentials=credentials.replace("\n", "\r\n"))
        await good.publish(events(3))
        await good.close()
        assert len(await broker.messages("POSTERN", user_credentials=str(path))) == 3
        of_nobody = credentials_file(user.jwt(user, type="user"), user.seed)  # no account has signed it
        of_another = credentials.replace(user.seed, other.seed)
        for wrong in (of_nobody, of_another, user.seed, None):
            failure = await refused(broker.url, credentials=wrong)
            assert (failure.code, failure.permanent) == ("broker_refused", True)
