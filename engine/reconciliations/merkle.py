"""Merkle trees of RFC 6962 §2.1 with SHA-256.

A tree is the same whether its leaves are hashed at once, or in chunks of a power of two whose roots are the leaves of
the upper part: the largest power of two below the number of leaves is never inside a chunk.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

CHUNK: Final = 1024
"""The leaves of a chunk. A power of two."""
SIZE: Final = 32
"""The bytes of a hash."""

EMPTY: Final = sha256(b"").digest()
"""The root of no leaves."""


def leaf_hash(salt: bytes, line: bytes) -> bytes:
    """Returns the hash of a line, which its salt keeps from being guessed."""
    return sha256(b"\x00" + salt + line).digest()


def root_of(hashes: Sequence[bytes]) -> bytes:
    """Returns the root above hashes of leaves, or above the roots of chunks."""
    if not hashes:
        return EMPTY
    level = list(hashes)
    while len(level) > 1:
        level = _above(level)
    return level[0]


def path_to(hashes: Sequence[bytes], index: int) -> list[bytes]:
    """Returns the hashes by which the root is calculated from the one at `index`, from below."""
    path, level = list[bytes](), list(hashes)
    while len(level) > 1:
        if (beside := index ^ 1) < len(level):
            path.append(level[beside])
        level, index = _above(level), index // 2
    return path


def root_by_path(leaf: bytes, index: int, count: int, path: Sequence[bytes]) -> bytes:
    """Returns the root that a path leads to (RFC 9162 §2.1.3.2). Raises ValueError if it can't be the leaf's path."""
    if not 0 <= index < count:
        raise ValueError("the tree has no such leaf")
    position, last, hash = index, count - 1, leaf
    for beside in path:
        if last == 0:
            raise ValueError("the path is too long")
        if position & 1 or position == last:
            hash = _node(beside, hash)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            hash = _node(hash, beside)
        position, last = position >> 1, last >> 1
    if last:
        raise ValueError("the path is too short")
    return hash


def split(hashes: bytes) -> list[bytes]:
    """Returns the hashes of a chunk, which are stored one behind the other."""
    return [hashes[at : at + SIZE] for at in range(0, len(hashes), SIZE)]


def _above(level: Sequence[bytes]) -> list[bytes]:
    above = [_node(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
    return [*above, level[-1]] if len(level) % 2 else above


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()
