"""Docstrings and comments have none of the refused words, and few vague ones."""

import pytest

from tests.linters import prose
from tests.linters.source import Source

PLAIN = "# " + "The worker sends due messages. " * 100


def test_the_prose_of_the_product_is_plain():
    assert prose.check() == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('"""Wakes whoever waits."""', "whoever"),
        ("x = 1  # Somebody holds it", "Somebody"),
        ("def f():\n    # A holder that lost his claim\n    pass", "his"),
        ('class A:\n    a = 1\n    """The user herself."""', "herself"),
    ],
)
def test_a_refused_word_is_found(text: str, word: str):
    (problem,) = prose.check([Source("engine/x.py", f"{text}\n{PLAIN}")])
    assert problem.startswith("engine/x.py:")
    assert f'do not write "{word}"' in problem


def test_a_vague_word_may_be_rare():
    assert prose.check([Source("engine/x.py", f"{PLAIN}\n# What is due is sent.")]) == []
    (problem,) = prose.check([Source("engine/x.py", f"{PLAIN}\n# {'What is due is sent. ' * 5}")])
    assert '"what"' in problem


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("engine/x.py", '_TEXT = """Somebody asked for a password."""\nf(_TEXT)'),
        ("engine/x.py", "class Somebody: ..."),
        ("engine/x.py", '"""Sets `his`."""'),
        ("tests/x.py", "# whoever"),
    ],
)
def test_other_texts_are_left_alone(path: str, text: str):
    assert prose.check([Source(path, f"{text}\n{PLAIN}")]) == []
