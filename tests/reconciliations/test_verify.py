"""Files that somebody has changed are refused, 40 of 40; those that nobody has changed are not."""

import copy
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typer.testing import CliRunner

from engine.reconciliations import jws
from engine.reconciliations.canonical import canonical
from postern.cli import app
from tests.reconciliations.conftest import files, finished
from tests.reconciliations.test_sums import again
from tests.support.people import Person
from tests.support.projects import Projects


class Case(NamedTuple):
    """The answers of the doors, which are handed over as files."""

    documents: list[Any]
    lines: list[bytes]
    proof: Any
    keys: Any
    other: Any  # a document of another project


Tamper = Callable[[Case], Any]
TAMPERS: dict[str, Tamper] = {}


def tamper(change: Tamper) -> Tamper:
    TAMPERS[change.__name__] = change
    return change


def changes(*path: Any, to: Any) -> Callable[[Any], None]:
    """Returns what changes one value of the newest document of a case."""

    def change(case: Any) -> None:
        part = case.documents[-1]["document"]
        for name in path[:-1]:
            part = part[name]
        part[path[-1]] = to(part[path[-1]]) if callable(to) else to

    return change


def one_more(value: int) -> int:
    return value + 1


def _beside(**values: Any) -> Tamper:
    return lambda case: _put(case.documents[-1], values)


def _of_proof(**values: Any) -> Tamper:
    return lambda case: _put(case.proof, values)


def _put(part: Any, values: dict[str, Any]) -> None:
    for name, to in values.items():
        part[name] = to(part[name]) if callable(to) else to


def _resigned(case: Case, change: Tamper) -> None:
    """Somebody changes the document and signs it with a key of their own, under the id of ours or of theirs."""
    change(case)
    key = Ed25519PrivateKey.generate()
    bundle = case.documents[-1]
    kid = bundle["keys"]["keys"][0]["kid"]
    bundle["signature"] = jws.sign(key, kid, canonical(bundle["document"]))


TAMPERS |= {
    "a person more": changes("counts", "materialised", to=one_more),
    "one more delivered": changes("counts", "sent", "delivered", to=one_more),
    "one more sent": changes("counts", "sent", "total", to=one_more),
    "one fewer failed": changes("counts", "failed", "total", to=lambda n: n - 1),
    "a cause": changes("counts", "failed", "causes", 0, "cause", to="other"),
    "no unknown": changes("counts", "unknown", "total", to=0),
    "late": changes("counts", "late", to=1),
    "charged": changes("money", "charged", to="0.01"),
    "refunded": changes("money", "refunded", to="1"),
    "prices": changes("money", "prices", to="0"),
    "a group's amount": changes("money", "groups", 0, "amount", to="9"),
    "a group's country": changes("money", "groups", 0, "country", to="XK"),
    "no group": changes("money", "groups", to=[]),
    "currency": changes("money", "currency", to="EUR"),
    "line count": changes("lines", "count", to=one_more),
    "root": changes("lines", "root", to="0" * 64),
    "number": changes("number", to=7),
    "kind": changes("kind", to="settled"),
    "state": changes("state", to="open"),
    "a difference": changes("differences", to=[{"what": "x", "counted": "1", "recorded": "2"}]),
    "settled": changes("settled", to=lambda is_settled: not is_settled),
    "the project": changes("project", "uuid", to=str(UUID(int=1))),
    "the project's name": changes("project", "name", to="Other"),
    "the owner": changes("owner", to=str(UUID(int=1))),
    "the time": changes("begunAt", to="2026-01-01T00:00:00.000000Z"),
    "the one before": changes("previous", to="0" * 64),
    "a plan": changes("plan", to={"number": 1}),
    "another hash beside the document": _beside(hash="0" * 64),
    "another root beside the document": _beside(root="0" * 64),
    "another number beside the document": _beside(number=one_more),
    "a number of another type beside the document": _beside(number=str),
    "another state beside the document": _beside(state="open"),
    "settled beside the document": _beside(settled=lambda is_settled: not is_settled),
    "another line count beside the document": _beside(lineCount=one_more),
    "another project beside the document": _beside(sendingProjectUuid=str(UUID(int=1))),
    "another one before, beside the document": _beside(previousHash=None),
    "another kind beside the document": _beside(kind="settled"),
    "another key beside the document": _beside(keyId="x" * 43),
    "another root in the proof": _of_proof(root="0" * 64),
    "another number in the proof": _of_proof(number=one_more),
    "another line count in the proof": _of_proof(lineCount=one_more),
    "the proof says that nobody can tell": _of_proof(state="unknown"),
    "a new name in the document": lambda case: case.documents[-1]["document"].update(extra=1),
}


