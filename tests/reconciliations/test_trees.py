"""Merkle trees are those of RFC 6962, whether hashed at once or in chunks; canonical JSON is that of RFC 8785."""

import random
from hashlib import sha256

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.reconciliations.canonical import canonical_line, strict
from engine.reconciliations.merkle import CHUNK, leaf_hash, path_to, root_by_path, root_of
from tests.support.examples import examples

# The roots of github.com/google/certificate-transparency, cpp/merkletree/merkle_tree_test.cc.
_INPUTS = [
    b"", b"\x00", b"\x10", b"\x20\x21", b"\x30\x31", b"\x40\x41\x42\x43", bytes.fromhex("5051525354555657"),
    bytes.fromhex("606162636465666768696a6b6c6d6e6f"),
]  # fmt: skip
_ROOTS = {
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}


def by_definition(hashes: list[bytes]) -> bytes:
    """MTH of RFC 6962 §2.1, word by word."""
    if len(hashes) == 1:
        return hashes[0]
    half = 1
    while half * 2 < len(hashes):
        half *= 2
    return sha256(b"\x01" + by_definition(hashes[:half]) + by_definition(hashes[half:])).digest()


def leaves(count: int) -> list[bytes]:
    return [leaf_hash(b"", str(number).encode()) for number in range(count)]


@pytest.mark.parametrize("count", _ROOTS)
def test_known_roots(count: int):
    assert root_of([leaf_hash(b"", each) for each in _INPUTS[:count]]).hex() == _ROOTS[count]


def test_the_tree_of_nothing():
    assert root_of([]).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize("count", [1, 2, 3, 5, 7, 8, 9, 31, 33, 1000])
def test_roots_and_paths_by_definition(count: int):
    hashes = leaves(count)
    root = by_definition(hashes)
    assert root_of(hashes) == root
    for index in {0, count // 2, count - 1}:
        path = path_to(hashes, index)
        assert root_by_path(hashes[index], index, count, path) == root
        for wrong in ([*path, root], path[:-1]):
            if wrong != path:
                with pytest.raises(ValueError, match="path"):
                    root_by_path(hashes[index], index, count, wrong)


@pytest.mark.parametrize("count", [1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 7, 5 * CHUNK + 1])
def test_chunks_are_subtrees(count: int):
    hashes = leaves(count)
    chunks = [hashes[at : at + CHUNK] for at in range(0, count, CHUNK)]
    roots = [*map(root_of, chunks)]
    assert root_of(roots) == by_definition(hashes)
    for index in {0, count - 1, random.randrange(count)}:
        at = index // CHUNK
        path = [*path_to(chunks[at], index % CHUNK), *path_to(roots, at)]
        assert path == path_to(hashes, index)
        assert root_by_path(hashes[index], index, count, path) == root_of(roots)


_LINES = st.dictionaries(
    st.sampled_from(["person", "cause", "route", "parts", "late", "price"]),
    st.text(st.characters(exclude_categories=["Cs"])) | st.integers(-(2**53) + 1, 2**53 - 1) | st.booleans(),
)


@settings(max_examples=examples(100), deadline=None)
@given(_LINES)
def test_lines_are_canonical(line: dict[str, str | int | bool]):
    assert canonical_line(line) == rfc8785.dumps(line)
    assert strict(canonical_line(line)) == line


@pytest.mark.parametrize(
    "text", ['{"a":1,"a":1}', '{"a":1.0}', '{"a":NaN}', "{} {}", "9007199254740992", "[" * 100_000, "\xff"]
)
def test_json_of_which_two_readers_make_two_things_is_refused(text: str):
    with pytest.raises(ValueError):
        strict(text.encode("latin-1"))
