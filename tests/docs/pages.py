"""Reads the pages of the documents: sections, tables and blocks of code."""

import re
from collections.abc import Iterator

from core.installation import ROOT

PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def section(page: str, title: str) -> str:
    """Returns the text under a heading, up to the next heading of its level or higher."""
    match = re.search(
        rf"^(#+) {re.escape(title)}\n(.*?)(?=^#{{1,2}} |\Z)", read(page), re.MULTILINE | re.DOTALL
    )
    assert match, f"{page} has no heading {title!r}"
    return match[2]


def rows(text: str, first: str) -> Iterator[list[str]]:
    """The cells of the table whose head begins with `first`."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(f"| {first} |"):
            break
    else:
        raise AssertionError(f"there is no table that begins with {first!r}")
    next(lines)
    for line in lines:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]


def plain(cell: str) -> str:
    return cell.strip("`")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
