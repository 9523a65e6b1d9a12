"""The check of signed documents that come as files, with no database and no network."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from engine.reconciliations import jws
from engine.reconciliations.canonical import canonical, canonical_line, strict
from engine.reconciliations.chunks import SALT
from engine.reconciliations.document import TYPE
from engine.reconciliations.forms import Form
from engine.reconciliations.merkle import CHUNK, SIZE, leaf_hash, root_by_path, root_of
from engine.reconciliations.sums import OTHERS, WAITING, Sums, contradictions

_LONGEST: Final = 65_536  # bytes of a line
_NONE: Final = object()
_SIGNED: Final = {
    "number": ("number",),
    "kind": ("kind",),
    "state": ("state",),
    "settled": ("settled",),
    "previousHash": ("previous",),
    "sendingProjectUuid": ("project", "uuid"),
    "lineCount": ("lines", "count"),
    "root": ("lines", "root"),
}
RECONCILIATION: Final = Form(TYPE, "project", _SIGNED, contradictions, same=("installation", "owner"))
"""The form of reconciliations."""
_OF_PROOFS: Final = ("number", "root", "lineCount")


class Refused(Exception):
    """A file is not what it should be; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Trust:
    """Says which keys are believed: those of a set, or the one with a fingerprint; without both, any."""

    keys: Mapping[str, Ed25519PublicKey] | None = None
    fingerprint: str | None = None

    @property
    def is_set(self) -> bool:
        """Returns whether it is limited to some keys."""
        return self.keys is not None or self.fingerprint is not None


@dataclass(frozen=True, slots=True)
class Verified:
    """A document whose signature and sums are right."""

    document: Mapping[str, Any]
    hash: bytes
    kid: str
    form: Form


@dataclass(slots=True)
class CheckedLines:
    """The lines of a file, counted and hashed."""

    sums: Sums = field(default_factory=Sums)
    count: int = 0
    erased: int = 0
    persons: int = 0
    root: bytes = b""


def read_keys(data: bytes) -> dict[str, Ed25519PublicKey]:
    """Returns the keys of a set (RFC 7517). Raises Refused."""
    try:
        return jws.keys_of(strict(data))
    except ValueError as error:
        raise Refused(f"the keys can't be read: {error}") from error


def verify_document(data: bytes, trust: Trust, forms: Sequence[Form] = (RECONCILIATION,)) -> Verified:
    """Checks the signature of a document and the sums inside it. `forms`: the types that it may have. Raises
    Refused.
    """
    bundle = _read(data)
    document = bundle.get("document")
    if not isinstance(document, dict):
        raise Refused("it has no document")
    try:
        payload = canonical(document)
        keys = trust.keys if trust.keys is not None else jws.keys_of(bundle.get("keys"))
        if trust.fingerprint is not None:
            keys = {kid: key for kid, key in keys.items() if kid == trust.fingerprint}
        kid = jws.verify(bundle.get("signature"), payload, keys)
    except (ValueError, jws.BadSignature) as error:
        raise Refused(str(error)) from error
    form = next((each for each in forms if each.type == document.get("type")), None)
    if form is None:
        raise Refused(f"its document is no {' and no '.join(each.type for each in forms)}")
    try:
        wrong = [*form.contradictions(document)]
        hash = sha256(payload).digest()
        wrong += _other(bundle, {**_of(document, form.signed), "hash": hash.hex(), "keyId": kid})
        if (document["number"] == 1) != (document["previous"] is None):
            wrong.append("it has not the place in the chain that its number says")
    except (KeyError, TypeError, ValueError, ArithmeticError) as error:
        raise Refused("its document lacks numbers") from error
    if wrong:
        raise Refused("; ".join(wrong))
    return Verified(document, hash, kid, form)


def verify_chain(documents: Sequence[Verified]) -> Sequence[Verified]:
    """Returns documents of one project or account by their numbers. Raises Refused if one is missing between two, or
    does not name the hash of the one before.
    """
    if len({each.form.type for each in documents}) > 1:
        raise Refused("the documents are not of one type")
    chain = sorted(documents, key=lambda each: int(each.document["number"]))
    for before, after in pairwise(chain):
        old, new, about = before.document, after.document, before.form.about
        if any(old[name] != new[name] for name in before.form.same) or (
            old[about]["uuid"] != new[about]["uuid"]
        ):
            raise Refused(f"the documents are not of one {about}")
        if new["number"] != old["number"] + 1:
            raise Refused(f"between number {old['number']} and number {new['number']} the chain is broken")
        if new["previous"] != before.hash.hex():
            raise Refused(
                f"number {new['number']} names another document than this number {old['number']} before it"
            )
        if wrong := [*before.form.follows(old, new)]:
            raise Refused("; ".join(wrong))
    return chain


def read_lines(lines: Iterable[bytes]) -> CheckedLines:
    """Counts and hashes the lines of a file. Raises Refused for one that is none, and for another order."""
    checked, roots, hashes = CheckedLines(), list[bytes](), list[bytes]()
    before = ""
    for number, raw in enumerate(lines, 1):
        try:
            hash, person = _entry(raw, checked, before)
        except (KeyError, TypeError, ValueError, ArithmeticError) as error:
            raise Refused(f"line {number} is no line of a reconciliation: {error}") from error
        if person is not None:
            checked.persons += person != before
            before = person
        hashes.append(hash)
        if len(hashes) == CHUNK:
            roots.append(root_of(hashes))
            hashes = []
    if hashes:
        roots.append(root_of(hashes))
    checked.root = root_of(roots)
    try:
        checked.sums.count()
    except (TypeError, ValueError, ArithmeticError) as error:
        raise Refused("the lines have numbers that are none") from error
    return checked


