"""Other domains have the provider of their MX records, once a worker has looked them up."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from core.dns_lookup import DnsLookup
from engine.domains.mx import look_up, provider_of
from shapes.deliverability import ProviderClass
from tests.mail_reports.made import Mails, mails
from tests.support.dns import Zone, serving_dns
from tests.support.gateway import gateway
from tests.support.records import records

__all__ = ["gateway", "mails", "records"]

_COUNTED = "SELECT provider_class, sum(accepted)::int AS accepted FROM domain_counters GROUP BY 1"


@pytest.fixture
async def zone(services: Any) -> AsyncIterator[Zone]:
    async with serving_dns() as made:
        services.single(DnsLookup, lambda: DnsLookup([made.server]))
        yield made


async def _counted(mails: Mails) -> dict[str, int]:
    return {row["provider_class"]: row["accepted"] for row in await mails.services.db.fetch(_COUNTED)}


@pytest.mark.parametrize(
    ("hosts", "provider"),
    [
        (["aspmx.l.google.com.", "alt1.aspmx.l.google.com."], ProviderClass.gmail),
        (["Example-com.mail.protection.Outlook.com."], ProviderClass.microsoft),
        (["example-com.a-v1.mx.microsoft."], ProviderClass.microsoft),
        (["mta5.am0.yahoodns.net."], ProviderClass.yahoo),
        (["mx01.mail.icloud.com."], ProviderClass.apple),
        (["mx.yandex.net."], ProviderClass.yandex),
        (["emx.mail.ru."], ProviderClass.mailru),
        (["mx.notgoogle.com.", "mx.example.net."], ProviderClass.other),
        ([], ProviderClass.other),
        (["."], ProviderClass.other),
    ],
)
def test_mail_servers(hosts: list[str], provider: ProviderClass) -> None:
    assert provider_of(hosts) is provider


async def test_a_domain_is_looked_up_once(mails: Mails, zone: Zone) -> None:
    zone.set("company.example", "MX", "20 backup.example.", "10 aspmx.l.google.com.")
    await mails.direct("sent", "a@Company.example")
    await mails.direct("sent", "a@gmail.com")
    assert await _counted(mails) == {"other": 1, "gmail": 1}, "what was counted before stays"
    await look_up(mails.services)
    await mails.direct("sent", "b@company.example")
    assert await _counted(mails) == {"other": 1, "gmail": 2}
    assert await mails.gateway.count("mail_domain_requests") == 0

    # After a week it is looked up again; if the DNS gives no answer, the provider stays.
    await mails.services.db.fetch("UPDATE mail_domains SET looked_up_at = now() - interval '8 days'")
    await mails.direct("sent", "c@company.example")
    zone.fails = True
    await look_up(mails.services)
    row = await mails.services.db.fetchrow(
        "SELECT provider_class, looked_up_at > now() - interval '7 days' AS soon FROM mail_domains"
    )
    assert dict(row) == {"provider_class": "gmail", "soon": True}


async def test_no_answer_counts_as_other(mails: Mails, zone: Zone) -> None:
    zone.fails = True
    await mails.direct("sent", "a@silent.example")
    await look_up(mails.services)
    await mails.direct("sent", "b@silent.example")
    assert await _counted(mails) == {"other": 2}
    assert await mails.gateway.count("mail_domain_requests") == 0, "it is asked for again a day later"
