"""Files of migrations are named in the order in which they run, so that a list of the folder is that order."""

import re

from core.installation import ROOT

FIRST = 45
"""The revision from which on names have that order; earlier files keep the names under which they were released."""


def misnamed(files: dict[str, str]) -> list[str]:
    """Returns what is wrong with the names, by the text of each file."""
    revisions = {
        name: re.search(r'^revision = "(\d{4})"$', text, re.MULTILINE) for name, text in files.items()
    }
    by_revision = sorted((int(found[1]), name) for name, found in revisions.items() if found)
    wrong = [f'{name}: has no line `revision = "NNNN"`' for name, found in revisions.items() if not found]
    newest = max((name for revision, name in by_revision if revision < FIRST), default="")
    for revision, name in by_revision:
        if revision < FIRST:
            continue
        if not re.fullmatch(r"\d{4}_\d\d_\d\d_[a-z][a-z0-9_]*\.py", name):
            wrong.append(f"{name}: name it YYYY_MM_DD_word.py")
        elif name[:10] <= newest[:10]:
            wrong.append(f"{name}: revision {revision:04} follows {newest}, so give it a later date")
        newest = max(newest, name)
    return wrong


def test_files_are_named_in_the_order_of_their_revisions():
    files = (ROOT / "db/migrations/versions").glob("[!_]*.py")
    assert misnamed({path.name: path.read_text(encoding="utf-8") for path in files}) == []


def test_a_name_out_of_order_is_found():
    before = {"2026_12_07_a.py": 'revision = "0044"', "2026_12_08_b.py": 'revision = "0045"'}
    assert misnamed(before) == []
    for name in ("2026_12_08_c.py", "2026_12_07_c.py", "0046_c.py"):
        assert len(misnamed({**before, name: 'revision = "0046"'})) == 1
    assert misnamed({**before, "2026_12_09_c.py": "revision = REVISION"}) == [
        '2026_12_09_c.py: has no line `revision = "NNNN"`'
    ]
