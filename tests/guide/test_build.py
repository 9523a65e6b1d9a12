"""The guide is built from the documents: its links, its navigation, and its bytes."""

import re
from pathlib import Path

import pytest

from core.installation import ROOT
from tests.guide.conftest import build
from tests.support.assets import Tags
from tools.guide import pages


def rewritten(text: str, page: str = "docs/hooks.md") -> str:
    return pages.with_links(text, ROOT / page, pages.addresses())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[states](states.md#messages)", "[states](/states.md#messages)"),
        ("[it](../CONTRIBUTING.md)", "[it](/project/contributing.md)"),
        ("[why](decisions/)", "[why](/decisions/index.md)"),
        ("[here](#codes), [there](https://example.com)", "[here](#codes), [there](https://example.com)"),
        ("[the lock](../requirements.lock)", "the lock"),
        ("![a](pictures/console-send.png)", "![a](/pictures/console-send.png)"),
        ("[b](examples/receive_events.py)", "[b](/examples/receive_events.py)"),
        ("`[code](states.md)`", "`[code](states.md)`"),
        ("```sh\n[code](states.md)\n```\n", "```sh\n[code](states.md)\n```\n"),
    ],
)
def test_links_are_those_of_the_guide(text: str, expected: str):
    assert rewritten(text) == expected


@pytest.mark.slow
def test_each_page_is_there_as_html_and_as_markdown(built: Path):
    for path, name in pages.addresses().items():
        assert (built / f"{name}.html").is_file(), name
        assert (built / f"{name}.md").read_bytes() == path.read_bytes(), name


@pytest.mark.slow
def test_the_navigation_has_the_groups_of_the_index(built: Path):
    captions = re.findall(r'<span class="caption-text">([^<]+)</span>', (built / "index.html").read_text())
    assert captions == ["Start", "Use", "Run", "Reference"]


@pytest.mark.slow
def test_each_address_that_a_page_loads_or_links_is_there(built: Path):
    for path in built.rglob("*.html"):
        for tag, attributes in Tags(path.read_text()).found:
            for name in ("src", "href"):
                address = str(attributes.get(name, "")).partition("#")[0].partition("?")[0]
                if tag == "a" and re.match(r"[a-z]+:", address):
                    continue  # a link that a person may follow
                assert (path.parent / address).exists(), f"{path.name}: {address}"


@pytest.mark.slow
def test_programs_find_each_page_that_llms_txt_names(built: Path):
    text = (built / "llms.txt").read_text()
    assert text.startswith("# Postern\n\n> ")
    addresses = re.findall(r"\]\(([^)]+)\)", text)
    assert len(addresses) > 15
    for address in addresses:
        if address != "openapi.json":
            assert (built / address.removeprefix("docs/guide/")).is_file(), address
    for target in re.findall(r"\]\(([^)]+)\)", (ROOT / "llms.txt").read_text()):
        assert (ROOT / target).exists(), target


@pytest.mark.slow
def test_the_same_pages_have_the_same_bytes(built: Path, tmp_path: Path):
    assert contents(build(tmp_path / "again")) == contents(built)


def contents(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
