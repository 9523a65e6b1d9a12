"""Asks the DNS about a domain of emails: the way back of bounces, SPF, DKIM, DMARC, and the relay's names.

One examination asks at most some forty questions, at once where they don't need each other, within SECONDS.
"""

import asyncio
import base64
import re
from collections.abc import Iterator, Sequence
from functools import cache
from ipaddress import ip_address, ip_network
from typing import Any, Final, NamedTuple

import dns.reversename
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key
from publicsuffixlist import PublicSuffixList

from core.dns_lookup import DnsFailed, DnsLookup
from engine.domains import records
from engine.domains.dkim_keys import record
from shapes.domains import CheckState, CheckTopic, DomainFinding

SECONDS: Final = 20.0
_LEAST_BITS: Final = 1024
_MOST_LOOKUPS: Final = 10  # of one SPF record (RFC 7208 §4.6.4)
_MOST_ADDRESSES: Final = 4
_MOST_SERVERS: Final = 2  # of a domain's MX that are asked for
_DMARC: Final = re.compile(r"v\s*=\s*DMARC1\s*(;|$)")
_POLICIES: Final = frozenset({"none", "quarantine", "reject"})


class Relay(NamedTuple):
    """The mail server that emails are handed to, and the names that we use there."""

    host: str
    helo: str
    sender_domain: str
    bounce: str | None


async def examine(
    lookup: DnsLookup, domain: str, keys: Sequence[Any], relay: Relay | None
) -> list[DomainFinding]:
    """Returns the findings about a domain; `keys` are ours, with selector, algorithm and public_key."""
    parts = [_dkim(lookup, domain, key) for key in keys] or [_no_key(domain)]
    parts.append(_dmarc(lookup, domain, relay))
    if relay is not None:
        parts += [_bounces(lookup, relay), _spf(lookup, relay), _names(lookup, relay)]
    findings: list[DomainFinding] = []
    tasks = [asyncio.ensure_future(part) for part in parts]
    done, late = await asyncio.wait(tasks, timeout=SECONDS)
    for task in late:
        task.cancel()
    for task in tasks:
        if task in done:
            error = task.exception()
            if error is not None and not isinstance(error, DnsFailed):
                raise error
            findings += [_finding(CheckTopic.dns, CheckState.unknown, str(error))] if error else task.result()
    if late:
        findings.append(_finding(CheckTopic.dns, CheckState.unknown, f"no answer within {SECONDS:g} s"))
    return findings


async def _no_key(domain: str) -> list[DomainFinding]:
    return [
        _finding(
            CheckTopic.dkim, CheckState.warning, f"there is no key for {domain}: its emails are not signed"
        )
    ]


async def _dkim(lookup: DnsLookup, domain: str, key: Any) -> list[DomainFinding]:
    own = record(domain, key["selector"], key["algorithm"], key["public_key"])
    texts = await lookup.txt(own.name)
    if records.publishes(texts, key["public_key"]):
        bits = _bits(key["public_key"])
        if bits is not None and bits < _LEAST_BITS:
            text = f"{own.name}: the key has {bits} bits; at least {_LEAST_BITS} are needed"
            return [_finding(CheckTopic.dkim, CheckState.error, text)]
        return [_finding(CheckTopic.dkim, CheckState.ok, f"{own.name} has the key")]
    what = "has another key than ours" if texts else "has no record"
    return [_finding(CheckTopic.dkim, CheckState.error, f"{own.name} {what}", *own)]


def _bits(public_key: str) -> int | None:
    """Returns the bits of an RSA key; None for another."""
    try:
        key = load_der_public_key(base64.b64decode(public_key))
    except ValueError:
        return None
    return key.key_size if isinstance(key, RSAPublicKey) else None


async def _dmarc(lookup: DnsLookup, domain: str, relay: Relay | None) -> list[DomainFinding]:
    findings = [await _dmarc_policy(lookup, domain)]
    if relay is not None:
        envelope = relay.bounce or relay.sender_domain
        aligned = organization(envelope) == organization(domain)
        text = f"bounces come to {envelope}, which is {'' if aligned else 'not '}aligned with {domain}"
        state = CheckState.ok if aligned else CheckState.warning
        if not aligned:
            text += ": DMARC needs the signature by DKIM"
        findings.append(_finding(CheckTopic.alignment, state, text))
    return findings


