"""The doctor asks the DNS about the domain of the mail channel."""

import socket

from tests.doctor.looking import look
from tests.support.dns import serving_dns

DOMAIN = "shop.co"


async def test_the_records_of_the_channel_are_asked_for(own):
    with socket.create_server(("127.0.0.1", 0)) as relay:
        port = relay.getsockname()[1]
        async with serving_dns() as zone:
            settings = own(
                channel_email=f"smtp://127.0.0.1:{port}?from=a@{DOMAIN}&bounce=bounces.{DOMAIN}",
                dns_servers=[zone.server],
            )
            seen = await look(settings)
            lines = "\n".join(seen.of("DNS"))
            assert f"{DOMAIN} has no DMARC policy" in lines
            assert f"→ Set the TXT record _dmarc.{DOMAIN} to v=DMARC1; p=none" in lines
            assert f"there is no key for {DOMAIN}" in lines
            problems = seen.problems
            zone.set(f"_dmarc.{DOMAIN}", "TXT", "v=DMARC1; p=quarantine")
            zone.set(f"bounces.{DOMAIN}", "MX", f"10 mx.{DOMAIN}.")
            zone.set(f"mx.{DOMAIN}", "A", "127.0.0.1")
            seen = await look(settings)
            assert "DMARC policy" not in "\n".join(line for line in seen.of("DNS") if line.startswith("!"))
            assert any(line.startswith("✓") for line in seen.of("DNS"))
            assert seen.problems == problems
            zone.fails = True
            assert any("Ask again later" in line for line in (await look(settings)).of("DNS"))


async def test_a_reserved_name_and_no_mail_server_are_not_asked_about(own):
    async with serving_dns() as zone:
        for channel in ("smtp://127.0.0.1:1?from=a@news.example.com", "sandbox://", "nonsense"):
            await look(own(channel_email=channel, dns_servers=[zone.server]))
        assert zone.asked == []
