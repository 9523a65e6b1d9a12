"""A test that is marked `alone` comes first in the first process, and is alone in another one."""

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support import turns as plugin
from tests.support.turns import LOWER, Turns
from tests.support.waits import PATIENCE, eventually


class Somebody:
    """Takes a turn in a thread of its own and ends it when `go` is set. Locks belong to an open file, so threads
    suffice.
    """

    def __init__(self, folder: Path, *, alone: bool = False) -> None:
        self.inside, self.go = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.take, args=(folder, alone), daemon=True)
        self.thread.start()

    def take(self, folder: Path, alone: bool) -> None:
        turns = Turns(folder)
        turns.begin(alone=alone)
        self.inside.set()
        self.go.wait(PATIENCE)
        turns.end()

    def enters(self) -> bool:
        return self.inside.wait(PATIENCE)

    def leaves(self) -> None:
        self.go.set()
        self.thread.join(PATIENCE)


def blocked(*waiting: Somebody) -> int:
    """Returns how many of these stay outside although there was time enough."""
    return sum(not somebody.inside.wait(0.1) for somebody in waiting)


def test_others_share_the_floor_and_one_who_is_alone_does_not(tmp_path: Path):
    first, second = Somebody(tmp_path), Somebody(tmp_path)
    assert first.enters()
    assert second.enters()
    alone = Somebody(tmp_path, alone=True)
    assert blocked(alone) == 1
    first.leaves()
    assert blocked(alone) == 1
    late = Somebody(tmp_path)  # it would get in if it might overtake
    other = Somebody(tmp_path, alone=True)
    assert blocked(alone, late, other) == 3
    second.leaves()
    assert alone.enters()
    assert blocked(late, other) == 2
    alone.leaves()
    eventually(lambda: late.inside.is_set() != other.inside.is_set(), "one of them has come in")
    for first_in in (late, other) if late.inside.is_set() else (other, late):
        assert first_in.enters()
        first_in.leaves()


def test_who_is_alone_after_one_who_was_keeps_the_floor(tmp_path: Path):
    turns = Turns(tmp_path)
    for further in (True, True, False):
        turns.begin(alone=True)
        waiting = Somebody(tmp_path)
        assert blocked(waiting) == 1
        turns.end(further=further)
        assert blocked(waiting) == further
        if further:
            turns.begin(alone=True)  # before the one that waits, which came first
            turns.end(further=True)
            assert blocked(waiting) == 1
            turns.begin(alone=False)  # another test came than was said
            assert waiting.enters()
            turns.end()
        waiting.leaves()


def test_a_test_that_is_not_alone_keeps_nothing(tmp_path: Path):
    turns = Turns(tmp_path)
    turns.begin(alone=False)
    turns.end(further=True)
    alone = Somebody(tmp_path, alone=True)
    assert alone.enters()
    alone.leaves()


@pytest.mark.parametrize(
    ("config", "lower"),
    [({}, []), ({"workerinput": {"workerid": "gw0"}}, []), ({"workerinput": {"workerid": "gw1"}}, [LOWER])],
    ids=["one process", "the first", "another"],
)
def test_all_processes_but_the_first_have_a_lower_priority(
    config: dict[str, Any], lower: list[int], monkeypatch: pytest.MonkeyPatch
):
    lowered: list[int] = []
    monkeypatch.setattr(plugin, "lower_priority", lowered.append)
    plugin.pytest_configure(SimpleNamespace(**config))  # type: ignore[arg-type]
    assert lowered == lower


@pytest.mark.parametrize(
    ("worker", "mark", "alone"),
    [
        ("gw0", "alone", False),
        ("gw1", "alone", True),
        ("gw0", "exclusive", True),
        ("gw1", "exclusive", True),
        ("gw0", "", False),
        ("gw1", "", False),
    ],
)
def test_only_the_first_process_runs_a_test_that_is_alone_beside_others(
    worker: str, mark: str, alone: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    lowered: list[int] = []
    monkeypatch.setattr(plugin, "lower_priority", lowered.append)
    marked: Any = SimpleNamespace(
        config=SimpleNamespace(
            workerinput={"workerid": worker}, option=SimpleNamespace(basetemp=str(tmp_path / worker))
        ),
        get_closest_marker=lambda name: name == mark or None,
    )
    protocol = plugin.pytest_runtest_protocol(marked, None)
    next(protocol)
    # When its tests that are alone have ended, the first process is one like the others.
    assert lowered == ([LOWER] if worker == "gw0" and not mark else [])
    other = Somebody(tmp_path)
    assert blocked(other) == alone
    with pytest.raises(StopIteration):
        protocol.send(None)
    assert other.enters()
    other.leaves()


def test_those_with_a_browser_come_after_those_that_are_alone():
    items: Any = [
        SimpleNamespace(
            name=name,
            fixturenames=["browser"] if name in "gB" else [],
            get_closest_marker=lambda mark, name=name: (mark == "alone" and name.isupper()) or None,
        )
        for name in "abgAcdeB"
    ]
    plugin.pytest_collection_modifyitems(SimpleNamespace(workerinput={}), items)  # type: ignore[arg-type]
    assert "".join(item.name for item in items) == "BAgabcde"


def test_it_is_marked(request):
    """The mark is of pyproject.toml and the hook of this plugin, or every `alone` would be a word."""
    registered = {line.partition(":")[0] for line in request.config.getini("markers")}
    assert registered >= {"alone", "exclusive"}
    assert request.config.pluginmanager.has_plugin("tests.support.turns")
