"""Reports domains whose record is gone, of emails and of links, by what the last checks have stored, and asks the DNS
about the domain that most emails are sent from.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from channels import BadDsn, connect, parse_list
from core.dns_lookup import DnsLookup
from core.settings import Settings
from db.session import Database
from engine.domains import dkim_keys
from engine.domains.examination import Relay, examine
from postern.doctor.findings import Findings
from shapes.domains import CheckState, DkimState

_LOST: Final = """
SELECT name, status, lost_at, count(*) OVER () AS total FROM domains WHERE status IN ('lost', 'expired')
ORDER BY lost_at, id LIMIT 5
"""
_LOST_LINKS: Final = """
SELECT name, status, lost_at, count(*) OVER () AS total FROM brand_domains WHERE status IN ('lost', 'expired')
ORDER BY lost_at, id LIMIT 5
"""
# Reserved names (RFC 2606, RFC 6762): the DNS has no records of them.
_RESERVED: Final = re.compile(r"(.*\.)?(example(\.(com|net|org))?|test|invalid|local|localhost)")
_COUNT: Final = "SELECT count(*) FROM domains WHERE status = 'verified'"
_COUNT_LINKS: Final = "SELECT count(*) FROM brand_domains WHERE status = 'verified'"


async def look(findings: Findings, db: Database) -> None:
    """Reports lost domains; nothing if there are no domains."""
    lost = await db.fetch(_LOST)
    for row in lost:
        since = f"{row['lost_at']:%Y-%m-%d}" if row["lost_at"] else "a while ago"
        end = "emails are sent from it for a week" if row["status"] == "lost" else "nothing is sent from it"
        findings.note(
            "domains",
            f"{row['name']}: its record is gone since {since}; {end}",
            "Its owner must set the TXT record that the page Domains shows, or delete the domain.",
        )
    if lost and lost[0]["total"] > len(lost):
        findings.note("domains", f"{lost[0]['total'] - len(lost)} more domains are lost", "See GET /domains.")
    if verified := await db.fetchval(_COUNT):
        findings.good("domains", f"{verified} verified")


async def look_at_links(findings: Findings, db: Database) -> None:
    """Reports lost domains for links and pages; nothing if there are no such domains."""
    lost = await db.fetch(_LOST_LINKS)
    for row in lost:
        since = f"{row['lost_at']:%Y-%m-%d}" if row["lost_at"] else "a while ago"
        end = "its links work for a week" if row["status"] == "lost" else "its links are 404"
        findings.note(
            "domains of links",
            f"{row['name']}: its record is gone since {since}; {end}",
            "Its owner must set the TXT record that GET /brand/domains shows, or delete the domain.",
        )
    if lost and lost[0]["total"] > len(lost):
        more = lost[0]["total"] - len(lost)
        findings.note("domains of links", f"{more} more domains are lost", "See GET /brand/domains.")
    if verified := await db.fetchval(_COUNT_LINKS):
        findings.good("domains of links", f"{verified} verified")


def relay_of(settings: Settings) -> Relay | None:
    """Returns the mail server of the first `smtp` channel, and the names used there. None: there is no such channel,
    or its domain is a reserved name.
    """
    try:
        channels = [connect("email", dsn) for dsn in parse_list(settings.channel_email)]
    except (BadDsn, ValueError):
        return None  # reported with the channels
    relays = [Relay(*channel.relay) for channel in channels if hasattr(channel, "relay")]
    return next((relay for relay in relays if not _RESERVED.fullmatch(relay.sender_domain)), None)


async def keys_of(db: Database, relay: Relay | None) -> Sequence[Any]:
    """Returns the installation's keys of the channel's domain."""
    rows = [] if relay is None else await dkim_keys.of_owner(db, None, relay.sender_domain)
    return [row for row in rows if row["state"] != DkimState.retired]


async def ask(findings: Findings, settings: Settings, relay: Relay, keys: Sequence[Any]) -> None:
    """Reports what the DNS says about the channel's domain, as `domainCheck` does. It is no problem of this machine, so
    it is never one by which the doctor fails.
    """
    domain = relay.sender_domain
    seen = await examine(DnsLookup(settings.dns_servers), domain, keys, relay)
    for finding in seen:
        if finding.state is CheckState.ok:
            continue
        advice = "docs/deliverability.md says which records a domain needs."
        if finding.state is CheckState.unknown:
            advice = "Ask again later; POSTERN_DNS_SERVERS may name other servers."
        elif finding.record_name is not None:
            advice = f"Set the TXT record {finding.record_name} to {finding.record_value}"
        findings.note("DNS", f"{domain}: {finding.text}", advice)
    if count := sum(finding.state is CheckState.ok for finding in seen):
        findings.good("DNS", f"{domain}: {count} of {len(seen)} examinations are well")
