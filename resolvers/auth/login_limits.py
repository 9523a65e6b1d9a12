"""Limits on login attempts (contract §1). They stop password guessing without locking out the account's owner.

Every attempt counts for its address. An address is known if the same login succeeded from it before. An attempt from
any other address also counts for the login that it names, and for all such attempts together. Strangers can use up
those limits, so they do not apply to an attempt from a known address.
"""

import hashlib
from dataclasses import replace
from typing import Any

from core.rate_limits import WIDER, Limit
from runtime.operation import Op

REMEMBERED_DAYS = 90
"""An address stays known for so many days after a login."""

MOST_REMEMBERED = 20
"""So many addresses are known for one login; the least recently used one is removed first."""

MORE = 16
"""Factor of the limit on all attempts from an address, known or not: many users can share an address."""

_PURPOSE = "login addresses"
_KEY = "login:known:{}"


async def limit_address(op: Op, limit: Limit, what: str, prefix: str = "") -> None:
    """Counts the caller's address: IPv4 as a whole, IPv6 by its /64, /56 and /48. Raises RateLimited."""
    # The narrowest network comes first: an attempt that it refuses does not count for its neighbours.
    for network, times in zip(op.ctx.client_networks, WIDER, strict=False):
        await op.services.limiter.enforce(_times(limit, times), f"{prefix}{network}", what)


async def limit_tries(op: Op, kind: str) -> None:
    """Counts one attempt for the caller's address, whatever login it names. Raises RateLimited.

    It comes first: the answers show whether an address is known, so each must cost an attempt.
    """
    limit = Limit.parse(kind, op.services.settings.limit_login)
    await limit_address(op, _times(limit, MORE), "logins", "tries:")


async def limit_login(op: Op, kind: str, name_hash: bytes, secret: str | None = None) -> None:
    """Counts one attempt for the login that it names, after `limit_tries`. Raises RateLimited.

    `kind` names the counters and `name_hash` is the digest of the login. `secret` is the stored password hash: an
    address stays known only while that is unchanged.
    """
    settings, limiter = op.services.settings, op.services.limiter
    limit = Limit.parse(kind, settings.limit_login)
    everybody = Limit.parse(f"{kind}-all", settings.limit_login_global)
    name, member = _names(op.services.key(_PURPOSE), op, kind, name_hash, secret)
    if await is_remembered(op, kind, name_hash, secret):
        await limiter.enforce(limit, f"known:{member.hex()}", "logins")
    else:
        await limit_address(op, limit, "logins", "ip:")
        await limiter.enforce(limit, f"name:{name}", "logins")
        # The limit that all callers share comes last, so that no single stranger can use it up.
        await limiter.enforce(everybody, "all", "logins")


async def remember_address(op: Op, kind: str, name_hash: bytes, secret: str | None = None) -> None:
    """Marks the caller's address as known for this login, which has just succeeded. Does nothing without Redis."""
    now = op.services.db.now().timestamp()
    name, member = _names(op.services.key(_PURPOSE), op, kind, name_hash, secret)
    key = _KEY.format(name)

    async def keep(redis: Any) -> None:
        pipe = redis.pipeline(transaction=True)
        pipe.zadd(key, {member: now})
        pipe.zremrangebyrank(key, 0, -MOST_REMEMBERED - 1)
        pipe.expire(key, REMEMBERED_DAYS * 86_400)
        await pipe.execute()

    await op.services.store.attempt(keep, None)


async def is_remembered(op: Op, kind: str, name_hash: bytes, secret: str | None) -> bool:
    """Returns whether this login succeeded from the caller's address in REMEMBERED_DAYS. False without Redis."""
    since = op.services.db.now().timestamp() - REMEMBERED_DAYS * 86_400
    hashes = [_names(key, op, kind, name_hash, secret) for key in op.services.keys(_PURPOSE)]

    async def look(redis: Any) -> bool:
        pipe = redis.pipeline(transaction=False)
        for name, member in hashes:
            pipe.zscore(_KEY.format(name), member)
        return any(score is not None and score > since for score in await pipe.execute())

    return await op.services.store.attempt(look, False)


def _names(key: bytes, op: Op, kind: str, name_hash: bytes, secret: str | None) -> tuple[str, bytes]:
    """Returns the Redis key of a login, and the set member for this login, its secret and the caller's address.

    Both are keyed hashes, so that a reader of Redis learns no login and no address.
    """
    name = hashlib.blake2b(kind.encode() + name_hash, key=key, digest_size=16).hexdigest()
    member = f"{name}:{op.ctx.client_address}:{secret}".encode()
    return name, hashlib.blake2b(member, key=key, digest_size=16).digest()


def _times(limit: Limit, times: int) -> Limit:
    return replace(limit, count=limit.count * times)
