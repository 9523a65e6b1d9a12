"""The two rules of JSON: all as text, or as the API shows it."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import orjson
import pytest
from asyncpg.pgproto.pgproto import UUID as AsyncpgUUID

from core.json_text import dumps, dumps_row, instant
from shapes.blocks import BlockReason

ID = "01890000-0000-7000-8000-000000000000"
AT = datetime(2026, 11, 21, 13, 0, tzinfo=timezone(timedelta(hours=1)))


@pytest.mark.parametrize(
    ("value", "stored", "shown"),
    [
        (UUID(ID), ID, ID),
        (AsyncpgUUID(ID), ID, ID),
        (Decimal("1.10"), "1.10", 1.1),
        (AT, "2026-11-21T13:00:00+01:00", "2026-11-21T13:00:00+01:00"),
        (AT.astimezone(UTC), "2026-11-21T12:00:00+00:00", "2026-11-21T12:00:00Z"),
        (BlockReason.manual, "manual", "manual"),
        ({1: None}, {"1": None}, {"1": None}),
    ],
    ids=repr,
)
def test_a_value_by_both_rules(value: object, stored: object, shown: object):
    assert orjson.loads(dumps([value])) == [stored]
    assert orjson.loads(dumps_row([value])) == [shown]


def test_only_the_first_takes_any_type():
    assert orjson.loads(dumps({"path": 1 + 2j})) == {"path": "(1+2j)"}
    with pytest.raises(TypeError):
        dumps_row(1 + 2j)


def test_a_time_ends_in_z():
    assert instant(AT) == "2026-11-21T12:00:00Z"
    assert instant(AT, "milliseconds") == "2026-11-21T12:00:00.000Z"
