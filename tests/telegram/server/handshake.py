"""Agrees on a key with a client (core.telegram.org/mtproto/auth_key)."""

import os
import struct
import time
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha1

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from telethon import helpers
from telethon.crypto import AES, AuthKey
from telethon.extensions import BinaryReader
from telethon.tl import TLObject, functions, types

# The 2048-bit safe prime that Telegram's servers use.
PRIME_BYTES = bytes.fromhex(
    "C71CAEB9C6B1C9048E6C522F70F13F73980D40238E3E21C14934D037563D930F"
    "48198A0AA7C14058229493D22530F4DBFA336F6E0AC925139543AED44CCE7C37"
    "20FD51F69458705AC68CD4FE6B6B13ABDC9746512969328454F18FAF8C595F64"
    "2477FE96BB2A941D5BCD1D4AC8CC49880708FA9B378E3C4F3A9060BEE67CF9A4"
    "A4A695811051907E162753B56B0F6B410DBA74D8A84B2A14B3144E0EF1284754"
    "FD17ED950D5965B4B9DD46582DB1178D169C6BC465B0D6FF9CA3928FEF5B9AE4"
    "E418FC15E83EBEA0F87FA9FF5EED70050DED2849F47BF959D956850CE929851F"
    "0D8115F635B105EE2E4E15D04B2454BF6F4FADF034B10403119CD8E3B92FCC5B"
)
PRIME = int.from_bytes(PRIME_BYTES, "big")
G = 3
# One is small, so that a client has them at once, and they are far apart: of two of one size Telethon's search
# (Pollard's rho) finds once in a thousand times no factor but 1.
P, Q = 65_537, 2**40 + 15


def number(value: int) -> bytes:
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


@dataclass(frozen=True)
class Key:
    """The server's own key."""

    n: int
    e: int
    d: int = field(repr=False)
    pem: str

    @property
    def fingerprint(self) -> int:
        data = TLObject.serialize_bytes(number(self.n)) + TLObject.serialize_bytes(number(self.e))
        value: int = struct.unpack("<q", sha1(data).digest()[-8:])[0]
        return value

    def decrypt(self, data: bytes) -> bytes:
        return pow(int.from_bytes(data, "big"), self.d, self.n).to_bytes(255, "big")


@cache
def key() -> Key:
    """Returns the RSA key of this process."""
    made = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    numbers = made.private_numbers()
    pem = made.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.PKCS1)
    return Key(numbers.public_numbers.n, numbers.public_numbers.e, numbers.d, pem.decode())


class Handshake:
    """Holds one client's handshake. `answer` takes its requests in their order; `made` is the key at the end."""

    def __init__(self) -> None:
        self._server_nonce = int.from_bytes(os.urandom(16), "little", signed=True)
        self._new_nonce = 0
        self._a = int.from_bytes(os.urandom(256), "big")
        self.made: AuthKey | None = None

    def answer(self, request: TLObject) -> TLObject:
        if isinstance(request, functions.ReqPqMultiRequest):
            return types.ResPQ(request.nonce, self._server_nonce, number(P * Q), [key().fingerprint])
        assert request.server_nonce == self._server_nonce
        if isinstance(request, functions.ReqDHParamsRequest):
            return self._params(request)
        assert isinstance(request, functions.SetClientDHParamsRequest)
        return self._finish(request)

    def _params(self, request: functions.ReqDHParamsRequest) -> TLObject:
        assert request.public_key_fingerprint == key().fingerprint
        plain = key().decrypt(request.encrypted_data)
        with BinaryReader(plain[20:]) as reader:
            inner = reader.tgread_object()
            assert sha1(plain[20 : 20 + reader.tell_position()]).digest() == plain[:20]
        assert isinstance(inner, types.PQInnerData)
        assert (inner.p, inner.q) == (number(P), number(Q))
        self._new_nonce = inner.new_nonce
        answer = bytes(
            types.ServerDHInnerData(
                request.nonce,
                self._server_nonce,
                G,
                PRIME_BYTES,
                number(pow(G, self._a, PRIME)),
                int(time.time()),
            )
        )
        hashed = sha1(answer).digest() + answer
        hashed += os.urandom(-len(hashed) % 16)
        return types.ServerDHParamsOk(
            request.nonce, self._server_nonce, AES.encrypt_ige(hashed, *self._temporary())
        )

    def _temporary(self) -> tuple[bytes, bytes]:
        made: tuple[bytes, bytes] = helpers.generate_key_data_from_nonce(self._server_nonce, self._new_nonce)
        return made

    def _finish(self, request: functions.SetClientDHParamsRequest) -> TLObject:
        plain = AES.decrypt_ige(request.encrypted_data, *self._temporary())
        with BinaryReader(plain[20:]) as reader:
            inner = reader.tgread_object()
            assert sha1(plain[20 : 20 + reader.tell_position()]).digest() == plain[:20]
        assert isinstance(inner, types.ClientDHInnerData)
        shared = pow(int.from_bytes(inner.g_b, "big"), self._a, PRIME).to_bytes(256, "big")
        made = AuthKey(shared)
        if shared[0] == 0:  # one of two hundred, which Telethon takes for a shorter one: it begins anew
            return types.DhGenFail(
                request.nonce, self._server_nonce, made.calc_new_nonce_hash(self._new_nonce, 3)
            )
        self.made = made
        return types.DhGenOk(
            request.nonce, self._server_nonce, self.made.calc_new_nonce_hash(self._new_nonce, 1)
        )
