"""CONTRIBUTING's recipes: the excerpts are the real files', and the commands make a feature and an operation."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from core.installation import ROOT
from tests.docs.pages import blocks, read, section

pytestmark = pytest.mark.servers

PAGE = section("CONTRIBUTING.md", "Adding a feature")
STEPS = re.split(r"^\d+\. ", PAGE, flags=re.MULTILINE)[1:]
INSTALLED = "-o setup -o setup-dev -o console-tools -o .venv/.runtime"  # the environment is shared, and stays as it is
LEFT_OUT = re.compile(r"^ *# …$", re.MULTILINE)
MIGRATION = "tools/feature/skeleton/db/migrations/versions/things.py"
LISTS = {
    "db/models/__init__.py", "db/migrations/indexes.py", "db/scripts.py", "core/modules.py",
}  # fmt: skip
"""Files that a step names beside the one that it shows."""


def excerpts() -> list[tuple[str, list[str]]]:
    """The file of each step, which is the last that the step names before its lines, and the parts that stand there."""
    recipes = []
    for step in STEPS:
        text, _, code = step.partition("```python\n")
        if code:
            lines = textwrap.dedent(re.sub(r"^ *```.*", "", code, flags=re.MULTILINE | re.DOTALL))
            parts = [part.strip("\n") for part in LEFT_OUT.split(lines)]
            paths = [path for path in re.findall(r"`([\w/]+\.py)`", text) if path not in LISTS]
            recipes.append((paths[-1], [part for part in parts if part.strip()]))
    return recipes


def test_the_recipe_shows_each_file_of_a_feature():
    assert [path for path, _ in excerpts()] == [
        "shapes/blocks.py", "db/models/blocks.py", MIGRATION, "runtime/permissions.py",
        "resolvers/blocks.py", "rest/blocks.py", "schema/blocks.py", "tests/blocks/test_blocks.py",
        "tests/doors/cases/blocks.py",
    ]  # fmt: skip
    for name in LISTS:
        assert f"`{name}`" in PAGE


@pytest.mark.parametrize(
    ("path", "parts"), excerpts(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_the_lines_of_the_recipe_are_those_of_the_file(path: str, parts: list[str]):
    """The lines keep their order; lines of a class may stand without the class, and so without its indentation."""
    rest = f"\n{read(path)}"
    for part in parts:
        same = (f"\n{textwrap.indent(part, ' ' * depth)}\n" for depth in (0, 4))
        before = next((text for text in same if text in rest), None)
        assert before, f"CONTRIBUTING.md shows lines that {path} does not have (any more):\n{part}"
        rest = rest[rest.index(before) + len(before) - 1 :]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what is in the tree, with this environment."""
    if not (ROOT / ".git").exists() or not shutil.which("make"):
        pytest.skip("needs git and make")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    for name in listed.stdout.split("\0"):
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tmp_path / name)
    if (ROOT / ".mypy_cache").is_dir():  # mypy takes a minute without it
        shutil.copytree(ROOT / ".mypy_cache", tmp_path / ".mypy_cache")
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


def shell(folder: Path, script: str) -> str:
    """Returns what these commands print. They must succeed; they start servers of their own, with the new tables."""
    mine = ("POSTERN_TEST", "PYTEST", "COV_", "COVERAGE", "MAKE")
    done = subprocess.run(
        # Everything is installed, and there may be no network. Without its packages the console's source is not
        # checked: it is that of the tree, and what depends on the schema has a test of its own.
        ["bash", "-ec", f'make() {{ command make {INSTALLED} "$@"; }}\n{script}'],
        cwd=folder, capture_output=True, text=True, timeout=600, check=False,
        env={name: value for name, value in os.environ.items() if not name.startswith(mine)},
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-5000:]}\n{done.stderr[-5000:]}"
    return done.stdout


