"""The pages of series as people see them: see looks.py."""

import pytest

from tests.console.looks import Look, Looks, Sizes, every_look
from tests.console.series_dialogs import rows_of_series
from tests.console.steps import Tab
from tests.console.users import new_user
from tests.support.live import Live
from tests.support.people import Person

pytestmark = pytest.mark.rotating

PAGES: Looks = [
    ("series-list", "/console/series", None, "main table td"),
    ("series-draft", "/console/series/{series}", None, "main table td"),
    ("series-running", "/console/series/{series_running}", None, "main table td a"),
]


@pytest.fixture(scope="module")
def owner(live: Live) -> Person:
    return new_user(live)


@pytest.fixture(scope="module")
def ids(live: Live, owner: Person) -> dict[str, str]:
    return rows_of_series(live, owner)


@every_look
def test_pages(page: Tab, owner: Person, ids: dict[str, str], language: str, sizes: Sizes) -> None:
    Look(page, language, sizes).at_all(owner, PAGES, ids)
