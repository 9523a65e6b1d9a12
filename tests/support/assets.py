"""The pages that consist of pinned files: what a test needs, and what stands in their HTML."""

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from core.assets import VENDOR, complete

BROWSER = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def needs(folder: Path) -> None:
    """Skips a test if the third-party files of this page are not installed."""
    if not complete(folder, VENDOR):
        pytest.skip(f"the files of {folder.name} are not installed: make setup, with a network")


class Tags(HTMLParser):
    """The elements of a document."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, Any]]] = []
        self.inside: dict[str, str] = {}
        self._last = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self._last = tag
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.inside[self._last] = self.inside.get(self._last, "") + data

    @property
    def assets(self) -> list[str]:
        """The addresses of what the document loads."""
        return [
            str(attributes[key])
            for tag, attributes in self.found
            for key in ("src", "href", "data-examples")
            if key in attributes and tag != "a"
        ]


def policy_of(answer: Any) -> dict[str, str]:
    """The Content-Security-Policy of a response by directives."""
    parts = answer.headers["content-security-policy"].split("; ")
    return dict(part.split(" ", 1) for part in parts)
