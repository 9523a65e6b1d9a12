"""UUIDv7 (RFC 9562 §5.7): ids that sort by time, so that an index on the id is an index on creation."""

import os
import threading
import time
from datetime import datetime
from uuid import UUID

_lock = threading.Lock()
_last = 0


def uuid7() -> UUID:
    """Returns an id that is greater than all earlier ones of this process: rand_a counts within a millisecond."""
    global _last
    with _lock:
        now = time.time_ns() // 1_000_000 << 12
        _last = max(_last + 1, now)
        value = _last
    milliseconds, counter = value >> 12, value & 0xFFF
    random = int.from_bytes(os.urandom(8)) & 0x3FFF_FFFF_FFFF_FFFF
    return UUID(int=milliseconds << 80 | 0x7 << 76 | counter << 64 | 0b10 << 62 | random)


def least_uuid7(moment: datetime) -> UUID:
    """Returns the smallest id that could have been made at that moment: every older row has a smaller one."""
    return UUID(int=int(moment.timestamp() * 1000) << 80)
