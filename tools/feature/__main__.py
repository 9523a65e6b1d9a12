"""`make feature NAME=holidays`: writes the skeleton of a feature in all folders, and registers it.

The skeleton is a feature itself, `things`, whose rows have an owner and a name. The files in `skeleton/` are copied to
the same paths under the new name. Everything is checked before the first file is written.
"""

import argparse
import keyword
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from db.migrate import newest, revisions

ROOT = Path(__file__).resolve().parents[2]
SKELETON = Path(__file__).with_name("skeleton")
MIGRATION = "db/migrations/versions/things.py"


class Refused(Exception):
    """The feature can't be written; the message says why, and what to do."""


class Entry(NamedTuple):
    """A line that is added to a file: at the end of the list between `opening` and `closing`, or of the file."""

    path: str
    opening: str
    closing: str
    line: str


# ruff sorts the imports afterwards.
ENTRIES = (
    Entry("db/models/__init__.py", "\nfrom db.", "", "from db.models.things import Thing"),
    Entry(
        "runtime/permissions.py",
        "\nclass Permission(",
        "\n\n\n",
        '    things_read = "things:read", "see things"',
    ),
    Entry(
        "runtime/permissions.py",
        "\nclass Permission(",
        "\n\n\n",
        '    things_write = "things:write", "change things"',
    ),
    Entry("core/modules.py", "\nKERNEL: Final = ", "\n    ),", '        "things",'),
    Entry(
        "db/functions/postern_audit_install.sql",
        "\nSELECT postern_audit_install(",
        "",
        "SELECT postern_audit_install('things', 'thing', 'id', 'owner_id', 'name', '', '');",
    ),
)


def singular(name: str) -> str:
    """Returns the singular of an English noun: `holidays` → `holiday`. Raises Refused for others in -es."""
    for ending, instead in ((r"(?<=[^aeo])ies$", "y"), (r"(?<!e)s$", "")):
        if re.search(ending, name):
            return re.sub(ending, instead, name)
    raise Refused(f"What is one of the {name} called? Say: make feature NAME={name} ONE=…")


def renamed(text: str, name: str, row: str) -> str:
    """Returns the text with `things`, `thing` and `Thing` replaced by the names of the feature and of its row."""
    words = {"things": name, "thing": row, "Things": name.capitalize(), "Thing": row.capitalize()}
    if row[0] in "aeiou":
        text = re.sub(r"\b([Aa]) (?=thing)", r"\1n ", text)
    return re.sub(r"(?:(?<![a-z])t|T)hings?(?![a-z])", lambda match: words[match[0]], text)


def skeleton(name: str, row: str) -> dict[Path, str]:
    """Returns the files of the feature with their texts. The migration follows the newest one that is there."""
    there = revisions()
    numbers = [int(path.name[:4]) for path in (ROOT / MIGRATION).parent.glob("[0-9]*.py")]
    revision = f"{max(numbers) + 1:04}_{name}"
    files = {}
    for source in sorted(SKELETON.rglob("*.py")):
        path = source.relative_to(SKELETON).as_posix()
        text = source.read_text(encoding="utf-8")
        if path == MIGRATION:
            path = path.replace("things", revision)
            text = text.replace("REVISION", revision).replace("BEFORE", newest(there))
        files[ROOT / renamed(path, name, row)] = renamed(text, name, row)
    return files


def registered(name: str, row: str) -> dict[Path, str]:
    """Returns the files that list the features, with their new texts. Raises Refused."""
    files: dict[Path, str] = {}
    for entry in ENTRIES:
        path, line = ROOT / entry.path, renamed(entry.line, name, row)
        text = files.get(path) or path.read_text(encoding="utf-8")
        start = text.find(entry.opening)
        end = text.find(entry.closing, start + 1) if entry.closing else len(text.rstrip())
        if min(start, end) < 0:
            raise Refused(
                f"{entry.path} has no {entry.opening.strip()!r} any more. Change tools/feature with it."
            )
        model = line.partition(" import ")[2]
        if f"\n{line}\n" in text[start:] or (model and re.search(rf"\b{model}\b", text)):
            raise Refused(f"{entry.path} has {(model or line.strip())!r} already. Choose another name.")
        files[path] = f"{text[:end]}\n{line}{text[end:]}"
    return files


def write(name: str, row: str | None = None) -> list[Path]:
    """Writes the feature and registers it. Returns the new files and the changed ones. Raises Refused."""
    if not re.fullmatch(r"[a-z]{3,27}", name) or name.startswith("test"):
        raise Refused(
            f"The name of a feature is one English noun in the plural, in lower case; {name!r} is not."
        )
    row = row or singular(name)
    if not re.fullmatch(r"[a-z]{2,30}", row) or row == name or keyword.iskeyword(row):
        raise Refused(f"{row!r} can't be the name of one of the {name}. Say: make feature NAME={name} ONE=…")
    made = skeleton(name, row)
    if taken := [path for path in made if path.exists()]:
        raise Refused(f"{taken[0].relative_to(ROOT)} is there already. Choose another name.")
    changed = registered(name, row)
    for path, text in {**made, **changed}.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    files = [*made, *changed]
    python = [path for path in files if path.suffix == ".py"]
    ruff = Path(sys.executable).with_name("ruff")
    for command in (("check", "--fix", "--quiet"), ("format", "--quiet")):
        subprocess.run([ruff, *command, *python], cwd=ROOT, check=True)
    return files


def main() -> int:
    parser = argparse.ArgumentParser(prog="make feature", description="Writes the skeleton of a feature.")
    parser.add_argument("name", metavar="NAME", help="an English noun in the plural: holidays")
    parser.add_argument("one", metavar="ONE", nargs="?", help="its singular, if it is irregular: holiday")
    arguments = parser.parse_args()
    try:
        files = write(arguments.name, arguments.one)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1
    for path in files:
        print(path.relative_to(ROOT))
    print(f"""
The feature works. Next:
  make snapshots    schema.graphql and openapi.json, as they are with it
  make check
  .venv/bin/python -m pytest tests/{arguments.name} tests/doors/test_matrix.py -k {arguments.name} -q
Then change shape, model and migration to what the feature is about: CONTRIBUTING.md has the steps.""")
    return 0


if __name__ == "__main__":
    sys.exit(main())
