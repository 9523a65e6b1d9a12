"""Findings of `postern doctor` about routes."""

from core.settings import Settings
from postern.doctor import routes
from postern.doctor.findings import Findings
from runtime.services import Services
from tests.route_rules.made import add, switch
from tests.support.people import Person


async def findings(services: Services, settings: Settings) -> list[str]:
    lines: list[str] = []
    await routes.look(Findings(lines.append), settings, services.db)
    return lines


async def test_an_installation_without_rules_has_no_finding(services: Services, settings: Settings):
    assert await findings(services, settings) == []


async def test_routes_that_no_rule_names(services: Services, settings: Settings, admin: Person):
    await add(admin, "49", "north")
    (line,) = await findings(services, settings)
    assert line.startswith("!") and "no rule names sms-2: only SMS to numbers without a rule go by it" in line
    await add(admin, "", "north")
    (line,) = await findings(services, settings)
    assert "no rule names sms-2: no SMS goes by it" in line
    await add(admin, "33", "sms-2")
    assert await findings(services, settings) == []


async def test_prefixes_of_a_price_list_that_no_route_serves(
    services: Services, settings: Settings, admin: Person
):
    await add(admin, "49", "sms-2")
    await add(admin, "4915", "north")
    await add(admin, "33", "sms-2", priority=1)
    await add(admin, "33", "north", priority=2)
    made = (await admin.rest("POST", "/price-lists", json={"name": "Retail", "currency": "USD"})).json()
    prices = [{"prefix": prefix, "price": 0.05} for prefix in ("49", "4917", "4915", "33", "1", "33612")]
    added = await admin.rest("POST", f"/price-lists/{made['id']}/versions", json={"prices": prices})
    assert added.status_code == 201, added.text
    assert await findings(services, settings) == []
    await switch(admin, services, "sms-2", on=False)
    off, unserved = await findings(services, settings)
    assert off.startswith("!") and "switched off: sms-2" in off
    assert unserved.startswith("✗") and "no route serves SMS to +49: " in unserved
    assert "have 2 such prefixes" in unserved  # 49 and 4917
    await services.db.fetchval("UPDATE route_rules SET route = 'gone' WHERE prefix = '4915'")
    lines = await findings(services, settings)
    assert any("rules name routes that are not configured: gone" in line for line in lines)
    assert any("no route serves SMS to +49, +4915" in line and "have 3 such" in line for line in lines)
