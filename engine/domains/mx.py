"""Looks up who runs the mailboxes of a domain, by its MX records.

The triggers that count emails name the domains that are not known. Until a domain is looked up, its emails count as of
`other` providers; so they do if the DNS gives no answer.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog

from core.dns_lookup import DnsFailed, DnsLookup
from engine.domains.clock import lookup_of
from engine.jobs import every
from runtime.services import Services
from shapes.deliverability import ProviderClass

log = structlog.get_logger("postern.engine")

_MOST: Final = 100  # domains of a round
_AT_ONCE: Final = 10
_HOSTS: Final = (
    ("google.com", ProviderClass.gmail),
    ("googlemail.com", ProviderClass.gmail),
    ("outlook.com", ProviderClass.microsoft),
    ("hotmail.com", ProviderClass.microsoft),
    ("mx.microsoft", ProviderClass.microsoft),
    ("yahoodns.net", ProviderClass.yahoo),
    ("icloud.com", ProviderClass.apple),
    ("apple.com", ProviderClass.apple),
    ("yandex.net", ProviderClass.yandex),
    ("yandex.ru", ProviderClass.yandex),
    ("mail.ru", ProviderClass.mailru),
)

# A worker that dies loses the requests: the next email to the domain makes one again. Those above the limit are
# dropped, too, so that a flood of invented domains has no queue.
_TAKE = """
WITH taken AS (
  DELETE FROM mail_domain_requests WHERE id IN (SELECT id FROM mail_domain_requests ORDER BY id LIMIT 100000
    FOR UPDATE SKIP LOCKED) RETURNING domain
)
SELECT t.domain FROM taken AS t LEFT JOIN mail_domains AS d ON d.domain = t.domain
WHERE d.looked_up_at IS NULL OR d.looked_up_at < now() - interval '7 days'
GROUP BY t.domain ORDER BY count(*) DESC, t.domain LIMIT $1
"""
# A domain that was known stays as it was if the DNS gives no answer now, and is looked up again a day later.
_STORE = """
INSERT INTO mail_domains AS d (domain, provider_class, looked_up_at)
SELECT domain, COALESCE(class, 'other'), CASE WHEN class IS NULL THEN now() - interval '6 days' ELSE now() END
FROM unnest($1::text[], $2::text[]) AS s (domain, class) ORDER BY domain
ON CONFLICT (domain) DO UPDATE SET looked_up_at = excluded.looked_up_at,
  provider_class = CASE WHEN excluded.domain = ANY($3::text[]) THEN d.provider_class ELSE excluded.provider_class END
"""


def provider_of(hosts: Sequence[str]) -> ProviderClass:
    """Returns the provider that runs these mail servers, the most preferred one first."""
    for host in hosts:
        name = host.rstrip(".").lower()
        for suffix, provider in _HOSTS:
            if name == suffix or name.endswith(f".{suffix}"):
                return provider
    return ProviderClass.other


@every(60.0, due="EXISTS (SELECT FROM mail_domain_requests)")
async def look_up(services: Services) -> None:
    """Looks up the domains that emails were sent to and that are not known, or were looked up a week ago."""
    domains = [row["domain"] for row in await services.db.fetch(_TAKE, _MOST)]
    if not domains:
        return
    dns, slots = lookup_of(services), asyncio.Semaphore(_AT_ONCE)

    async def asked(domain: str) -> ProviderClass | None:
        async with slots:
            return await _ask(dns, domain)

    providers = await asyncio.gather(*map(asked, domains))
    failed = [domain for domain, provider in zip(domains, providers, strict=True) if provider is None]
    classes = [None if provider is None else provider.value for provider in providers]
    await services.db.fetch(_STORE, domains, classes, failed)
    if failed:
        log.info("the DNS gave no answer about mail servers", domains=len(failed))


async def _ask(dns: DnsLookup, domain: str) -> ProviderClass | None:
    try:
        records = await dns.ask(domain, "MX")
    except DnsFailed:
        return None
    ordered = sorted(records, key=lambda record: (record.preference, str(record.exchange)))
    return provider_of([str(record.exchange) for record in ordered])
