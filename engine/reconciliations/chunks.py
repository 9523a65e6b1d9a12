"""Chunks of lines: sealed with their hashes, stored, read again, and emptied."""

import hmac
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import orjson

from engine.reconciliations.merkle import CHUNK, leaf_hash, root_of, split

SALT: Final = 16
"""The bytes of a salt."""
_NO_SALT: Final = bytes(SALT)
_PERSON: Final = 32
_BUCKETS: Final = 64
_SPOOL: Final = 512 * 1024  # bytes of a bucket that stay in memory
_LEVEL: Final = 1  # of the compression: most bytes are random, and more effort saves little


def chunks_of(reconciliation: str, person: str) -> str:
    """Returns the statement that reads the chunks in which a person's lines may be, for the SQL of both. They are the
    last one that begins before the person, and those that begin with the person: the lines of one may be in several.
    """
    return f"""(
  SELECT number, hashes, salts, body FROM reconciliation_chunks
  WHERE reconciliation_id = {reconciliation} AND least < {person} ORDER BY least DESC, number DESC LIMIT 1
) UNION ALL (
  SELECT number, hashes, salts, body FROM reconciliation_chunks
  WHERE reconciliation_id = {reconciliation} AND least = {person}
)"""  # noqa: S608  our own words


class Chunk(NamedTuple):
    """A chunk, as its row has it."""

    number: int
    least: bytes
    root: bytes
    hashes: bytes
    salts: bytes
    body: bytes


class Entry(NamedTuple):
    """A line with its salt; of an erased person, or after the retention, its hash alone."""

    hash: bytes
    salt: bytes | None
    line: bytes | None

    @property
    def person(self) -> bytes | None:
        """Returns what stands for the person."""
        return None if self.line is None else bytes.fromhex(orjson.loads(self.line)["person"])

    @property
    def as_ndjson(self) -> bytes:
        """Returns the entry as a line of a file."""
        if self.line is None or self.salt is None:
            return b'{"leaf":"%b"}\n' % self.hash.hex().encode()
        return b'{"line":%b,"salt":"%b"}\n' % (self.line, self.salt.hex().encode())


@dataclass(slots=True)
class Sorter:
    """Sorts any number of lines by their persons. What is too much for the memory lies in files without a name."""

    persons: int = 0
    lines: int = 0
    _buckets: list[Any] = field(
        default_factory=lambda: [
            tempfile.SpooledTemporaryFile(_SPOOL)  # noqa: SIM115  `close` closes them
            for _ in range(_BUCKETS)
        ]
    )

    def add(self, person: bytes, line: bytes) -> None:
        """Adds a line."""
        self.lines += 1
        self._buckets[person[0] * _BUCKETS // 256].write(person + len(line).to_bytes(4) + line)

    def sealed(self, seed: bytes) -> Iterator[Chunk]:
        """Yields the lines as chunks, in the order of the persons; then `persons` is known."""
        waiting, number, before = list[tuple[bytes, bytes]](), 0, b""
        for entries in self._sorted():
            waiting += entries
            while len(waiting) >= CHUNK:
                yield self._seal(number, before, waiting[:CHUNK], seed)
                before, number = waiting[CHUNK - 1][0], number + 1
                del waiting[:CHUNK]
        if waiting:
            yield self._seal(number, before, waiting, seed)

    def close(self) -> None:
        """Drops what was sorted."""
        for bucket in self._buckets:
            bucket.close()

    def _sorted(self) -> Iterator[list[tuple[bytes, bytes]]]:
        before = None
        for bucket in self._buckets:
            bucket.seek(0)
            data, at, entries = bucket.read(), 0, []
            while at < len(data):
                size = int.from_bytes(data[at + _PERSON : at + _PERSON + 4])
                begin = at + _PERSON + 4
                entries.append((data[at : at + _PERSON], data[begin : begin + size]))
                at = begin + size
            bucket.close()
            entries.sort()
            for person, _ in entries:
                self.persons += person != before
                before = person
            yield entries

    def _seal(self, number: int, before: bytes, entries: Sequence[tuple[bytes, bytes]], seed: bytes) -> Chunk:
        lines = [line for _, line in entries]
        # The salts can't be calculated without the seed, which is deleted when the chunks are stored.
        salts = [hmac.digest(seed, line, "sha256")[:SALT] for line in lines]
        hashes = [leaf_hash(salt, line) for salt, line in zip(salts, lines, strict=True)]
        return Chunk(
            number,
            _least(before, entries[0][0]) if number else b"",
            root_of(hashes),
            b"".join(hashes),
            b"".join(salts),
            packed(lines),
        )


def packed(lines: Sequence[bytes]) -> bytes:
    """Returns lines as a chunk stores them. An erased line is empty."""
    return zlib.compress(b"\n".join(lines), _LEVEL)


def entries_of(row: Any) -> list[Entry]:
    """Returns the entries of a stored chunk."""
    hashes = split(row["hashes"])
    if row["body"] is None:
        return [Entry(hash, None, None) for hash in hashes]
    lines, salts = zlib.decompress(row["body"]).split(b"\n"), row["salts"]
    return [
        Entry(hash, salts[at * SALT : at * SALT + SALT], line) if line else Entry(hash, None, None)
        for at, (hash, line) in enumerate(zip(hashes, lines, strict=True))
    ]


def without(entries: Sequence[Entry], person: bytes) -> tuple[bytes, bytes] | None:
    """Returns salts and body of a chunk without the lines of a person; None: it has none of them."""
    left = [entry if entry.person != person else Entry(entry.hash, None, None) for entry in entries]
    if left == [*entries]:
        return None
    return (
        b"".join(entry.salt or _NO_SALT for entry in left),
        packed([entry.line or b"" for entry in left]),
    )


def _least(before: bytes, first: bytes) -> bytes:
    """Returns the shortest bytes that sort behind one person and not behind the next: they tell little of either."""
    for length in range(1, len(first) + 1):
        if first[:length] > before:
            return first[:length]
    return first
