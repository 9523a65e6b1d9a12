"""The pages of the installation as an administrator sees them: see looks.py."""

from pathlib import Path

import pytest

from tests.console.looks import LONG, Look, Looks, Sizes, every_look
from tests.console.steps import Tab
from tests.console.users import call
from tests.support.live import Live
from tests.support.people import Person

pytestmark = pytest.mark.rotating

PAGES: Looks = [
    ("system", "/console/system", None, "main ul li"),
    ("system-purpose", "/console/system/purpose", None, "main form input"),
    ("system-sending", "/console/system/sending", None, "main table td"),
    ("system-allowlist", "/console/system/allowlist?networks=all", None, "main table td"),
    ("system-lines", "/console/system/allowlist?view=lines", None, "main table td"),
    ("system-returned-mail", "/console/system/returned-mail", None, "main textarea"),
    ("settings", "/console/settings", None, "main table td"),
    ("settings-add", "/console/settings?add=1", None, "[role=dialog] textarea"),
    ("storage", "/console/settings/storage", None, "main table td"),
]

_SETTINGS = "mutation ($v: JSON!) { updateSettings(input: { values: $v }) }"
_STORE = 'mutation { putStorageValue(input: { key: "carts/42", value: [1], ttlSeconds: 3600 }) { key } }'


@pytest.fixture(scope="module")
def administrator(live: Live) -> Person:
    """An administrator with a setting and a stored value. Foreign addresses have sent requests."""
    Path(live.log.parent, "ip-allowlist.conf").write_text("10.0.0.0/8\n192.0.2.1\n2001:db8::/32\n")
    for last in (9, 9, 9, 20, 77):
        live.client.get(f"/messages/{LONG[-40:]}", headers={"x-real-ip": f"203.0.113.{last}"})
    call(
        live,
        live.admin,
        _SETTINGS,
        v={"shop.theme": "dark", "limits": {"rows": [1, 2], "why": LONG}, "beta": True},
    )
    call(live, live.admin, _STORE)
    return live.admin


@every_look
def test_pages(page: Tab, administrator: Person, language: str, sizes: Sizes) -> None:
    Look(page, language, sizes).at_all(administrator, PAGES, {})