def _entry(raw: bytes, checked: CheckedLines, before: str) -> tuple[bytes, str | None]:
    """Returns the hash of a line, and the person; None: of an erased one. Raises ValueError."""
    if len(raw) > _LONGEST or not raw.endswith(b"\n"):
        raise ValueError("it is too long, or has no end")
    entry = strict(raw)
    checked.count += 1
    if entry.keys() == {"leaf"}:
        checked.erased += 1
        return _bytes(entry["leaf"], SIZE), None
    if entry.keys() != {"line", "salt"}:
        raise ValueError("it has other keys")
    line, salt = entry["line"], _bytes(entry["salt"], SALT)
    text = canonical_line(line)
    if raw != b'{"line":%b,"salt":"%b"}\n' % (text, salt.hex().encode()):
        raise ValueError("it is not as it was written")
    person = line["person"]
    if person < before:
        raise ValueError("the lines are not in their order")
    checked.sums.add(line)
    return leaf_hash(salt, text), person


def verify_lines(document: Mapping[str, Any], lines: CheckedLines) -> None:
    """Checks that these are the lines of a document, and that they have its sums. Raises Refused."""
    about = document["lines"]
    if lines.count != about["count"]:
        raise Refused(f"there are {lines.count} lines, and the document is about {about['count']}")
    if lines.root.hex() != about["root"]:
        raise Refused("the lines are not those of the document: their root is another one")
    sums = lines.sums
    if lines.erased:
        wrong = [*_beyond(document, sums, lines.erased)]
    else:
        wrong = (
            [] if sums.counts() == document["counts"] else ["the lines have other counts than the document"]
        )
        if sums.money() != document["money"]["groups"]:
            wrong.append("the lines have other amounts than the document")
        if lines.persons != about["persons"]:
            wrong.append("the lines are about another number of persons")
    if wrong:
        raise Refused("; ".join(wrong))


def _beyond(document: Mapping[str, Any], sums: Sums, erased: int) -> Iterator[str]:
    """Yields where lines of which some are erased have more than the document."""
    counts = document["counts"]
    if sums.lines + erased != counts["materialised"]:
        yield "the lines that are left and the erased ones are not all messages"
    mine = sums.counts()
    pairs = [(mine["sent"][name], counts["sent"][name]) for name in ("delivered", "undelivered", "noReport")]
    pairs += [(mine[state]["total"], counts[state]["total"]) for state in OTHERS]
    pairs += [(mine[state], counts[state]) for state in WAITING]
    if any(left > all_of_them for left, all_of_them in pairs):
        yield "the lines that are left have more than the document counts"


def verify_proof(data: bytes, document: Mapping[str, Any]) -> str:
    """Checks a proof against a document. Returns `present` or `unknown`. Raises Refused."""
    proof, about = _read(data), document["lines"]
    try:
        leaf = _bytes(proof["leaf"], SIZE)
        if proof["state"] not in ("present", "unknown") or (proof["line"] is None) != (
            proof["state"] == "unknown"
        ):
            raise ValueError("it is neither present nor unknown")
        if wrong := [*_other(proof, _of(document, {name: _SIGNED[name] for name in _OF_PROOFS}))]:
            raise ValueError("; ".join(wrong))
        if proof["line"] is not None and leaf != leaf_hash(
            _bytes(proof["salt"], SALT), canonical_line(proof["line"])
        ):
            raise ValueError("its hash is not that of its line")
        path = [_bytes(each, SIZE) for each in proof["path"]]
        root = root_by_path(leaf, int(proof["index"]), about["count"], path)
    except (KeyError, TypeError, ValueError) as error:
        raise Refused(f"the proof is none: {error}") from error
    if root.hex() != about["root"]:
        raise Refused("the proof leads to another root than that of the document")
    return str(proof["state"])


def _of(document: Mapping[str, Any], names: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Returns what a document has under other names. Raises KeyError or TypeError."""
    values = dict[str, Any]()
    for name, path in names.items():
        values[name] = document
        for part in path:
            values[name] = values[name][part]
    return values


def _other(beside: Mapping[str, Any], signed: Mapping[str, Any]) -> Iterator[str]:
    """Yields the names of values beside a document that differ from the signed ones. A name may be left out."""
    for name, value in signed.items():
        other = beside.get(name, _NONE)
        if other is not _NONE and (type(other) is not type(value) or other != value):
            yield f"`{name}` beside the document is {other!r}, and the document says {value!r}"


def _read(data: bytes) -> dict[str, Any]:
    try:
        value = strict(data)
    except ValueError as error:
        raise Refused(f"it is no JSON that can be checked: {error}") from error
    if not isinstance(value, dict):
        raise Refused("it is no object of JSON")
    return value


def _bytes(text: Any, length: int) -> bytes:
    """Returns bytes of their hexadecimal text in lower case. Raises ValueError."""
    data = bytes.fromhex(text) if isinstance(text, str) and len(text) == 2 * length else b""
    if data.hex() != text:
        raise ValueError(f"it is no hash or salt of {length} bytes")
    return data
