"""The codes: random digits, of which a row has a MAC to compare with, and the sealed digits for the next message."""

import hmac
import secrets
from collections.abc import Iterable
from typing import Final
from uuid import UUID

from core.vault import Vault
from engine.direct.withheld_codes import CONTEXT
from shapes.addresses import address_key
from shapes.verifications import MASK

KEY: Final = "verifications"
"""The purpose of the key under which the MACs are."""


def new_code(length: int) -> str:
    """Returns so many random digits."""
    return f"{secrets.randbelow(10**length):0{length}d}"


def masked(length: int) -> str:
    """Returns what stands for a code of this length."""
    return MASK * length


def mac(key: bytes, id: UUID, code: str) -> bytes:
    """Returns the MAC of a verification's code."""
    return hmac.digest(key, b"code:" + id.bytes + code.encode(), "sha256")


def is_right(keys: Iterable[bytes], id: UUID, code: str, stored: bytes) -> bool:
    """Returns whether a code has this MAC, by any of the keys, in a time that does not depend on the code."""
    compared = [hmac.compare_digest(mac(key, id, code), stored) for key in keys]
    return any(compared)


def address_hash(key: bytes, purpose: str, address: str) -> bytes:
    """Returns the hash by which the limits of a day find an address and purpose."""
    return hmac.digest(key, f"day:{purpose}\x00{address_key(address)}".encode(), "sha256")


def sealed(vault: Vault, id: UUID, code: str) -> bytes:
    """Returns the sealed code of a verification."""
    return vault.seal(code, f"{CONTEXT}:{id}")
