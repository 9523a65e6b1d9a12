"""The docstrings and comments of the product: no word of `PROSE`, and few of `MOST_OF_1000` (word_list.py).

A sentence has a subject, a verb and the real nouns; vague words for people and things hide them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tests.linters.source import PRODUCT, Source, sources
from tests.linters.word_list import MOST_OF_1000, PROSE

_COMMENT = re.compile(r"(?:^|\s)#\s+(?!noqa|type:|fmt:)(.*)$")
_CODE = re.compile(r"`[^`]*`")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_PATTERNS = [(re.compile(rf"\b(?:{words})\b", re.IGNORECASE), instead) for words, instead in PROSE.items()]


def texts(source: Source) -> Iterator[tuple[int, str]]:
    """Yields the line and the text of each docstring and of each line of a comment, without code in backticks."""
    for line, text in source.docstrings():
        yield line, _CODE.sub("``", text)
    for number, line in enumerate(source.text.split("\n"), 1):
        if "#" in line and (comment := _COMMENT.search(line)):
            yield number, _CODE.sub("``", comment[1])


def check(files: Sequence[Source] | None = None) -> list[str]:
    """Returns `path:line: what is wrong` for each refused word, and a sentence for each word that is too frequent."""
    problems, counts, number = [], Counter[str](), 0
    for source in sources() if files is None else files:
        if source.package not in PRODUCT or "/versions/" in source.path:
            continue
        for line, text in texts(source):
            for pattern, instead in _PATTERNS:
                if match := pattern.search(text):
                    problems.append(f'{source.path}:{line}: do not write "{match[0]}", but: {instead}')
            words = _WORD.findall(text)
            number += len(words)
            counts.update(word for word in map(str.lower, words) if word in MOST_OF_1000)
    return problems + [
        f'docstrings and comments have "{word}" {1000 * counts[word] / number:.2f} times in a thousand words,'
        f" {most} at most; write the noun (word_list.py)"
        for word, most in MOST_OF_1000.items()
        if 1000 * counts[word] > most * number
    ]
