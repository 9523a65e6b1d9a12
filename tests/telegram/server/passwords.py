"""The server's side of the cloud password: SRP (core.telegram.org/api/srp)."""

import os
from dataclasses import dataclass, field

from telethon import password as srp
from telethon.tl import types

from tests.telegram.server.handshake import PRIME, PRIME_BYTES, G


def _wide(value: int) -> bytes:
    return value.to_bytes(256, "big")


@dataclass
class Password:
    word: str = field(repr=False)
    hint: str = "the usual one"

    def __post_init__(self) -> None:
        self._algo = types.PasswordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow(
            os.urandom(8), os.urandom(16), G, PRIME_BYTES
        )
        x = int.from_bytes(srp.compute_hash(self._algo, self.word), "big")
        self._v = pow(G, x, PRIME)
        self._k = int.from_bytes(srp.sha256(PRIME_BYTES, _wide(G)), "big")
        self._asked: dict[int, tuple[int, int]] = {}

    def ask(self) -> types.account.Password:
        b = int.from_bytes(os.urandom(256), "big")
        public = (self._k * self._v + pow(G, b, PRIME)) % PRIME
        number = int.from_bytes(os.urandom(7), "big")
        self._asked[number] = (b, public)
        return types.account.Password(
            new_algo=self._algo,
            new_secure_algo=types.SecurePasswordKdfAlgoUnknown(),
            secure_random=os.urandom(8),
            has_password=True,
            current_algo=self._algo,
            srp_B=_wide(public),
            srp_id=number,
            hint=self.hint,
        )

    def right(self, answer: types.InputCheckPasswordSRP) -> bool:
        b, public = self._asked.pop(answer.srp_id)
        a = int.from_bytes(answer.A, "big")
        u = int.from_bytes(srp.sha256(_wide(a), _wide(public)), "big")
        shared = pow(a * pow(self._v, u, PRIME), b, PRIME)
        proof = srp.sha256(
            srp.xor(srp.sha256(PRIME_BYTES), srp.sha256(_wide(G))),
            srp.sha256(self._algo.salt1),
            srp.sha256(self._algo.salt2),
            _wide(a),
            _wide(public),
            srp.sha256(_wide(shared)),
        )
        return bool(proof == answer.M1)
