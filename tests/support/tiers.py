"""Chooses the tests of a run by what they use, and not by their names.

    unit    the tests that need no server: `make unit`
    test    what a change touches, and a part of the rest: `make test`
    all     everything: `make test-all`, and whatever names its tests itself

A test is of one of four kinds. A `unit` test uses no fixture of SERVERS, and is not marked `servers`. A `browser` test
uses a browser. A `rotating` test is marked so: it is one of a matrix over all operations, one of generated input, or it
kills processes and waits for their like. So is a server test with TABLE or more sets of parameters. All others are
`server` tests. `make test` runs all unit tests, one of three server tests, and one of ten of the rotating and the
browser ones, but at least one browser test a file, unless they are marked `rotating`, too (ONE_OF). It also runs those
that the change touches: tests in files that it changes, and those that name a feature of which it changes a file.

SEED is the date unless the environment has another one. The turns go round by the days, so that three days in a row run
each server test, and ten days all others, and a run can be repeated. A change is what differs from the merge base with
`origin/main`. If it touches more than MOST_TOUCHED tests, their turns alone count.
"""

import os
import re
import subprocess
from collections.abc import Collection, Sequence, Sized
from datetime import UTC, date, datetime
from functools import cache
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Final, Literal, get_args

import pytest

from core.installation import ROOT

TIER: Final = "POSTERN_TEST_TIER"
SEED: Final = "SEED"
Tier = Literal["unit", "test", "all"]
Kind = Literal["unit", "server", "rotating", "browser"]
KINDS: Final = get_args(Kind)
SERVERS: Final = frozenset({"database", "live"})
"""Fixtures that stand on a server. A test that starts one in another way is marked `servers`."""
ONE_OF: Final[dict[Kind, int]] = {"unit": 1, "server": 3, "rotating": 10, "browser": 10}
"""`make test` runs one of so many tests of a kind."""
TABLE: Final = 15  # sets of parameters of one test
MOST_TOUCHED: Final = 800  # more of them are no narrow change
_SHORTEST: Final = 4  # characters of a feature's name that is looked for in the names of tests
_WIDE: Final = re.compile(r"(core|db|runtime)/|.*/frame/")  # its file has the name of what it is about
_CODE: Final = (
    "channels",
    "doors",
    "engine",
    "messengers",
    "resolvers",
    "rest",
    "schema",
    "shapes",
    "sinks",
    "tests",
)
_NOT_FEATURES: Final = frozenset({"frame", "functions", "migrations", "models", "support", "versions"})


def kind(item: pytest.Item) -> Kind:
    """Returns the kind of a test."""
    fixtures = frozenset(getattr(item, "fixturenames", ()))
    if "browser" in fixtures:
        return "browser"
    if item.get_closest_marker("rotating") or item.get_closest_marker("slow"):
        return "rotating"
    if fixtures & SERVERS or item.get_closest_marker("servers"):
        return "rotating" if _sets_of_parameters(item) >= TABLE else "server"
    return "unit"


def _sets_of_parameters(item: pytest.Item) -> int:
    """Returns how many sets of parameters the marks of a test's function give."""
    sets = [mark.args[1] for mark in item.iter_markers("parametrize") if len(mark.args) > 1]
    return prod(len(values) for values in sets if isinstance(values, Sized))


def tier() -> Tier:
    """Returns the tier of this run."""
    return next((one for one in get_args(Tier) if one == os.environ.get(TIER)), "all")


def seed() -> str:
    """Returns what the tests are drawn by."""
    return os.environ.setdefault(SEED, f"{datetime.now(UTC):%Y-%m-%d}")


@cache
def changed() -> tuple[str, ...]:
    """Returns the files that differ from the merge base with `origin/main`; none without a remote or git."""
    base = _git("merge-base", "HEAD", "origin/main").strip()
    return tuple(_git("diff", "--name-only", base).split()) if base else ()


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def features(paths: Collection[str]) -> frozenset[str]:
    """Returns the stems of the features that the files belong to."""
    stems = set[str]()
    for path in map(Path, paths):
        if _WIDE.match(str(path)):
            stems.add((path.parent if path.stem == "__init__" else path).stem.removeprefix("postern_"))
        elif len(path.parts) > 1 and path.parts[0] in _CODE:
            stems.add(Path(path.parts[1]).stem)
    return frozenset(stems - _NOT_FEATURES)


def select(
    items: Sequence[pytest.Item], of: Tier, drawn_by: str, paths: Collection[str]
) -> list[pytest.Item]:
    """Returns the tests of a tier, in their order. `paths` are the changed files, from the root of the project."""
    if of == "all":
        return [*items]
    if of == "unit":
        return [item for item in items if kind(item) == "unit"]
    stems = features(paths)
    touched = {item.nodeid for item in items if _touches(item.nodeid, paths, stems)}
    chosen = touched if len(touched) <= MOST_TOUCHED else set[str]()
    turns = {item.nodeid: _turn(item.nodeid, drawn_by) for item in items}
    first = dict[
        str, str
    ]()  # of each file, the browser test whose turn is next; rotating ones are many alike
    for item in items:
        if kind(item) == "browser" and not item.get_closest_marker("rotating"):
            file = item.nodeid.partition("::")[0]
            first[file] = min(first.get(file, item.nodeid), item.nodeid, key=turns.__getitem__)
    chosen |= {*first.values()}
    return [item for item in items if item.nodeid in chosen or turns[item.nodeid] % ONE_OF[kind(item)] == 0]


def _turn(nodeid: str, drawn_by: str) -> int:
    """Returns a number from 0 to 99. It is one less with each day, if `drawn_by` is a date."""
    try:
        day = date.fromisoformat(drawn_by).toordinal()
    except ValueError:
        day = int.from_bytes(sha256(drawn_by.encode()).digest()[:8])
    return (int.from_bytes(sha256(nodeid.encode()).digest()[:8]) - day) % 100


def _touches(nodeid: str, paths: Collection[str], stems: Collection[str]) -> bool:
    """Returns whether a test stands in a changed file, or in the folder of a feature, or names the feature."""
    file = nodeid.partition("::")[0]
    if file in paths:
        return True
    squeezed = _squeezed(nodeid)
    return any(
        file.startswith(f"tests/{stem}/")
        or (len(stem) >= _SHORTEST and _squeezed(stem.removesuffix("s")) in squeezed)
        for stem in stems
    )


def _squeezed(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests that this run does not have."""
    chosen = {item.nodeid for item in select(items, tier(), seed(), changed() if tier() == "test" else ())}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in chosen])
    items[:] = [item for item in items if item.nodeid in chosen]


def pytest_report_header() -> str | None:
    """Says what the tests of this run are drawn by."""
    if tier() != "test":
        return None
    named = sorted(features(changed()))
    return f"make test: SEED={seed()}, features of the change: {', '.join(named) or 'none'}"
