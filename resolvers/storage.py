"""Key-value storage (contract §2) in Redis. Each operation is one script, which is atomic and takes one round trip.

The data of a user, under names that begin with `storage:{<user id>}:` (the braces keep it in one cluster slot):

    value:<key>   the JSON; Redis itself deletes it when it expires
    keys          sorted set, all scores 0: the keys in the order of their UTF-8 bytes
    expiry        sorted set: the keys that expire, by the time (ms) when they do
    sizes         hash: the bytes that a key takes; the field "" has the sum

The key is the last part of a value's name and is never a pattern, so no key can reach another user's data. A page
needs no SCAN. Expired keys are removed from the three indexes before these are read, at most a thousand per script, so
that Redis is never blocked for long: a script that has more to remove returns nil and is run again.
"""

import builtins
from typing import Any
from uuid import UUID

import orjson

from core.errors import BadRequest, NotFound, RedisFull, TooLarge, Unavailable
from core.store import DOWN, is_full
from db.lists import Conditions, Counting, CursorPage, PageArgs, in_bounds
from db.lists.cursor import read_cursor
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.page import Rows
from shapes.storage import StorageValue

_NAME = "storage"
MAX_KEYS = 100_000  # per user
MAX_BYTES = 64 * 1024 * 1024  # per user, including the keys
MAX_PAGE_BYTES = 8 * 1024 * 1024  # of values in one page of a list

_START = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local keys, expiry, sizes, values = KEYS[1], KEYS[2], KEYS[3], ARGV[1]

local function forget(key)
  redis.call('UNLINK', values .. key)
  redis.call('ZREM', keys, key)
  redis.call('ZREM', expiry, key)
  local size = redis.call('HGET', sizes, key)
  if size then
    redis.call('HINCRBY', sizes, '', -size)
    redis.call('HDEL', sizes, key)
  end
end

local function left(key)
  local at = redis.call('ZSCORE', expiry, key)
  return at and math.max(1, at - now) or -1
