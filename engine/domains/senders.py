"""The keys by which a worker signs emails: of the domains that a batch needs, kept for half a minute."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple
from uuid import UUID

import structlog
from cachetools import TTLCache

from channels.port import MailSigner
from core.vault import Sealed
from engine.domains import dkim_keys
from runtime.services import Services

log = structlog.get_logger("postern.engine")

_SECONDS: Final = 30.0
"""For so long a worker may use a key that signs no more. A retired key's record stays for a week."""
_MOST: Final = 20_000  # domains


class SenderDomain(NamedTuple):
    """A domain, and whose keys sign its emails; None: those of the installation."""

    owner_id: UUID | None
    domain: str  # in ASCII and lower case


# Of each algorithm the newest.
_KEYS = """
SELECT DISTINCT ON (asked.owner_id, asked.domain, k.algorithm)
  asked.owner_id AS asked_by, k.id, k.domain, k.selector, k.key_encrypted
FROM unnest($1::uuid[], $2::text[]) AS asked (owner_id, domain)
JOIN dkim_keys AS k ON k.domain = asked.domain AND k.owner_id IS NOT DISTINCT FROM asked.owner_id
WHERE k.state = 'active'
ORDER BY asked.owner_id, asked.domain, k.algorithm, k.id DESC
"""


class Senders:
    """Knows the keys of sending domains in this process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._signers: TTLCache[SenderDomain, tuple[MailSigner, ...]] = TTLCache(_MOST, _SECONDS)

    async def load(self, domains: Iterable[SenderDomain] = ()) -> "BatchSenders":
        """Returns the keys of these domains and of those of the channels' own From."""
        defaults = (SenderDomain(None, domain) for domain in self._services.routes.sender_domains())
        asked = {*defaults, *domains}
        signers_of = {
            domain: signers for domain in asked if (signers := self._signers.get(domain)) is not None
        }
        if missing := [*(asked - signers_of.keys())]:
            rows = await self._services.db.fetch(
                _KEYS, [domain.owner_id for domain in missing], [domain.domain for domain in missing]
            )
            read: dict[SenderDomain, tuple[MailSigner, ...]] = dict.fromkeys(missing, ())
            for row in rows:
                domain = SenderDomain(row["asked_by"], row["domain"])
                try:
                    read[domain] = (*read[domain], dkim_keys.signer(self._services.vault, row))
                except Sealed:
                    log.error(
                        "a DKIM key can't be decrypted; emails are not signed with it",
                        domain=row["domain"],
                        selector=row["selector"],
                    )
            self._signers.update(read)
            signers_of |= read
        return BatchSenders(signers_of)


class BatchSenders:
    """The keys of the domains that a batch needs."""

    def __init__(self, signers_of: dict[SenderDomain, tuple[MailSigner, ...]]) -> None:
        self._signers = signers_of

    def of_default(self, domain: str) -> Sequence[MailSigner]:
        """Returns the keys that sign emails with a channel's own From."""
        return self._signers.get(SenderDomain(None, domain.lower()), ())


def senders_of(services: Services) -> Senders:
    """Returns this process's senders."""
    return services.single(Senders, lambda: Senders(services))
