"""Reads the codes of errors and what to do from docs/errors.md, for both SDKs."""

import re

from core.installation import ROOT

PAGE = ROOT / "docs" / "errors.md"
_ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def advice() -> dict[str, str]:
    """Returns what to do after each error, by its code, as plain text."""
    text = PAGE.read_text(encoding="utf-8")
    return {code: _LINK.sub(r"\1", what).replace("`", "").strip() for code, what in _ROW.findall(text)}
