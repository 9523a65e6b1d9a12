"""The pages and the errors speak of nobody as "he" or "she".

The descriptions of the GraphQL schema and of OpenAPI have a test of their own.
"""

import ast
import re
from collections.abc import Iterator

import pytest

from core import errors
from tests.linters.source import PRODUCT, ROOT, Source, sources
from tests.linters.word_list import PRONOUNS

PRONOUN = re.compile(rf"\b(?:{'|'.join(PRONOUNS)})\b", re.IGNORECASE)
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (
        *(
            ROOT / f"{name}.md"
            for name in ("README", "ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "SECURITY")
        ),
        *(ROOT / "docs").rglob("*.md"),
    )
)
# What a sentence of an error stands in, beside the classes of `core/errors.py`: their own subclasses are found.
ERRORS = {
    "ValueError": "pydantic shows its text to the caller",
    "Outcome": "`reason` is the failure reason of a message",
    "Receipt": "`reason` is the failure reason of a message",
    "Change": "`reason` is what getInfo shows of an account",
    "Ended": "likewise",
    "Fault": "why a row of a list was refused",
    "Unreadable": "why a list was refused",
    "TextError": "what is wrong with a text",
    "Refused": "a driver's refusal; the caller reads it",
    "Unreachable": "likewise",
    "Uncertain": "likewise",
    "Unsupported": "likewise",
    "Throttled": "likewise",
    "WrongStep": "likewise",
    "CodeInvalid": "likewise",
    "PasswordInvalid": "likewise",
    "Failed": "likewise, of WhatsApp's library",
}
# Sentences are often named before they are raised.
NAMES = re.compile(r"^_?(?:reason|said|message|hint|why|advice)$|^_?[A-Z][A-Z_]+$")


def classes(files: list[Source]) -> set[str]:
    """`AppError`, its subclasses anywhere in the product, and those of ERRORS."""
    names = {
        name
        for name, thing in vars(errors).items()
        if isinstance(thing, type) and issubclass(thing, errors.AppError)
    } | set(ERRORS)
    while True:
        more = {
            node.name
            for source in files
            for node in source.nodes
            if isinstance(node, ast.ClassDef) and any(_name(base) in names for base in node.bases)
        }
        if more <= names:
            return names
        names |= more


def sentences(source: Source, names: set[str]) -> Iterator[tuple[int, str]]:
    """Line and text of each literal that is given to an error, or to a name that one is made of."""
    for node in source.nodes:
        values: list[ast.expr] = []
        named = False
        if isinstance(node, ast.Call) and _name(node.func) in names:
            values = [*node.args, *(keyword.value for keyword in node.keywords)]
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            named = any(NAMES.match(_name(target)) for target in targets)
            values = [node.value] if named else []
        for value in values:
            for part in ast.walk(value):
                text = part.value if isinstance(part, ast.Constant) else None
                # A code or a key is one word; a constant without a full stop is a list of words.
                if (
                    isinstance(part, ast.Constant)
                    and isinstance(text, str)
                    and " " in text
                    and (not named or "." in text)
                ):
                    yield part.lineno, text


def breaches(files: list[Source]) -> list[str]:
    names = classes(files)
    return [
        f"{source.path}:{line}: {pronoun[0]!r} in {text.strip()[:80]!r}"
        for source in files
        for line, text in sentences(source, names)
        if (pronoun := PRONOUN.search(re.sub(r"(?m)--.*$", "", text)))
    ]


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


@pytest.mark.parametrize("page", PAGES)
def test_a_page_speaks_of_nobody_as_he(page: str):
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    assert [f"{number}: {line}" for number, line in enumerate(lines, 1) if PRONOUN.search(line)] == []


def test_no_error_speaks_of_anybody_as_he():
    product = [
        source
        for source in sources()
        if source.package.split(".")[0] in PRODUCT and "/versions/" not in source.path
    ]
    assert breaches(product) == []


@pytest.mark.parametrize(
    "text",
    [
        'raise NotFound("Ask him.")',
        'raise errors.Conflict(f"{name} has lost his key.", code="x")',
        'raise ValidationFailed(["users: she must be named"])',
        'class Odd(Conflict): ...\nraise Odd("Her account is closed.")',
        'reason = f"The owner is away until {when}; ask him."\nraise Conflict(reason)',
        'AWAY = "It starts when he is back."',
        'return Outcome(Result.refused, code="x", reason="He hides the number.")',
    ],
)
def test_a_breach_is_found(text: str):
    assert len(breaches([Source("resolvers/x.py", text)])) == 1


@pytest.mark.parametrize(
    "text",
    [
        'raise NotFound("There is no user here; check the theme.", code="his")',
        '"""What he wrote."""\nx = 1  # his',
        'LISTING = "SELECT 1 -- his row\\nFROM users"',
    ],
)
def test_other_texts_are_left_alone(text: str):
    assert breaches([Source("resolvers/x.py", text)]) == []