end
"""
_PRUNE = """
local over = redis.call('ZRANGEBYSCORE', expiry, '-inf', now, 'LIMIT', 0, 1000)
for _, key in ipairs(over) do forget(key) end
if #over == 1000 then return false end
"""
_GET = f"""{_START}
local value = redis.call('GET', values .. ARGV[2])
return {{value, left(ARGV[2])}}
"""
_PUT = f"""{_START}{_PRUNE}
local key, value, ttl = ARGV[2], ARGV[3], tonumber(ARGV[4])
local known = redis.call('HGET', sizes, key)
local total = (redis.call('HGET', sizes, '') or 0) - (known or 0) + #key + #value
local count = redis.call('ZCARD', keys) + (known and 0 or 1)
if count > tonumber(ARGV[5]) or total > tonumber(ARGV[6]) then return 0 end
redis.call('SET', values .. key, value)
redis.call('ZADD', keys, 0, key)
redis.call('HSET', sizes, key, #key + #value, '', total)
if ttl > 0 then
  redis.call('PEXPIREAT', values .. key, now + ttl)
  redis.call('ZADD', expiry, now + ttl, key)
else
  redis.call('ZREM', expiry, key)
end
return 1
"""
_DELETE = f"""{_START}
forget(ARGV[2])
return 1
"""
_LIST = f"""{_START}{_PRUNE}
local total = redis.call('ZLEXCOUNT', keys, ARGV[2], ARGV[3])
local found
if ARGV[9] == '1' then
  found = redis.call('ZREVRANGEBYLEX', keys, ARGV[8], ARGV[7], 'LIMIT', ARGV[4], ARGV[5])
else
  found = redis.call('ZRANGEBYLEX', keys, ARGV[7], ARGV[8], 'LIMIT', ARGV[4], ARGV[5])
end
local more = redis.call('ZLEXCOUNT', keys, ARGV[7], ARGV[8]) - ARGV[4] - #found
local items, bytes, lost = {{}}, 0, false
for _, key in ipairs(found) do bytes = bytes + redis.call('STRLEN', values .. key) end
if bytes > tonumber(ARGV[6]) then return {{total, bytes, more}} end
for place, key in ipairs(found) do
  local value = redis.call('GET', values .. key)
  if not value then forget(key); lost = true end -- a server that evicts, or a clock that was set
  items[place] = {{key, value, left(key)}}
end
if lost then return false end
return {{total, bytes, more, items}}
"""


@operation(Permission.storage_read, "read")
async def list(op: Op, prefix: str = "", page: int = 1, limit: int = 20) -> Rows[StorageValue]:
    """Returns what `page` returns, of keys that begin with `prefix`, by page numbers.

    Raises ValidationFailed (page, limit), TooLarge if the values of the page are too large for one answer, Unavailable.
    """
    in_bounds(page, limit)
    total, _, items = await _part(op, prefix, limit, skipped=(page - 1) * limit)
    return Rows(items, page, limit, total)


@operation(Permission.storage_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[StorageValue]:
    """Lists your stored values, sorted by key.

    The order is that of the keys' code points. Raises BadRequest (invalid cursor), TooLarge if the values are too large
    for one answer, Unavailable.
    """
    after, before = (
        None if cursor is None else read_cursor(cursor, _NAME, [str])[0]
        for cursor in (page_args.after, page_args.before)
    )
    down = page_args.descending is True
    total, more, items = await _part(
        op,
        where.get(("key", "starts_with"), ""),
        page_args.limit,
        after=before if down else after,
        before=after if down else before,
        backwards=page_args.backwards != down,
    )

    async def count() -> dict[None, int]:
        return {None: total}

    return CursorPage(
        nodes=items[::-1] if page_args.backwards else items,
        has_next_page=before is not None if page_args.backwards else more,
        has_previous_page=more if page_args.backwards else after is not None,
        keys=("key",),
        name=_NAME,
        counting=Counting(count),
    )


async def _part(
    op: Op,
    prefix: str,
    limit: int,
    *,
    skipped: int = 0,
    after: str | None = None,
    before: str | None = None,
    backwards: bool = False,
) -> tuple[int, bool, builtins.list[StorageValue]]:
    """Returns how many keys begin with `prefix`, whether more of them lie between the two keys, and `limit` values.

    Raises TooLarge, Unavailable.
    """
    # UTF-8 has no byte 0xff, so every key that begins with the prefix sorts before it.
    first, last = prefix.encode(), prefix.encode() + b"\xff"
    low = b"[" + first if after is None or after.encode() < first else b"(" + after.encode()
    high = b"(" + (last if before is None else min(last, before.encode()))
    total, size, more, *tail = await _run(
        op, _LIST, b"[" + first, b"(" + last, skipped, limit, MAX_PAGE_BYTES, low, high, int(backwards)
    )
    if size > MAX_PAGE_BYTES:
        raise TooLarge(
            f"The values of this page have {size} bytes, more than the {MAX_PAGE_BYTES} allowed. Ask for a"
            " smaller page.",
            code="storage_page_too_large",
            details={"bytes": size, "limit": limit},
        )
    return total, more > 0, [_shape(key.decode(), value, left) for key, value, left in tail[0]]


@operation(Permission.storage_read, "read")
async def get(op: Op, key: str) -> StorageValue:
    """Returns one stored value. Raises NotFound, Unavailable."""
    value, left = await _run(op, _GET, key)
    if value is None:
        raise NotFound(
            "There is no value under this key. Check the key; the value may have expired.",
            code="storage_key_not_found",
        )
    return _shape(key, value, left)


@operation(Permission.storage_write, "outside")
async def put(op: Op, key: str, value: Any, ttl_seconds: int | None = None) -> StorageValue:
    """Stores a value, replacing any previous value of the key.

    The previous expiry is replaced, too. Raises BadRequest if the caller stores too much, Unavailable.
    """
    milliseconds = (ttl_seconds or 0) * 1000
    if not await _run(op, _PUT, key, orjson.dumps(value), milliseconds, MAX_KEYS, MAX_BYTES):
        raise BadRequest(
            f"You may store at most {MAX_KEYS} keys and {MAX_BYTES // 2**20} MiB. Delete some first.",
            code="storage_full",
        )
    return StorageValue(key=key, value=value, ttl_seconds=ttl_seconds)


@operation(Permission.storage_write, "outside")
async def delete(op: Op, key: str) -> None:
    """Deletes a value. Repeating it is not an error. Raises Unavailable."""
    await _run(op, _DELETE, key)


async def _run(op: Op, script: str, *arguments: Any) -> Any:
    """Runs a script on the caller's data and returns its answer. Raises Unavailable."""
    run = op.services.store.script(script)
    names = [_name(op.viewer.id, book) for book in ("keys", "expiry", "sizes")]
    answer = None
    try:
        while answer is None:
            answer = await run(keys=names, args=[_name(op.viewer.id, "value:"), *arguments])
    except DOWN as error:
        if is_full(error):
            raise RedisFull from error
        raise Unavailable(
            "The key-value storage can't be reached. Try again in a moment.", code="storage_unavailable"
        ) from error
    return answer


def _name(user_id: UUID, rest: str) -> str:
    return f"storage:{{{user_id}}}:{rest}"


def _shape(key: str, value: bytes, left: int) -> StorageValue:
    """Returns the value. `left` is its remaining time in milliseconds; negative if it does not expire."""
    return StorageValue(
        key=key, value=orjson.loads(value), ttl_seconds=None if left < 0 else -(-left // 1000)
    )
