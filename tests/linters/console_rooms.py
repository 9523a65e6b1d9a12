"""The rooms of the console: the frame needs no feature, features share through the frame, folders stay small."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, join, normpath

_CONSOLE = Path(__file__).parents[2] / "console"
MOST_FILES = 20

_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}/[^"']+)["']""")
_TEXT = re.compile(r"""\bt(?:extOr)?\(\s*["'`](\w+)\.""")
_TEXTS = re.compile(r"^  (\w+): \{", re.MULTILINE)  # those of a catalogue's first level
Imports = dict[str, list[str]]


def imports(source: Path) -> Imports:
    """Returns what each file imports, as paths below the source; the generated files are left out."""
    files = [
        file
        for file in sorted(source.rglob("*"))
        if file.is_file() and file.relative_to(source).parts[0] != "gql"
    ]
    names = {file.relative_to(source).as_posix() for file in files}
    found: Imports = {}
    for file in files:
        name = file.relative_to(source).as_posix()
        found[name] = []
        if file.suffix not in {".ts", ".tsx"}:
            continue
        for path in _IMPORT.findall(file.read_text()):
            target = normpath(join(dirname(name), path))
            for ending in ("", ".ts", ".tsx", "/index.ts", "/index.tsx"):
                if target + ending in names:
                    found[name].append(target + ending)
                    break
    return found


def check(source: Path = _CONSOLE / "src") -> list[str]:
    """Returns what is against the rules, a sentence each."""
    found = imports(source)
    return [*_frame(found), *_features(found), *_circles(found), *_sizes(found), *_texts(source)]


def _feature(file: str) -> str | None:
    parts = file.split("/")
    return parts[1] if parts[0] == "features" else None


def _frame(found: Imports) -> Iterator[str]:
    for file, targets in found.items():
        for target in targets:
            if file.startswith("frame/") and _feature(target):
                yield f"console/src/{file} imports {target}, but the frame imports no feature"


def _features(found: Imports) -> Iterator[str]:
    for file, targets in found.items():
        for target in targets:
            here, there = _feature(file), _feature(target)
            if here and there and here != there:
                yield f"console/src/{file} imports {target}: what features share belongs into the frame"


def _circles(found: Imports) -> Iterator[str]:
    for group in _components(found):
        if len(group) > 1:
            yield f"console/src: these files import each other in a circle: {', '.join(sorted(group))}"


def _components(found: Imports) -> list[set[str]]:
    """Returns the groups of files that reach each other."""
    reached: dict[str, set[str]] = {}
    for start in found:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for target in found[waiting.pop()]:
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        reached[start] = seen
    groups: list[set[str]] = []
    for file in found:
        if file in reached[file] and not any(file in group for group in groups):
            groups.append({other for other in reached[file] if file in reached[other]})
    return groups


def _sizes(found: Imports) -> Iterator[str]:
    counts = Counter(file.rpartition("/")[0] for file in found)
    for folder, count in sorted(counts.items()):
        if count > MOST_FILES:
            yield f"console/src/{folder} has {count} files, and a folder has at most {MOST_FILES}"


def _texts(source: Path) -> Iterator[str]:
    """A key of a feature resolves in the frame only while the pages around it happen to load that feature's texts."""
    frame = source / "frame"
    own = {name for file in (frame / "i18n").rglob("*.ts") for name in _TEXTS.findall(file.read_text())}
    for file in sorted(frame.rglob("*.ts*")):
        for name in _TEXT.findall(file.read_text()):
            if name not in own:
                path = file.relative_to(source).as_posix()
                yield f"console/src/{path} shows a text of {name}.*, but the frame's texts are in frame/i18n"
