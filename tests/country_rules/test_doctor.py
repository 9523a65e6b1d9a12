"""Findings of `postern doctor` about countries."""

from core.settings import Settings
from postern.doctor import countries
from postern.doctor.findings import Findings
from runtime.services import Services
from tests.support.people import Person


async def found(services: Services) -> list[str]:
    lines: list[str] = []
    await countries.look(Findings(lines.append), services.db)
    return lines


async def put(person: Person, **rule: object) -> None:
    assert (await person.rest("PUT", "/country-rules", json=rule)).status_code == 200


async def test_rules_that_allow_nothing_and_caps_that_were_reached(
    ada: Person, bob: Person, admin: Person, services: Services, settings: Settings
):
    assert await found(services) == []
    await put(admin, scope="installation", allow=["FR", "DE"], deny=["DE"], perHour=1)
    assert await found(services) == []
    await put(ada, allow=["DE"])
    await put(bob, deny=["GB"])
    (line,) = await found(services)
    assert "1 users" in line
    await put(bob, deny=["GB", "FR"])
    (line,) = await found(services)
    assert "2 users" in line
    await put(admin, userUuid=str(ada.id))
    await put(admin, userUuid=str(bob.id))
    for person in (ada, bob):
        for _ in range(2):
            await person.rest("POST", "/messages", json={"to": "+33612345678", "channel": "sms", "body": "x"})
    (line,) = await found(services)
    assert "FR (2)" in line
    await put(admin, scope="installation", allow=["DE"], deny=["DE"])
    (line, _) = await found(services)
    assert line.startswith("✗")
    assert "no country: no SMS" in line
