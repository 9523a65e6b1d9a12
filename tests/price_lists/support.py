"""Makes price lists for tests, by the public door."""

from typing import Any

from tests.support.people import Person


async def make_list(
    admin: Person, *, name: str = "Wholesale", currency: str = "USD", strict: bool = False
) -> str:
    """Adds an empty list. Returns its id."""
    made = await admin.rest(
        "POST", "/price-lists", json={"name": name, "currency": currency, "strict": strict}
    )
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


async def add_version(admin: Person, list_id: str, prices: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Adds a version with these prices by prefix. Returns the version."""
    rows = [{"prefix": prefix, "price": price} for prefix, price in prices.items()]
    made = await admin.rest("POST", f"/price-lists/{list_id}/versions", json={"prices": rows, **fields})
    assert made.status_code == 201, made.text
    version: dict[str, Any] = made.json()
    return version


async def price_by(admin: Person, whom: Person, list_id: str | None) -> None:
    """Gives a user a tariff of their own that names the list."""
    tariff = {
        "code": f"t-{whom.id}",
        "userUuid": str(whom.id),
        "prices": {"USD": {"sms": 0.01, "email": 0.001}, "EUR": {"sms": 0.02}},
        "priceListId": list_id,
    }
    answer = await admin.rest("POST", "/user/tariff", json=tariff)
    assert answer.status_code == 200, answer.text
    assert answer.json()["priceListId"] == list_id


async def quoted(person: Person, to: str, **fields: Any) -> dict[str, Any]:
    """Returns the answer of the quote of an SMS, or its error."""
    answer = await person.rest("POST", "/messages/quote", json={"to": to, "channel": "sms", **fields})
    quote: dict[str, Any] = answer.json()
    return quote
