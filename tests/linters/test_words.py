"""The words linter finds private names, and takes the exceptions that have a reason."""

import pytest

from tests.linters import words
from tests.linters.source import Source


def test_the_product_has_no_private_names():
    assert words.check() == []


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("engine/lanes.py", "", "lanes"),
        ("engine/x.py", "class SendingUnit: ...", "SendingUnit"),
        ("engine/x.py", "def tell_all(): ...", "tell_all"),
        ("engine/x.py", "def f(given): ...", "given"),
        ("engine/x.py", "def f():\n    found = 1", "found"),
        ("engine/x.py", "def f(rows):\n    return [one for one in rows]", "one"),
        ("engine/x.py", "def f(self):\n    self._held = 1", "_held"),
        ("engine/x.py", "try: ...\nexcept ValueError as said: ...", "said"),
    ],
)
def test_a_private_name_is_found(path: str, text: str, name: str):
    (problem,) = words.check([Source(path, text)], {})
    assert f": {name}: use the field's word (" in problem


def test_an_exception_needs_a_reason_and_a_use():
    source = Source("engine/x.py", "def f(line, one): ...")
    assert words.check([source], words.allowed("engine one: one of several")) == []
    assert words.check([source], {("engine", "one"): "", ("rest", "one"): ""}) == [
        "words_allowed.txt: nothing needs rest one"
    ]
    with pytest.raises(AssertionError, match="engine one"):
        words.allowed("engine one")


def test_a_module_has_no_exception():
    assert words.check([Source("engine/lanes.py", "")], {("engine", "*"): "reason"}) != []


def test_a_phrase_of_a_standard_is_no_private_name():
    assert (
        words.check([Source("engine/x.py", "class NotFound: ...\ndef _not_found(minor_units): ...")], {})
        == []
    )
    (problem,) = words.check([Source("engine/x.py", "def f(found_units): ...")], {})
    assert "found → " in problem