async def _dmarc_policy(lookup: DnsLookup, domain: str) -> DomainFinding:
    """Returns the finding about the policy that receivers apply (RFC 7489 §6.6.3)."""
    for name in dict.fromkeys((domain, organization(domain))):
        texts = [text for text in await lookup.txt(f"_dmarc.{name}") if _DMARC.match(text)]
        own = f"_dmarc.{name}"
        if len(texts) > 1:
            text = f"{own} has {len(texts)} DMARC records, so receivers apply none; leave one"
            return _finding(CheckTopic.dmarc, CheckState.error, text)
        if not texts:
            continue
        tags = {tag.lower(): value for tag, value in records.tags(texts[0]).items()}
        tag = "sp" if name != domain and "sp" in tags else "p"
        policy = tags.get(tag, "")
        if policy.lower() in _POLICIES:
            return _finding(CheckTopic.dmarc, CheckState.ok, f"the DMARC policy is {policy.lower()}")
        wrong = f"{tag}={policy[:50]}" if policy else "no p="
        text = f"{own} has {wrong}, so receivers apply no policy; write p=none, p=quarantine or p=reject"
        return _finding(CheckTopic.dmarc, CheckState.error, text, own, "v=DMARC1; p=none")
    text = f"{domain} has no DMARC policy; large receivers want one"
    return _finding(CheckTopic.dmarc, CheckState.warning, text, f"_dmarc.{domain}", "v=DMARC1; p=none")


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()  # the list of the installed package: nothing is fetched


def organization(domain: str) -> str:
    """Returns the organizational domain of DMARC (RFC 7489 §3.2): one label more than the public suffix.

    A public suffix itself, such as co.uk, is its own.
    """
    name = domain.lower().rstrip(".")
    return _suffixes().privatesuffix(name) or name


async def _bounces(lookup: DnsLookup, relay: Relay) -> list[DomainFinding]:
    domain = relay.bounce or relay.sender_domain
    servers = await lookup.ask(domain, "MX")
    if servers:
        return [_finding(CheckTopic.mx, CheckState.ok, f"bounces to {domain} go to {servers[0].exchange}")]
    text = f"{domain} has no MX record, so bounces may be lost; it must name the server that takes them"
    return [_finding(CheckTopic.mx, CheckState.error, text)]


async def _spf(lookup: DnsLookup, relay: Relay) -> list[DomainFinding]:
    domain = relay.bounce or relay.sender_domain
    texts = [text for text in await lookup.txt(domain) if text.lower().startswith("v=spf1")]
    suggestion = (domain, f"v=spf1 a:{relay.host} ~all")
    if not texts:
        text = f"{domain} has no SPF record, so receivers doubt emails with it as envelope sender"
        return [_finding(CheckTopic.spf, CheckState.error, text, *suggestion)]
    if len(texts) > 1:
        return [
            _finding(CheckTopic.spf, CheckState.error, f"{domain} has {len(texts)} SPF records; leave one")
        ]
    addresses = await _addresses(lookup, relay.host)
    try:
        passes = await _Spf(lookup, addresses).passes(domain, texts[0])
    except _TooManyLookups:
        text = (
            f"SPF of {domain} needs too many look-ups: receivers make {_MOST_LOOKUPS} at most (RFC 7208 §4.6.4) and"
            " take it for an error. Remove include, a and mx of servers that you don't use, or write ip4 and ip6"
        )
        return [_finding(CheckTopic.spf, CheckState.error, text)]
    if passes:
        return [_finding(CheckTopic.spf, CheckState.ok, f"SPF of {domain} has {relay.host}")]
    text = f"SPF of {domain} does not have {relay.host}; if the relay sends from other addresses, it must have those"
    return [_finding(CheckTopic.spf, CheckState.warning, text, *suggestion)]


