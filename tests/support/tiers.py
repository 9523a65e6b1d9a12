"""Chooses the tests of a run by what they use, and not by their names.

    unit    the tests that need no server: `make unit`
    test    each behaviour once: `make test`
    all     everything: `make test-all`, and whatever names its tests itself

A test is of one of four kinds. A `unit` test uses no fixture of SERVERS, and is not marked `servers`. A `browser` test
uses a browser. A `rotating` test is marked so: it is one of a matrix over all operations, one of generated input, or it
kills processes and waits for their like. So is a server test with TABLE or more sets of parameters. All others are
`server` tests. `make test` runs all unit and server tests, a tenth of the rotating ones, and of the browser tests a
tenth and at least one a file, unless they are marked `rotating`, too. It also runs those that the change touches: tests
in files that it changes, and those that name a feature of which it changes a file.

The tenth is drawn by SEED, which is the date unless the environment has another one, so that ten days run everything
about once, and a run can be repeated. A change is what differs from the merge base with `origin/main`. A change in
`core`, `db`, `runtime` or a `frame` folder touches all features, so the tenth alone counts then.
"""

import os
import re
import subprocess
from collections.abc import Collection, Sequence, Sized
from datetime import UTC, datetime
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
ONE_OF: Final = 10
TABLE: Final = 15  # sets of parameters of one test
_MOST_TOUCHED: Final = 400  # more of them are no narrow change
_SHORTEST: Final = 4  # characters of a feature's name that is looked for in the names of tests
_ALL_FEATURES: Final = re.compile(r"(core|db|runtime)/|.*/frame/|tests/(support|conftest)|(\w+\.)+lock$")
_CODE: Final = ("channels", "engine", "messengers", "resolvers", "rest", "schema", "shapes", "sinks", "tests")


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
    """Returns what the tenth is drawn by."""
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
    """Returns the stems of the features that the files belong to; none if one of the files belongs to all."""
    if any(_ALL_FEATURES.match(path) for path in paths):
        return frozenset()
    parts = [Path(path).with_suffix("").parts for path in paths]
    return frozenset(each[1] for each in parts if len(each) > 1 and each[0] in _CODE)


def select(
    items: Sequence[pytest.Item], of: Tier, drawn_by: str, paths: Collection[str]
) -> list[pytest.Item]:
    """Returns the tests of a tier, in their order. `paths` are the changed files, from the root of the project."""
    if of == "all":
        return [*items]
    if of == "unit":
        return [item for item in items if kind(item) == "unit"]
    stems = features(paths)
    touched = [item for item in items if _touches(item.nodeid, paths, stems)]
    chosen = {item.nodeid for item in touched} if len(touched) <= _MOST_TOUCHED else set[str]()
    draws = {item.nodeid: _draw(item.nodeid, drawn_by) for item in items}
    first = dict[
        str, str
    ]()  # of each file, the browser test with the lowest draw; rotating ones are many alike
    for item in items:
        if kind(item) == "browser" and not item.get_closest_marker("rotating"):
            file = item.nodeid.partition("::")[0]
            first[file] = min(first.get(file, item.nodeid), item.nodeid, key=draws.__getitem__)
    chosen |= {*first.values()}
    return [
        item
        for item in items
        if kind(item) in ("unit", "server") or item.nodeid in chosen or draws[item.nodeid] % ONE_OF == 0
    ]


def _draw(nodeid: str, drawn_by: str) -> int:
    return int.from_bytes(sha256(f"{drawn_by} {nodeid}".encode()).digest()[:8])


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
    return f"make test: SEED={seed()}, features of the change: {', '.join(named) or 'none or all'}"
