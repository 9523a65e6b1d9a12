"""The pages of price lists: an administrator adds one with prices from a file, and names it in a tariff."""

from pathlib import Path

from tests.console.steps import Tab
from tests.console.test_files import choose
from tests.console.users import call, new_user
from tests.support.live import Live

_TARIFFS = "query ($w: TariffWhere) { tariffs(where: $w) { nodes { priceListId } } }"
_TARIFF = "mutation ($i: SetTariff!) { setTariff(input: $i) { code } }"


def test_a_list_is_added_with_prices_and_named_in_a_tariff(page: Tab, live: Live, tmp_path: Path) -> None:
    user, code = new_user(live), f"lists-{live.port}"
    (tmp_path / "bad.csv").write_text("prefix,price\n49,cheap\n")
    (tmp_path / "good.csv").write_text("prefix;price;cost\n49;0,075;0,05\n4915;0,081;\n1416;0,0091;\n")
    page.comes_as(live.admin, "/console/tariffs/lists")
    page.press("New price list")
    page.fill("Name", f"Retail {live.port}")
    page.press("Refuse numbers without a price")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("It has no prices yet.")
    page.press("Add prices")
    choose(page, tmp_path / "bad.csv", inside="[role=dialog]")
    page.sees("“bad.csv” is here.")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("line 2: price 'cheap' is not a number")
    choose(page, tmp_path / "good.csv", inside="[role=dialog]")
    page.sees("“good.csv” is here.")
    page.page.click("[role=dialog] button[type=submit]")
    page.sees("3 prices were added.")
    page.sees_row("+1416", "Canada", "$0.0091")
    page.fill("Digits with which the number begins", "+49 15")
    page.sees_row("+4915", "Germany", "$0.081")

    call(live, live.admin, _TARIFF, i={"code": code, "name": "Lists", "prices": {"USD": {"email": 0.001}}})
    page.comes_as(live.admin, f"/console/tariffs/{code}?edit=1")
    page.fill("Price list", f"Retail {live.port}")
    page.press(f"Retail {live.port} (USD)")
    page.press("Save")
    page.sees("is saved.")
    (tariff,) = call(live, live.admin, _TARIFFS, w={"code": {"eq": code}})["tariffs"]["nodes"]
    assert tariff["priceListId"] is not None

    call(live, user, _TARIFF, i={"code": code})
    page.comes_as(user, f"/console/tariffs/lists/{tariff['priceListId']}")
    page.sees_row("+49", "Germany", "$0.075")
    assert "$0.05" not in page.page.evaluate("document.querySelector('main').innerText").split()
