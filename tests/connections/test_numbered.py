"""A Listing read by page number: the same rows and filters as by cursor, in both directions and from either end."""

from typing import Any

import pytest

from db import models
from db.lists import Listing, PageArgs, conditions, listing
from db.query import p
from runtime.services import Services
from tests.support.people import People

WHERE = conditions({("text", "contains"): "listed%", ("status", "eq"): None})


@pytest.fixture(params=[True, False], ids=["newest first", "oldest first"])
async def users(request: Any, people: People) -> Listing[models.User]:
    for number in range(7):
        await people.make(f"listed{number}@example.com")
    contains = models.User.email.ilike(p("text_contains_"))
    return Listing(models.User, descending=request.param, filters={("text", "contains"): contains})


def test_a_condition_without_a_value_is_omitted() -> None:
    assert WHERE == {("text", "contains"): "listed%"}


async def test_both_kinds_of_pages_have_the_same_rows(
    services: Services, users: Listing[models.User], monkeypatch: pytest.MonkeyPatch
) -> None:
    by_cursor = await users.page(services.db, PageArgs(first=100), WHERE)
    ids = [row.id for row in by_cursor.nodes]
    assert len(ids) == await by_cursor.total_count() == await users.count(services.db, WHERE) == 7
    for deep in (1000, 0):
        monkeypatch.setattr(listing, "DEEP", deep)
        for limit in (1, 2, 7, 8):
            pages = [await users.numbered(services.db, page, limit, WHERE) for page in range(1, 9)]
            assert [row.id for page in pages for row in page.items] == ids
            assert {page.total for page in pages} == {7}


async def test_a_known_total_is_not_counted(services: Services, users: Listing[models.User]) -> None:
    page = await users.numbered(services.db, 1, 5, WHERE, total=12)
    assert (len(page.items), page.total, page.meta.total_pages) == (5, 12, 3)


async def test_a_column_outside_of_the_list_is_not_read(services: Services, users: Any) -> None:
    hidden = Listing(models.User, without=("password_hash",))
    row = (await hidden.numbered(services.db, 1, 1)).items[0]
    assert "password_hash" not in dict(row) and "email" in dict(row)
