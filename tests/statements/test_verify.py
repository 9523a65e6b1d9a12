"""Statements that somebody has changed are refused, 40 of 40; those that nobody has changed are not."""

import copy
from collections.abc import Callable
from datetime import timedelta
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
from tests.reconciliations.conftest import all_words, finished
from tests.reconciliations.test_verify import changes, one_more
from tests.statements.conftest import Books, statement
from tests.support.people import Person
from tests.support.projects import Projects


class Case(NamedTuple):
    """The answers of the doors, which are handed over as files."""

    documents: list[Any]
    keys: Any
    other: Any  # a statement of another account


Tamper = Callable[[Case], Any]


def _beside(**values: Any) -> Tamper:
    return lambda case: case.documents[-1].update(values)


def _resign(case: Case, *, openly: bool) -> None:
    """Signs with a key of their own, under our id, or openly under theirs."""
    key, bundle = Ed25519PrivateKey.generate(), case.documents[-1]
    x = jws.public_text(key.public_key())
    kid = jws.thumbprint(x) if openly else bundle["keys"]["keys"][0]["kid"]
    if openly:
        bundle["keys"], bundle["keyId"] = {"keys": [jws.jwk(x)]}, kid
    bundle["signature"] = jws.sign(key, kid, canonical(bundle["document"]))


def _swapped(case: Case) -> None:
    lines = case.documents[-1]["document"]["lines"]
    lines[0], lines[1] = lines[1], lines[0]


def _twice(case: Case) -> bytes:
    return orjson.dumps(case.documents[-1]).replace(
        b'"state":"balanced"', b'"state":"open","state":"balanced"'
    )


SUMS: dict[str, Tamper] = {
    "the opening balance": changes("balance", "opening", to="1"),
    "the closing balance": changes("balance", "closing", to="1"),
    "net": changes("balance", "net", to="0"),
    "late": changes("balance", "late", to="1"),
    "a late month": changes("late", to=[{"month": "2026-01", "amount": "1"}]),
    "an amount": changes("lines", 0, "amount", to="-9"),
    "messages of a line": changes("lines", 0, "messages", to=one_more),
    "parts of a line": changes("lines", 0, "parts", to=one_more),
    "the kind of a line": changes("lines", 0, "kind", to="charge"),
    "a line less": changes("lines", to=lambda lines: lines[1:]),
    "a line twice": changes("lines", to=lambda lines: [lines[0], *lines]),
    "no lines": changes("lines", to=[]),
    "lines in another order": _swapped,
    "a total": changes("totals", 1, "amount", to="-1"),
    "messages of a total": changes("totals", 1, "messages", to=one_more),
    "parts of a total": changes("totals", 1, "parts", to=one_more),
    "a total less": changes("totals", to=lambda totals: totals[:-1]),
    "the state": changes("state", to="open"),
    "a difference": changes("differences", to=[{"what": "x", "counted": "1", "recorded": "2"}]),
    "a month that is not over": changes("begunAt", to="2020-01-01T00:00:00.000000Z"),
    "the one before": changes("previous", to="0" * 64),
    "the number": changes("number", to=7),
    "an amount of free messages": changes("totals", 3, "amount", to="0"),
}
"""Holds changes that the sums or the chain contradict, whoever signs them."""
TAMPERS: dict[str, Tamper] = SUMS | {
    "the country of a line": changes("lines", 0, "country", to="XK"),
    "the sender of a line": changes("lines", -1, "sender", to="Bank"),
    "the project of a line": changes("lines", -1, "project", to=str(UUID(int=1))),
    "the name of a project": changes("lines", -1, "projectName", to="Other"),
    "entries": changes("totals", 1, "entries", to=one_more),
    "the month": changes("month", to="2020-02"),
    "the account": changes("account", "uuid", to=str(UUID(int=1))),
    "the currency": changes("account", "currency", to="EUR"),
    "the owner": changes("owner", to=str(UUID(int=1))),
    "the installation": changes("installation", to=str(UUID(int=1))),
    "a new name": lambda case: case.documents[-1]["document"].update(x=1),
    "the month beside the document": _beside(month="2020-02"),
    "the number beside the document": _beside(number=9),
    "the opening balance beside the document": _beside(openingBalance="7"),
    "the closing balance beside the document": _beside(closingBalance="7"),
    "the state beside the document": _beside(state="open"),
    "the account beside the document": _beside(accountId=str(UUID(int=1))),
    "the hash beside the document": _beside(hash="0" * 64),
    "the one before, beside the document": _beside(previousHash=None),
    "the key beside the document": _beside(keyId="x" * 43),
    "another key under our id": lambda case: _resign(case, openly=False),
    "another key that comes with the file": lambda case: _resign(case, openly=True),
    "the signature of another one": lambda case: _beside(signature=case.documents[0]["signature"])(case),
    "no signature": lambda case: case.documents[-1].pop("signature") and None,
    "a key of JSON twice": _twice,
    "one is left out of the chain": lambda case: case.documents.pop(1) and None,
    "one of another account in the chain": lambda case: case.documents.__setitem__(0, case.other),
    "a number with a fraction": changes("lines", 0, "messages", to=1.5),
}


