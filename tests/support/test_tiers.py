"""A tier has the tests of its kinds, a draw is repeated by its seed, and a budget is held."""

import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support import spending, tiers
from tests.support.tiers import features, select


def item(nodeid: str, *marks: str, fixtures: tuple[str, ...] = (), sets: int = 0) -> Any:
    """A test as the plugin sees it."""
    return SimpleNamespace(
        nodeid=nodeid,
        fixturenames=fixtures,
        get_closest_marker=lambda name: name if name in marks else None,
        iter_markers=lambda _: [SimpleNamespace(args=("x", range(sets)))] if sets else [],
    )


MATRIX = [item(f"tests/doors/test_matrix.py::test_it[{number}-blocks]", "rotating") for number in range(500)]
PAGES = [
    item(f"tests/console/test_{number % 5}.py::test_{number}", fixtures=("browser", "live"))
    for number in range(40)
]
PLAIN = item("tests/common/test_common.py::test_languages")
SERVER = item("tests/blocks/test_blocks.py::test_block", fixtures=("database",))
PROCESS = item("tests/embedded/test_parent.py::test_it", "servers")
SERVERS = [item(f"tests/users/test_users.py::test_{number}", fixtures=("live",)) for number in range(100)]
ALL = [*MATRIX, *PAGES, *SERVERS, PLAIN, SERVER, PROCESS]


def chosen(drawn_by: str, *paths: str) -> set[str]:
    return {item.nodeid for item in select(ALL, "test", drawn_by, paths)}


def test_the_unit_tier_uses_no_server():
    assert select(ALL, "unit", "", ()) == [PLAIN]


def test_the_whole_tier_has_everything():
    assert select(ALL, "all", "", ()) == ALL


def test_the_middle_tier_has_each_plain_test_a_third_of_the_servers_a_tenth_of_the_matrix_and_a_test_of_each_page():
    day = chosen("2026-11-29")
    assert PLAIN.nodeid in day
    assert 15 <= sum(each.nodeid in day for each in SERVERS) <= 55
    assert 25 <= sum(each.nodeid in day for each in MATRIX) <= 75
    pages = {each.nodeid for each in PAGES} & day
    assert {page.partition("::")[0] for page in pages} == {each.nodeid.partition("::")[0] for each in PAGES}
    assert len(pages) < len(PAGES) / 2


def test_a_server_test_of_a_large_table_rotates_and_a_unit_test_does_not():
    for fixtures, sets, kind in (
        (("database",), 15, "rotating"),
        (("database",), 14, "server"),
        ((), 99, "unit"),
    ):
        assert tiers.kind(item("tests/x.py::test_it[1]", fixtures=fixtures, sets=sets)) == kind


def test_a_file_of_pages_that_are_alike_need_not_have_one():
    alike = [item("tests/console/test_looks.py::test_it", "rotating", fixtures=("browser",))]
    assert {len(select(alike, "test", str(number), ())) for number in range(100)} == {0, 1}


def test_a_seed_draws_the_same_again_and_the_turns_go_round_by_the_days():
    days = [chosen(f"2026-11-{day:02}") for day in range(1, 11)]
    assert days[0] == chosen("2026-11-01") != days[1] != chosen("another seed")
    assert {item.nodeid for item in (*SERVERS, SERVER, PROCESS)} <= days[0] | days[1] | days[2]
    assert {item.nodeid for item in ALL} == set.union(*days)


@pytest.mark.parametrize(
    "path", ["resolvers/blocks.py", "tests/doors/test_matrix.py", "engine/blocks/expiry.py", "rest/blocks.py"]
)
def test_what_a_change_touches_runs_whole(path: str):
    few = [each for each in ALL if each not in MATRIX[300:]]
    assert {each.nodeid for each in MATRIX[:300]} <= {
        each.nodeid for each in select(few, "test", "x", [path])
    }


def test_a_change_that_touches_too_much_touches_nothing():
    many = [item(f"tests/blocks/test_it.py::test_{number}", fixtures=("live",)) for number in range(1000)]
    assert select(many, "test", "x", ["resolvers/blocks.py"]) == select(many, "test", "x", ())


def test_the_features_of_files():
    assert features(["resolvers/blocks.py", "db/session.py"]) == {"blocks", "session"}
    assert features(["db/functions/postern_payer.sql", "runtime/viewers/__init__.py"]) == {"payer", "viewers"}
    assert features(["schema/frame/graphql.py", "tests/support/tiers.py"]) == {"graphql"}
    assert features(["resolvers/blocks.py", "docs/blocks.md", "README.md", "requirements.lock"]) == {"blocks"}


def test_a_short_name_is_a_folder_and_no_part_of_a_word():
    nodes = [
        item("tests/channels/test_email.py::test_a", "rotating"),
        item("tests/ai/test_ai.py::test_b", "rotating"),
    ]
    drawn = next(str(n) for n in range(1000) if not select(nodes, "test", str(n), ()))
    assert select(nodes, "test", drawn, ["resolvers/ai.py"]) == nodes[1:]


def test_without_a_remote_nothing_is_changed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tiers, "ROOT", "/")
    tiers.changed.cache_clear()
    assert tiers.changed() == ()
    tiers.changed.cache_clear()


def test_the_seconds_of_a_child_count_while_it_runs_and_afterwards():
    before = spending.spent()
    busy = "import time\nwhile time.process_time() < 0.5: pass\nprint(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", busy], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout and child.stdout.readline()
        assert spending.spent() - before >= 0.4
        assert 0.4 <= spending.spent(child.pid) <= spending.spent()
        child.communicate(b"\n")
    assert spending.spent() - before >= 0.4
    assert spending.spent(2**22 + os.getpid()) == 0, "no such process"


def test_a_kind_beyond_its_budget_is_named():
    lines = spending.table(
        {"unit": 121.4, "server": 3.0, "servers of the run": 7.0}, {"unit": 120, "server": 5}
    )
    assert lines[1:] == [
        "  unit           121  of 120, which is too many",
        "  server           3  of 5",
        "  servers of the run      7",
    ]
