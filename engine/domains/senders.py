"""The domains from which a worker may send emails, with their keys, kept for half a minute."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple
from uuid import UUID

import structlog
from cachetools import TTLCache

from channels.mailbox import Mailbox
from channels.port import MailSigner
from core.vault import Sealed
from engine.domains import dkim_keys
from engine.domains.approval import USABLE
from runtime.services import Services

log = structlog.get_logger("postern.engine")

_SECONDS: Final = 30.0
"""For so long a worker may use a key that signs no more. A retired key's record stays for a week."""
_MOST: Final = 20_000  # domains


class SenderDomain(NamedTuple):
    """A domain, and whose it is; None: the installation's."""

    owner_id: UUID | None
    domain: str  # in ASCII and lower case


class _Sending(NamedTuple):
    """A domain's approval, and the keys that sign its emails."""

    approved: bool
    signers: tuple[MailSigner, ...]


# Of each algorithm the newest. The installation's keys sign for an owner who has none: the domain is verified.
_ASKED = f"""
SELECT asked.owner_id AS asked_by, asked.domain AS asked_for, asked.owner_id IS NULL OR EXISTS (
    SELECT FROM domains AS d WHERE d.owner_id = asked.owner_id AND d.name = asked.domain AND {USABLE}
  ) AS approved, k.*
FROM unnest($1::uuid[], $2::text[]) AS asked (owner_id, domain)
LEFT JOIN LATERAL (
  SELECT DISTINCT ON (algorithm) id, domain, selector, key_encrypted FROM dkim_keys
  WHERE domain = asked.domain AND (owner_id = asked.owner_id OR owner_id IS NULL) AND state = 'active'
  ORDER BY algorithm, owner_id NULLS LAST, id DESC
) AS k ON true
"""  # noqa: S608  our own condition


class Senders:
    """Knows the sending domains of this process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._cache: TTLCache[SenderDomain, _Sending] = TTLCache(_MOST, _SECONDS)

    async def load(self, owner_and_from: Iterable[tuple[UUID, str | None]] = ()) -> "BatchSenders":
        """Returns the domains of these senders and those of the channels' own From."""
        asked = {SenderDomain(None, domain) for domain in self._services.routes.sender_domains()}
        asked.update(
            SenderDomain(owner, domain_of(text)) for owner, text in owner_and_from if text is not None
        )
        domains = {domain: sending for domain in asked if (sending := self._cache.get(domain)) is not None}
        if missing := [*(asked - domains.keys())]:
            rows = await self._services.db.fetch(
                _ASKED, [domain.owner_id for domain in missing], [domain.domain for domain in missing]
            )
            read: dict[SenderDomain, _Sending] = {}
            for row in rows:
                domain = SenderDomain(row["asked_by"], row["asked_for"])
                before = read.get(domain, _Sending(row["approved"], ()))
                read[domain] = before._replace(signers=(*before.signers, *self._signers(row)))
            self._cache.update(read)
            domains |= read
        return BatchSenders(domains)

    def _signers(self, row: Any) -> Sequence[MailSigner]:
        if row["id"] is None:
            return ()
        try:
            return (dkim_keys.signer(self._services.vault, row),)
        except Sealed:
            log.error(
                "a DKIM key can't be decrypted; emails are not signed with it",
                domain=row["domain"],
                selector=row["selector"],
            )
            return ()


class BatchSenders:
    """The sending domains of a batch."""

    def __init__(self, domains: dict[SenderDomain, _Sending]) -> None:
        self._domains = domains

    def approved(self, owner_id: UUID, sender: str | None) -> bool:
        """Returns whether an email may be sent; `sender` is its From, or None for the channel's own."""
        if sender is None:
            return True
        sending = self._domains.get(SenderDomain(owner_id, domain_of(sender)))
        return sending is not None and sending.approved

    def signers(self, owner_id: UUID, sender: str | None) -> Callable[[str], Sequence[MailSigner]]:
        """Returns the function that gives the keys of a From's domain."""
        return partial(self._of, None if sender is None else owner_id)

    def of_default(self, domain: str) -> Sequence[MailSigner]:
        """Returns the keys that sign emails with a channel's own From."""
        return self._of(None, domain)

    def _of(self, owner_id: UUID | None, domain: str) -> Sequence[MailSigner]:
        sending = self._domains.get(SenderDomain(owner_id, domain.lower()))
        return sending.signers if sending is not None and sending.approved else ()


def domain_of(sender: str) -> str:
    """Returns the domain of a From that was checked when it was given."""
    return Mailbox.parse(sender).domain.lower()


def senders_of(services: Services) -> Senders:
    """Returns this process's senders."""
    return services.single(Senders, lambda: Senders(services))