# keys and signatures
@tamper
def another_key_under_our_id(case: Case) -> None:
    _resigned(case, changes("money", "charged", to="0"))


@tamper
def another_key_that_comes_with_the_file(case: Case) -> None:
    key = Ed25519PrivateKey.generate()
    bundle, x = case.documents[-1], jws.public_text(key.public_key())
    bundle["keys"] = {"keys": [jws.jwk(x)]}
    bundle["signature"] = jws.sign(key, jws.thumbprint(x), canonical(bundle["document"]))


@tamper
def the_signature_of_another_document(case: Case) -> None:
    case.documents[-1]["signature"] = case.documents[0]["signature"]


@tamper
def no_signature(case: Case) -> None:
    del case.documents[-1]["signature"]


@tamper
def an_algorithm_of_their_own(case: Case) -> None:
    header, _, signed = case.documents[-1]["signature"].split(".")
    case.documents[-1]["signature"] = f"{header[:-2]}..{signed}"


@tamper
def a_key_twice(case: Case) -> bytes:
    text = orjson.dumps(case.documents[-1])
    return text.replace(b'"state":"balanced"', b'"state":"open","state":"balanced"')


# the chain
@tamper
def a_document_is_left_out_of_the_chain(case: Case) -> None:
    del case.documents[1]


@tamper
def a_document_of_another_project_in_the_chain(case: Case) -> None:
    case.documents[0] = case.other


# the lines
@tamper
def a_line_less(case: Case) -> None:
    del case.lines[3]


@tamper
def a_line_twice(case: Case) -> None:
    case.lines.insert(3, case.lines[3])


@tamper
def two_lines_in_another_order(case: Case) -> None:
    case.lines[2], case.lines[3] = case.lines[3], case.lines[2]


@tamper
def another_state_in_a_line(case: Case) -> None:
    case.lines[0] = case.lines[0].replace(b'"state":"', b'"state":"un', 1)


@tamper
def another_price_in_a_line(case: Case) -> None:
    at = next(at for at, line in enumerate(case.lines) if b'"price":"' in line)
    case.lines[at] = case.lines[at].replace(b'"price":"0', b'"price":"1')


@tamper
def another_salt(case: Case) -> None:
    case.lines[1] = case.lines[1][:-10] + bytes(reversed(case.lines[1][-10:-3])) + case.lines[1][-3:]


@tamper
def a_line_is_called_erased(case: Case) -> None:
    case.lines[1] = b'{"leaf":"' + b"0" * 64 + b'"}\n'


# the proof
@tamper
def another_line_in_the_proof(case: Case) -> None:
    case.proof["line"]["state"] = "delivered" if case.proof["line"]["state"] != "delivered" else "failed"


@tamper
def another_path(case: Case) -> None:
    case.proof["path"][0] = "0" * 64


@tamper
def another_index(case: Case) -> None:
    case.proof["index"] = (case.proof["index"] + 1) % case.proof["lineCount"]


@pytest.fixture
async def case(projects: Projects, ada: Person) -> Case:
    phones = [f"+1415555{number:04}" for number in range(10, 30)]
    project = await finished(projects, ada, phones, channel="sms")
    await again(projects, project)
    await again(projects, project)
    documents = [
        (await ada.rest("GET", f"/sending-project/{project}/reconciliation?number={number}")).json()
        for number in (1, 2, 3)
    ]
    lines = (await ada.rest("GET", f"/sending-project/{project}/reconciliation/lines")).content
    proof = await ada.rest(
        "GET", f"/sending-project/{project}/reconciliation/proof", params={"address": phones[1]}
    )
    keys = (await ada.rest("GET", "/.well-known/jwks.json")).json()
    another = await finished(projects, ada, phones, channel="sms")
    other = (await ada.rest("GET", f"/sending-project/{another}/reconciliation")).json()
    assert (await files(projects, project)).lines == lines.splitlines(keepends=True)
    return Case(documents, lines.splitlines(keepends=True), proof.json(), keys, other)


