"""A document of the console that the SDL does not have is refused without npm."""

from pathlib import Path

import pytest

from tests.linters import console_documents

_SCHEMA = "type Query { ships: [Ship!] } type Ship { name: String }"
_GOOD = "export const A = graphql(`query A { ships { ...F } }`);"


def _tree(folder: Path, other: str) -> Path:
    files = {"schema.graphql": _SCHEMA, "console/src/features/a.tsx": _GOOD, "console/src/frame/b.ts": other}
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def test_the_documents_of_the_console_are_valid() -> None:
    assert console_documents.check() == []


def test_a_document_is_several_files(tmp_path: Path) -> None:
    assert console_documents.check(_tree(tmp_path, "graphql(`\n  fragment F on Ship { name }\n`)")) == []


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("graphql(`fragment F on Ship { nmae }`)", "Cannot query field 'nmae' on type 'Ship'. Did you mean 'name'?"),
        ("graphql(`fragment F on Ship { name }`, )\ngraphql(`query A { ships { name } }`)", "named 'A'"),
        ("graphql(`fragment F on Ship { name }`)\ngraphql(`fragment G on Ship { name }`)", "'G' is never used"),
        ("graphql(`fragment F on Ship { `)", "Syntax Error"),
    ],
)  # fmt: skip
def test_what_the_sdl_does_not_have_is_named(tmp_path: Path, code: str, problem: str) -> None:
    (found,) = console_documents.check(_tree(tmp_path, code))
    assert found.startswith("console/src: ") and problem in found and "Change the document" in found