class _TooManyLookups(Exception):
    """An SPF record needs more questions than a receiver asks."""


class _Spf:
    """Evaluates an SPF record for some addresses, of which any may match, with at most ten questions. Raises
    _TooManyLookups.
    """

    def __init__(self, lookup: DnsLookup, addresses: Sequence[str]) -> None:
        self._lookup, self._addresses, self._left = (
            lookup,
            [ip_address(text) for text in addresses],
            _MOST_LOOKUPS,
        )

    async def passes(self, domain: str, text: str) -> bool:
        redirect = None
        for term in text.lower().split()[1:]:
            if term.startswith("redirect="):
                redirect = term.partition("=")[2]
                continue
            name, value = self._mechanism(term.lstrip("+-~?"))
            if await self._matches(name, value, domain):
                return term[0] not in "-~?"
        # A redirect counts if nothing before it matches, wherever it stands (RFC 7208 §6.1).
        return redirect is not None and await self._included(redirect)

    @staticmethod
    def _mechanism(term: str) -> tuple[str, str]:
        """Returns the name of a mechanism and its value; of `a` and `mx` without the length of a prefix."""
        name, _, value = term.partition(":")
        return (name, value) if name in ("ip4", "ip6") else (name.partition("/")[0], value.partition("/")[0])

    async def _matches(self, name: str, value: str, domain: str) -> bool:
        match name:
            case "all":
                return True
            case "ip4" | "ip6":
                return any(address in network for network in _network(value) for address in self._addresses)
            case "include":
                return await self._included(value)
            case "a":
                self._ask()
                return await self._has(value or domain)
            case "mx":
                self._ask()
                servers = await self._lookup.ask(value or domain, "MX")
                return any([await self._has(str(server.exchange)) for server in servers[:_MOST_SERVERS]])
            case "exists" | "ptr":
                self._ask()
        return False

    async def _included(self, domain: str) -> bool:
        self._ask()
        texts = [text for text in await self._lookup.txt(domain) if text.lower().startswith("v=spf1")]
        return bool(texts) and await self.passes(domain, texts[0])

    def _ask(self) -> None:
        """Counts a question (RFC 7208 §4.6.4)."""
        self._left -= 1
        if self._left < 0:
            raise _TooManyLookups

    async def _has(self, host: str) -> bool:
        return bool({*map(str, self._addresses)} & {*await _addresses(self._lookup, host)})


def _network(text: str) -> Iterator[Any]:
    try:
        yield ip_network(text, strict=False)
    except ValueError:
        return


async def _addresses(lookup: DnsLookup, host: str) -> list[str]:
    try:
        return [str(ip_address(host.strip("[]")))]
    except ValueError:
        answers = await asyncio.gather(lookup.ask(host, "A"), lookup.ask(host, "AAAA"))
        return [str(answer.address) for answer in (*answers[0], *answers[1])][:_MOST_ADDRESSES]


async def _names(lookup: DnsLookup, relay: Relay) -> list[DomainFinding]:
    findings = []
    for address in await _addresses(lookup, relay.host):
        names = await lookup.ask(str(dns_name(address)), "PTR")
        if names:
            findings.append(_finding(CheckTopic.ptr, CheckState.ok, f"{address} is {names[0].target}"))
        else:
            text = f"{address} of {relay.host} has no PTR record; receivers refuse such servers"
            findings.append(_finding(CheckTopic.ptr, CheckState.warning, text))
    addresses = await _addresses(lookup, relay.helo)
    state = CheckState.ok if addresses else CheckState.warning
    text = f"we greet the relay as {relay.helo}" + ("" if addresses else ", a name without an address")
    return [*findings, _finding(CheckTopic.helo, state, text)]


def dns_name(address: str) -> Any:
    """Returns the name under which the PTR record of an address is."""
    return dns.reversename.from_address(address)


def _finding(
    topic: CheckTopic, state: CheckState, text: str, name: str | None = None, value: str | None = None
) -> DomainFinding:
    return DomainFinding(topic=topic, state=state, text=text[:500], record_name=name, record_value=value)
