"""The planted faults fit the tree: a text that was changed or moved since is found here, and not by a run of hours."""

from collections import Counter

import pytest

from core.installation import ROOT
from tests.power.engine import FAULTS, EngineFault
from tests.power.planted import PLANTED, Planted

DECISIONS = ROOT / "docs" / "decisions"


def test_there_are_forty_faults_with_names_of_their_own() -> None:
    assert len(PLANTED) == 40
    assert [name for name, count in Counter(fault.name for fault in PLANTED).items() if count > 1] == []


@pytest.mark.parametrize("fault", PLANTED, ids=lambda fault: fault.name)
def test_a_fault_can_be_planted(fault: Planted) -> None:
    text = (ROOT / fault.path).read_text()
    assert text.count(fault.before) == 1
    assert fault.before != fault.after
    compile(text.replace(fault.before, fault.after), fault.path, "exec")
    assert 1 <= len(fault.tests) <= 3
    assert [path for path in fault.tests if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("each", FAULTS, ids=lambda each: each.fault.name)
def test_a_fault_of_the_engine_can_be_planted(each: EngineFault) -> None:
    fault = each.fault
    text = (ROOT / fault.path).read_text()
    assert text.count(fault.before) == 1
    compile(text.replace(fault.before, fault.after), fault.path, "exec")


def test_what_faults_undo_is_told_where_they_say() -> None:
    undone = [fault.undoes for fault in PLANTED if fault.undoes is not None]
    assert len(undone) >= 8
    assert [
        number for number in undone if number.isdecimal() and not any(DECISIONS.glob(f"{number}-*.md"))
    ] == []