def check(case: Case, folder: Path, last: bytes | None = None, *options: str) -> Any:
    names = []
    for number, document in enumerate(case.documents):
        path = folder / f"{number}.json"
        path.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2))
        names.append(str(path))
    if last is not None:
        Path(names[-1]).write_bytes(last)
    (folder / "lines").write_bytes(b"".join(case.lines))
    (folder / "proof").write_bytes(orjson.dumps(case.proof))
    (folder / "keys").write_bytes(orjson.dumps(case.keys))
    words = ["--lines", str(folder / "lines"), "--proof", str(folder / "proof")]
    words += options or ["--keys", str(folder / "keys")]
    return CliRunner().invoke(app, ["verify", *names, *words])


async def test_changed_files_are_refused(case: Case, tmp_path: Path):
    assert len(TAMPERS) >= 40
    answer = check(case, tmp_path)
    assert answer.exit_code == 0, answer.output
    accepted = []
    for name, change in TAMPERS.items():
        changed = copy.deepcopy(case)
        answer = check(changed, tmp_path, change(changed))
        if answer.exit_code != 1 or "✗" not in answer.output or "Traceback" in answer.output:
            accepted.append((name, answer.output))
    assert not accepted


SIGNED = (
    "a person more", "one more delivered", "one more sent", "one fewer failed", "a cause", "no unknown", "late",
    "charged", "refunded", "prices", "a group's amount", "a group's country", "no group", "line count", "root",
    "state", "a difference", "the one before", "number",
)  # fmt: skip


async def test_numbers_that_were_signed_must_add_up_all_the_same(case: Case, tmp_path: Path):
    """A sum that its parts or the lines contradict is refused, whatever signs it."""
    (tmp_path / "before").write_bytes(orjson.dumps(case.documents[1]))
    (tmp_path / "lines").write_bytes(b"".join(case.lines))
    for name in SIGNED:
        changed = copy.deepcopy(case)
        TAMPERS[name](changed)
        another_key_that_comes_with_the_file(changed)
        (tmp_path / "last").write_bytes(orjson.dumps(changed.documents[-1]))
        words = [str(tmp_path / "before"), str(tmp_path / "last"), "--lines", str(tmp_path / "lines")]
        answer = CliRunner().invoke(app, ["verify", *words])
        assert answer.exit_code == 1, name
        assert "signature" not in answer.output, name


async def test_bytes_at_random(case: Case, tmp_path: Path):
    """Any letter or digit of the newest document."""
    dice = random.Random(7)
    text, document = canonical(case.documents[-1]), canonical(case.documents[-1]["document"])
    begin = text.index(document)
    for _ in range(100):
        at = begin + dice.randrange(len(document))
        if chr(text[at]).isalnum():
            wrong = bytearray(text)
            wrong[at] = ord(dice.choice([c for c in "0123456789abcdef" if ord(c) != text[at]]))
            assert check(case, tmp_path, bytes(wrong)).exit_code == 1, bytes(wrong)


async def test_the_key_may_be_pinned(case: Case, tmp_path: Path):
    kid = case.documents[0]["keyId"]
    answer = check(case, tmp_path, None, "--fingerprint", kid)
    assert answer.exit_code == 0, answer.output
    assert "!" not in answer.output
    answer = check(case, tmp_path, None, "--fingerprint", "x" * 43)
    assert answer.exit_code == 1
    unpinned = CliRunner().invoke(app, ["verify", str(tmp_path / "0.json")])
    assert unpinned.exit_code == 0
    assert f"--fingerprint {kid}" in unpinned.output


async def test_a_file_that_is_not_there(tmp_path: Path):
    answer = CliRunner().invoke(app, ["verify", str(tmp_path / "none.json")])
    assert answer.exit_code == 2
    for content in (b"", b"[]", b"\xff", b'{"document": 1}', b'{"document": {}, "signature": 1, "keys": []}'):
        (tmp_path / "bad.json").write_bytes(content)
        assert CliRunner().invoke(app, ["verify", str(tmp_path / "bad.json")]).exit_code == 1
