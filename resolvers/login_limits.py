"""How often somebody may try to log in (contract §1), so that guesses are few and nobody locks another out.

A login from an address from which the same login succeeded before is counted by itself. Other tries share the counters
of their address, of the login that they name, and of all: strangers can use these up, and the owner does not need them.
"""

import hashlib
from dataclasses import replace
from typing import Any

from postern.limits import Limit
from postern.operation import Op

KNOWN_DAYS = 90
"""How long an address is known after a login."""

MOST_KNOWN = 20
"""Addresses that are known of one login; the one that was used least recently goes first."""

WIDER = (1, 4, 16)
"""How many times as much an IPv6 /64, /56 and /48 may: a customer has one of them, but a /48 can be many customers."""

_PURPOSE = "login addresses"


async def limit_address(op: Op, limit: Limit, what: str, prefix: str = "") -> None:
    """Counts the caller's address: IPv4 whole, IPv6 by its /64, its /56 and its /48. Raises RateLimited."""
    # The narrowest first: what it refuses does not count for its neighbours.
    for network, times in zip(op.ctx.client_networks, WIDER, strict=False):
        await op.services.limiter.enforce(_times(limit, times), f"{prefix}{network}", what)


async def limit_login(op: Op, kind: str, what: str, name_hash: bytes) -> None:
    """Counts one try. Raises RateLimited.

    `kind` names the counters; `what` says what the login is, and `name_hash` is its digest.
    """
    settings, limiter = op.services.settings, op.services.limiter
    limit, name = Limit.parse(kind, settings.limit_login), name_hash.hex()
    share = "all"
    if await _known(op, kind, name_hash):
        await limiter.enforce(limit, f"known:{name}:{op.ctx.client_address}", "logins")
        # Many logins of one address that has them all must not use up what all known ones share.
        await limiter.enforce(_times(limit, WIDER[-1]), f"known-ip:{op.ctx.client_networks[-1]}", "logins")
        share = "known"
    else:
        await limit_address(op, limit, "logins", "ip:")
        await limiter.enforce(limit, f"{what}:{name}", "logins")
    # The one that everybody shares comes last, so that no single stranger can use it up.
    await limiter.enforce(Limit.parse(f"{kind}-all", settings.limit_login_global), share, "logins")


async def remember_address(op: Op, kind: str, name_hash: bytes) -> None:
    """Makes the caller's address a known one of this login, which has just succeeded. Without Redis it is not kept."""
    now = op.services.db.now().timestamp()
    key, member = _kept(op.services.key(_PURPOSE), kind, name_hash, op.ctx.client_address)

    async def keep(redis: Any) -> None:
        pipe = redis.pipeline(transaction=True)
        pipe.zadd(key, {member: now})
        pipe.zremrangebyscore(key, 0, now - KNOWN_DAYS * 86_400)
        pipe.zremrangebyrank(key, 0, -MOST_KNOWN - 1)
        pipe.expire(key, KNOWN_DAYS * 86_400)
        await pipe.execute()

    await op.services.store.attempt(keep, None)


async def forget_addresses(op: Op, kind: str, name_hash: bytes) -> None:
    """Makes every address unknown: somebody else may have logged in from one of them."""
    keys = [_kept(key, kind, name_hash, "")[0] for key in op.services.keys(_PURPOSE)]
    await op.services.store.attempt(lambda redis: redis.delete(*keys), None)


async def _known(op: Op, kind: str, name_hash: bytes) -> bool:
    """Whether this login succeeded from the caller's address before."""
    address = op.ctx.client_address
    kept = [_kept(key, kind, name_hash, address) for key in op.services.keys(_PURPOSE)]

    async def look(redis: Any) -> bool:
        pipe = redis.pipeline(transaction=False)
        for key, member in kept:
            pipe.zscore(key, member)
        return any(score is not None for score in await pipe.execute())

    return await op.services.store.attempt(look, False)


def _kept(key: bytes, kind: str, name_hash: bytes, address: str) -> tuple[str, bytes]:
    """The Redis key of a login's addresses and what stands for this one. They name neither to whoever reads Redis."""
    name = hashlib.blake2b(kind.encode() + name_hash, key=key, digest_size=16).hexdigest()
    member = hashlib.blake2b(f"{name}:{address}".encode(), key=key, digest_size=16).digest()
    return f"login:known:{name}", member


def _times(limit: Limit, times: int) -> Limit:
    return replace(limit, count=limit.count * times)
