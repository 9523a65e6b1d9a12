"""The page of the brand as people see it: see looks.py."""

import pytest

from tests.console.looks import Look, Looks, Sizes, every_look
from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.live import Live

pytestmark = pytest.mark.rotating

_SET = """mutation {
  setBrand(input: {
    name: "Example Shop", colors: {accent: "#0b6e4f", background: "#fffdf7", text: "#1d1d1b"}, font: serif,
    darkColors: {background: "#101010", text: "#eeeeee", accent: "#7fd4b3", buttonText: "#000000"},
    address: "Example Shop Ltd\\n1 High Street\\nLondon", imprint: "Registered in England, no. 0123456",
    links: [{text: "Privacy", url: "https://example.com/privacy"}],
    footers: [{locale: "en", text: "Nice to have you with us."}], replyAddress: "help@example.com"
  }) { name }
  createBrandDomain(input: {name: "links.a-long-name-of-a-shop-that-sells-everything.example"}) { uuid }
}"""


def _delete(tab: Tab, width: int) -> None:
    tab.page.click("main [data-actions] button")


PAGES: Looks = [
    ("brand", "/console/brand", None, "main iframe"),
    ("brand-delete", "/console/brand", _delete, "[role=dialog] button"),
]


@every_look
def test_pages(page: Tab, live: Live, language: str, sizes: Sizes) -> None:
    owner = new_user(live)
    call(live, owner, _SET)
    looked = Look(page, language, sizes)
    looked.at_all(owner, PAGES, {})
    looked.at_all(new_user(live), [("no-brand", "/console/brand", None, "main form")], {})