@pytest.fixture
async def case(books: Books, projects: Projects, ada: Person, bob: Person) -> Case:
    phones = [f"+1415555{number:04}" for number in range(10, 20)] + ["+4915123456700"]
    await finished(projects, ada, phones, channel="sms")
    await finished(projects, ada, all_words(1))
    await books.move(ada, books.begin + timedelta(days=3))
    for person in (ada, bob):
        async with books.db.transaction() as db:
            await db.execute(
                "UPDATE accounts SET created_at = $1 WHERE id = $2",
                books.begin - timedelta(days=70), person.account_id,
            )  # fmt: skip
    months = [(books.before - timedelta(days=1)).replace(day=1), books.before, books.month]
    await books.close(since=(months[0] - timedelta(days=1)).replace(day=1))
    documents = [await statement(ada, month) for month in months]
    keys = (await ada.rest("GET", "/.well-known/jwks.json")).json()
    assert len(documents[-1]["document"]["lines"]) >= 4
    return Case(documents, keys, await statement(bob, months[0]))


def check(case: Case, folder: Path, last: bytes | None = None, *, trusted: bool = True) -> Any:
    names = []
    for number, document in enumerate(case.documents):
        path = folder / f"{number}.json"
        path.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2))
        names.append(str(path))
    if last is not None:
        Path(names[-1]).write_bytes(last)
    (folder / "keys").write_bytes(orjson.dumps(case.keys))
    return CliRunner().invoke(app, ["verify", *names, *(["--keys", str(folder / "keys")] if trusted else [])])


async def test_changed_statements_are_refused(case: Case, tmp_path: Path):
    assert len(TAMPERS) >= 40
    answer = check(case, tmp_path)
    assert answer.exit_code == 0, answer.output
    assert "the chain from number 1 to 3 is whole" in answer.output
    accepted = []
    for name, change in TAMPERS.items():
        changed = copy.deepcopy(case)
        answer = check(changed, tmp_path, change(changed))
        if answer.exit_code != 1 or "✗" not in answer.output or "Traceback" in answer.output:
            accepted.append((name, answer.output))
    assert not accepted


async def test_sums_that_were_signed_must_add_up_all_the_same(case: Case, tmp_path: Path):
    accepted = []
    for name, change in SUMS.items():
        changed = copy.deepcopy(case)
        change(changed)
        _resign(changed, openly=True)
        answer = check(changed, tmp_path, trusted=False)
        if answer.exit_code != 1 or "signature" in answer.output:
            accepted.append((name, answer.output))
    assert not accepted


async def test_lines_and_proofs_are_of_reconciliations(case: Case, tmp_path: Path):
    check(case, tmp_path)
    answer = CliRunner().invoke(app, ["verify", str(tmp_path / "0.json"), "--lines", str(tmp_path / "keys")])
    assert answer.exit_code == 1
    assert "all of its lines inside" in answer.output
