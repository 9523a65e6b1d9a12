"""Limits how often somebody may try to log in (contract §1), so that few guesses are possible and do not lock owners out.

Every try counts for its address. An address is known if the same login succeeded from it before. A try from any other
address also counts for the login that it names and for all such tries together: no try from a known address uses those
limits, and none is refused by them.
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

MORE = 16
"""How many times as many tries an address may make in all as from where it is not known: many users can share it."""

_PURPOSE = "login addresses"
_KEY = "login:known:{}"


async def limit_address(op: Op, limit: Limit, what: str, prefix: str = "") -> None:
    """Counts the caller's address: IPv4 whole, IPv6 by its /64, its /56 and its /48. Raises RateLimited."""
    # The narrowest first: what it refuses does not count for its neighbours.
    for network, times in zip(op.ctx.client_networks, WIDER, strict=False):
        await op.services.limiter.enforce(_times(limit, times), f"{prefix}{network}", what)


async def limit_tries(op: Op, kind: str) -> None:
    """Counts one try for the caller's address, whatever login it names. Raises RateLimited.

    It comes first: whether an address is known shows in the answers, so they must cost something too.
    """
    limit = Limit.parse(kind, op.services.settings.limit_login)
    await limit_address(op, _times(limit, MORE), "logins", "tries:")


async def limit_login(op: Op, kind: str, name_hash: bytes, secret: str | None = None) -> None:
    """Counts one try for the login that it names, after `limit_tries`. Raises RateLimited.

    `kind` names the counters and `name_hash` is the digest of the login. `secret` is what is stored of its password:
    an address is known only as long as that is the same.
    """
    settings, limiter = op.services.settings, op.services.limiter
    limit = Limit.parse(kind, settings.limit_login)
    everybody = Limit.parse(f"{kind}-all", settings.limit_login_global)
    name, member = _kept(op.services.key(_PURPOSE), op, kind, name_hash, secret)
    if await _known(op, kind, name_hash, secret):
        await limiter.enforce(limit, f"known:{member.hex()}", "logins")
    else:
        await limit_address(op, limit, "logins", "ip:")
        await limiter.enforce(limit, f"name:{name}", "logins")
        # The one that everybody shares comes last, so that no single stranger can use it up.
        await limiter.enforce(everybody, "all", "logins")


async def remember_address(op: Op, kind: str, name_hash: bytes, secret: str | None = None) -> None:
    """Makes the caller's address a known one of this login, which has just succeeded. Without Redis it is not kept."""
    now = op.services.db.now().timestamp()
    name, member = _kept(op.services.key(_PURPOSE), op, kind, name_hash, secret)
    key = _KEY.format(name)

    async def keep(redis: Any) -> None:
        pipe = redis.pipeline(transaction=True)
        pipe.zadd(key, {member: now})
        pipe.zremrangebyrank(key, 0, -MOST_KNOWN - 1)
        pipe.expire(key, KNOWN_DAYS * 86_400)
        await pipe.execute()

    await op.services.store.attempt(keep, None)


async def _known(op: Op, kind: str, name_hash: bytes, secret: str | None) -> bool:
    """Returns whether this login succeeded from the caller's address in the last days. False while Redis is away."""
    since = op.services.db.now().timestamp() - KNOWN_DAYS * 86_400
    kept = [_kept(key, op, kind, name_hash, secret) for key in op.services.keys(_PURPOSE)]

    async def look(redis: Any) -> bool:
        pipe = redis.pipeline(transaction=False)
        for name, member in kept:
            pipe.zscore(_KEY.format(name), member)
        return any(score is not None and score > since for score in await pipe.execute())

    return await op.services.store.attempt(look, False)


def _kept(key: bytes, op: Op, kind: str, name_hash: bytes, secret: str | None) -> tuple[str, bytes]:
    """Returns what stands in Redis for a login, and for it, its secret and the caller's address together: keyed
    hashes, so that neither names anything to whoever reads Redis.
    """
    name = hashlib.blake2b(kind.encode() + name_hash, key=key, digest_size=16).hexdigest()
    known = f"{name}:{op.ctx.client_address}:{secret}".encode()
    return name, hashlib.blake2b(known, key=key, digest_size=16).digest()


def _times(limit: Limit, times: int) -> Limit:
    return replace(limit, count=limit.count * times)