@pytest.mark.slow
def test_a_new_feature_and_a_new_operation_work_as_it_is_written(checkout: Path):
    """The commands as they stand on both pages, and then the guards that look at both doors as a whole.

    Both are made in one copy: it is checked once, which takes most of the time. The work of the change is not
    written, so its test fails, and no other: the read counts as it is, in the lines that the page shows.
    """
    (of_feature,) = blocks(PAGE, "sh")
    of_operation = section("CONTRIBUTING.md", "Adding an operation to a feature")
    made, checked = blocks(of_operation, "sh")
    assert [line.split("  ")[0] for line in checked.splitlines()][:2] == ["make snapshots", "make check"]
    assert len(made.splitlines()) == 2  # a change and a read
    assert "The house rules hold." in shell(checkout, f"{made}\n{of_feature}")
    for path, _ in excerpts():
        if "blocks" in path:
            assert (checkout / path.replace("blocks", "holidays")).is_file(), path
    for snapshot, names in (
        ("schema.graphql", ("createHoliday(", "archiveBlocks(", "blocksCountByKind:")),
        ("openapi.json", ('"/holidays"', '"/block/archive/run"', '"/block/count-by-kind"')),
    ):
        for name in names:
            assert name in (checkout / snapshot).read_text()
            assert name not in read(snapshot)
    (shown,) = blocks(of_operation, "python")
    assert shown in (checkout / "resolvers/blocks.py").read_text()
    guards = (
        "tests/blocks/test_archive.py tests/blocks/test_count_by_kind.py "
        "tests/doors/test_contents.py tests/openapi/test_document.py tests/sdl "
        "tests/doors/test_lengths.py::test_every_number_of_rows_is_declared "
        "tests/doors/test_matrix.py::test_every_operation_is_in_the_matrix tests/docs/test_recipe.py"
    )
    others = "not as_it_is_written and not that_cannot_be_is_refused"  # no file of the copy changes what these find
    printed = shell(checkout, f".venv/bin/python -m pytest -q {guards} -k '{others}' || true")
    assert re.search(
        r"^1 failed, \d+ passed(, \d+ (skipped|deselected|subtests passed))* in ", printed, re.MULTILINE
    ), printed
    assert "FAILED tests/blocks/test_archive.py" in printed


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("blocks get", "has 'get' already"),
        ("blocks Archive", "'Archive' is not"),
        ("nothing archive", "There is no shapes/nothing.py"),
    ],
)
def test_an_operation_that_cannot_be_is_refused(words: str, reason: str):
    done = subprocess.run(
        [sys.executable, "-m", "tools.operation", *words.split()],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert reason in done.stderr


@pytest.mark.parametrize(
    ("feature", "reads", "path"), [("senders", True, "/by-kind"), ("blocks", False, "/by-kind/run")]
)
def test_a_route_is_not_hidden_by_another_one(checkout: Path, feature: str, reads: bool, path: str):
    """`GET /senders/{senderId}` stands below `GET /senders/by-kind`; `POST /block/{phone}` keeps all that it has."""
    shell(checkout, f".venv/bin/python -m tools.operation {feature} by_kind {'--read' * reads}")
    text = (checkout / f"rest/{feature}.py").read_text()
    verb = "get" if reads else "post"
    routes = re.findall(rf'^@\w+\.{verb}\(\s*"([^"]+)"', text, re.MULTILINE)
    assert path in routes
    hiding = next(route for route in routes if re.fullmatch(r"/\{\w+\}", route))
    assert (routes.index(path) < routes.index(hiding)) == reads


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("blocks", "db/models/blocks.py is there already"),
        ("claims", "has 'Claim' already"),
        ("people", "What is one of the people called?"),
        ("classes class", "'class' can't be the name of one of the classes"),
        ("Holidays", "'Holidays' is not"),
        ("test_things", "'test_things' is not"),
    ],
)
def test_a_name_that_cannot_be_is_refused(words: str, reason: str):
    done = subprocess.run(
        [sys.executable, "-m", "tools.feature", *words.split()],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert reason in done.stderr
