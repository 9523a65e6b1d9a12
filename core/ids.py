"""UUIDv7 (RFC 9562 §5.7): ids that sort by time, so that an index on the id is an index on creation."""

import os
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

_lock = threading.Lock()
_last = 0
_MOST_AHEAD = 10_000 << 12  # ten seconds, in the unit of `_last`


def _time() -> float:
    return time.time()


def read_time_from(clock: Callable[[], float]) -> None:
    """Makes ids of this process by another clock, which returns Unix time in seconds: the database's, once it is known.

    By a machine's own clock, rows of a machine an hour ahead would sort before all others for that hour.
    """
    global _time
    _time = clock


def milliseconds() -> int:
    """Returns the Unix time that ids of this moment have, for ids that are made elsewhere: in a statement, say."""
    return int(_time() * 1000)


def uuid7() -> UUID:
    """Returns an id that is greater than all earlier ones of this process: rand_a counts within a millisecond.

    If the clock is set back by more than ten seconds, ids begin anew there.
    """
    global _last
    with _lock:
        now = milliseconds() << 12
        _last = now if _last - now > _MOST_AHEAD else max(_last + 1, now)
        value = _last
    moment, counter = value >> 12, value & 0xFFF
    random = int.from_bytes(os.urandom(8)) & 0x3FFF_FFFF_FFFF_FFFF
    return UUID(int=moment << 80 | 0x7 << 76 | counter << 64 | 0b10 << 62 | random)


def least_uuid7(moment: datetime) -> UUID:
    """Returns the smallest id that could have been made at that moment: every older row has a smaller one."""
    return UUID(int=int(moment.timestamp() * 1000) << 80)


def time_of(id: UUID) -> datetime:
    """Returns the time at which a UUIDv7 was made, in UTC."""
    return datetime.fromtimestamp((id.int >> 80) / 1000, UTC)
