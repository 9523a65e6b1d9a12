"""Every text of a statement stays prepared on every connection: there must be few, whatever callers send."""

import pytest
from sqlalchemy import text

from tests.support.servers import PATIENT


@pytest.fixture
def settings(make_settings, tmp_path):
    (tmp_path / "database.toml").write_text(f"{PATIENT}pool_size = 1\nread_pool_size = 1\n")
    return make_settings()


async def _prepared(services) -> tuple[int, int]:
    """Returns the numbers of statements on the only connection for writes, and on the only one for reads."""
    count = "SELECT count(*) FROM pg_prepared_statements"
    async with services.db.session() as session:
        writes = await session.scalar(text(count))
    return writes, await services.db.fetchval(count)


async def test_a_patch_of_any_number_of_keys_is_the_same_statements(ada, services):
    async def patch(count, value):
        sent = {f"k{number}": value for number in range(count)}
        answer = await ada.rest("PATCH", "/settings", json=sent)
        assert answer.status_code == 200, answer.text
        assert len(answer.json()) == (count if value is not None else 0)

    for _ in range(2):
        await patch(3, 0)
        await patch(3, None)
        await _prepared(services)
    before = await _prepared(services)
    assert min(before) > 0
    for count in range(1, 51):
        await patch(count, {"n": count})
        await patch(count, None)
    assert await _prepared(services) == before


async def test_all_kinds_of_values_come_back_as_they_were(ada):
    sent = {
        "s": "x",
        "n": 1.5,
        "i": 2**53,
        "b": False,
        "l": [1, None, {"a": []}],
        "o": {},
        "u": "ж😀",
        "q": "\"\\'",
    }
    assert (await ada.rest("PATCH", "/settings", json=sent)).json() == sent
    assert (await ada.rest("GET", "/settings")).json() == sent
    assert (await ada.rest("PATCH", "/settings", json=dict.fromkeys(["s", "n", "gone"]))).json().keys() == (
        sent.keys() - {"s", "n"}
    )
