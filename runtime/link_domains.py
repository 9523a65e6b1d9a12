"""The domains of owners for links and pages, as processes ask for them: by owner for a link, and by host for a request.

Answers stay in this process's local cache for some seconds, and are dropped when a domain changes. A drain of five
hundred messages asks once. Hosts that are no domain of an owner's are cached, too, in the bounds of that cache.
"""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from cachetools import TTLCache

from core.local_cache import CHANNEL
from runtime import links
from runtime.services import Services
from shapes.brand_domains import GRACE_DAYS

_USABLE: Final = (
    f"(d.status = 'verified' OR d.status = 'lost' AND d.lost_at > now() - interval '{GRACE_DAYS} days')"
)
# The newest one: who moves to another domain adds that, and the links of before keep working.
_NEWEST: Final = f"""
SELECT DISTINCT ON (d.owner_id) d.owner_id, d.name FROM brand_domains AS d
WHERE d.owner_id = ANY($1) AND {_USABLE} ORDER BY d.owner_id, d.id DESC
"""  # noqa: S608  our own condition
_OF_HOST: Final = f"""
SELECT CASE WHEN {_USABLE} AND u.status = 'active' THEN d.owner_id END AS owner_id
FROM brand_domains AS d JOIN users AS u ON u.id = d.owner_id WHERE d.name = $1 ORDER BY 1 NULLS LAST LIMIT 1
"""  # noqa: S608  our own condition
_HAS_ADDED: Final = "SELECT EXISTS (SELECT FROM brand_domains WHERE owner_id = $1 AND name = $2)"
_HOST: Final = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}")
_LONGEST: Final = 253
_ADDED: Final = b"?"
_STRANGERS: Final = 2_000
_STRANGERS_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class LinkSite:
    """A host that an owner has added for links and pages. Without `owner_id` it is proven for no owner."""

    host: str
    owner_id: UUID | None


async def base_of(services: Services, owner_id: UUID) -> str:
    """Returns the address under which an owner's recipients open links, without a slash at the end: the domain of the
    owner's that was added last and is verified, else that of this service.
    """
    return (await bases_of(services, [owner_id]))[owner_id]


async def bases_of(services: Services, owner_ids: Iterable[UUID]) -> Mapping[UUID, str]:
    """Returns that of several owners, in one read at most."""
    cache, ours = services.viewers.local_cache, links.base(services.settings)
    names = {id: cache.get(_owner_key(id)) for id in owner_ids}
    if missing := [id for id, name in names.items() if name is None]:
        generation = cache.generation
        rows = {row["owner_id"]: row["name"] for row in await services.db.fetch(_NEWEST, missing)}
        read = {id: rows.get(id, "").encode() for id in missing}
        names |= read
        cache.keep(generation, [(_owner_key(id), name) for id, name in read.items()])
    return {id: f"https://{name.decode()}" if name else ours for id, name in names.items()}


class _Strangers:
    """Remembers hosts that are no domain of an owner's: apart from the cache of callers, which requests with ever new
    hosts would clear. `reading` lets one look-up of this process run at a time, so that a crowd of anonymous requests
    takes one connection of the pool, and those with the same host cause one look-up.
    """

    def __init__(self) -> None:
        self.names: TTLCache[str, bool] = TTLCache(_STRANGERS, _STRANGERS_SECONDS)
        self.reading = asyncio.Lock()


async def site_of(services: Services, host: str) -> LinkSite | None:
    """Returns the domain of an owner's that a request has named in its Host header; None if it is none."""
    name = host_name(host)
    if name is None or name in own_hosts(services):
        return None
    cache, strangers = services.viewers.local_cache, services.single(_Strangers, _Strangers)
    if (value := cache.get(_host_key(name))) is None and name not in strangers.names:
        # A caller that waits longer is answered as while the database does not answer.
        async with asyncio.timeout(services.db.options.pool_timeout), strangers.reading:
            if (value := cache.get(_host_key(name))) is None and name not in strangers.names:
                value = await _read_host(services, name)
    return None if value is None else LinkSite(name, None if value == _ADDED else UUID(bytes=value))


async def _read_host(services: Services, name: str) -> bytes | None:
    """Reads the owner of a host, and caches the answer. Returns None if the host is no domain of an owner's."""
    cache = services.viewers.local_cache
    generation = cache.generation
    row = await services.db.fetchrow(_OF_HOST, name)
    if row is None:
        services.single(_Strangers, _Strangers).names[name] = True
        return None
    value: bytes = _ADDED if row["owner_id"] is None else row["owner_id"].bytes
    cache.keep(generation, [(_host_key(name), value)])
    return value


async def shows(services: Services, site: LinkSite, owner_id: UUID) -> bool:
    """Returns whether a host shows pages of this owner. One that is proven shows those of its owner alone; one that is
    not shows none of an owner who has added it.
    """
    if site.owner_id is not None:
        return site.owner_id == owner_id
    return not await services.db.fetchval(_HAS_ADDED, owner_id, site.host)


async def changed(services: Services, owner_ids: Sequence[UUID], name: str) -> None:
    """Drops what processes have cached of a domain. Call it after the commit. A process that does not hear of it goes
    on for some seconds.
    """
    services.single(_Strangers, _Strangers).names.pop(name, None)
    keys = [_host_key(name), *map(_owner_key, owner_ids)]
    services.viewers.local_cache.invalidate(keys)
    await services.store.attempt(lambda redis: redis.publish(CHANNEL, ",".join(keys)), 0)


def host_name(host: str) -> str | None:
    """Returns the name of a Host header in lower case; None for what can be no domain, such as an IP address."""
    name = host.partition(":")[0].rstrip(".").lower()
    return name if len(name) <= _LONGEST and _HOST.fullmatch(name) and not name[-1].isdigit() else None


def own_hosts(services: Services) -> frozenset[str]:
    """Returns the hosts of this service, which are never a domain of an owner's."""
    settings = services.settings
    return _hosts(settings.public_url, settings.media_url, settings.host)


@lru_cache(16)  # each request asks
def _hosts(*addresses: str | None) -> frozenset[str]:
    hosts = (urlsplit(each).hostname if "://" in each else each for each in addresses if each)
    return frozenset(host for host in hosts if host)


def _owner_key(owner_id: UUID) -> str:
    return f"link-domain:{owner_id}"


def _host_key(name: str) -> str:
    return f"link-host:{name}"
