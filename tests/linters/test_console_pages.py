from pathlib import Path

import pytest

from tests.linters import console_pages


def _source(folder: Path, text: str) -> Path:
    for name, content in {
        "features/ships/ShipsPage.tsx": text,
        **dict.fromkeys(console_pages.HEADS, ""),
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return folder


def test_the_pages_have_one_head_and_one_empty_state() -> None:
    assert console_pages.check() == []


def test_each_form_of_its_own_is_there() -> None:
    source = Path(__file__).parents[2] / "console" / "src"
    assert [
        name for name in console_pages.OWN_FORMS if "SubmitEvent" not in (source / name).read_text()
    ] == []


def test_a_page_with_the_head_is_fine(tmp_path: Path) -> None:
    page = """import { PageHead } from "../../frame/ui/page/PageHead";
export default function ShipsPage() { return <PageHead title="Ships" />; }"""
    assert console_pages.check(_source(tmp_path, page)) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("export default function ShipsPage() {}", "is a page without <PageHead>"),
        ("<Title className={bold} order={1}>", "has a title of its own"),
        ('import { useState, type SubmitEvent } from "react";', "sending of a form by itself"),
        ('<Text ta="center" role="status">', "says by hand that nothing is there"),
    ],
)
def test_what_is_made_by_hand_is_named(tmp_path: Path, text: str, problem: str) -> None:
    (found,) = console_pages.check(_source(tmp_path, text))
    assert problem in found
