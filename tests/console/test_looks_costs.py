"""Looks at traffic, at the costs of routes, and at the invoices of providers, as an administrator sees them."""

import asyncio
from typing import Any

import asyncpg
import pytest

from tests.console.looks import Look, Looks, every_look
from tests.console.users import new_user
from tests.support import invoices
from tests.support.live import Live
from tests.support.waits import eventually

PAGES: Looks = [
    ("costs", "/console/costs", None, "main h2"),
    ("costs-both", "/console/costs?group=country%2Croute", None, "main h2"),
    ("invoices", "/console/costs/invoices", None, "main tfoot th"),
]
_LINES = 40


@pytest.fixture(scope="module")
def invoice(live: Live) -> dict[str, Any]:
    """An invoice that was compared, with two differences of each kind."""
    user, since = new_user(live), invoices.begin()

    async def lines() -> str:
        db = await asyncpg.connect(live.database)
        try:
            await invoices.fill(db, user.id, user.account_id, _LINES, since)
            return invoices.billed(await invoices.sent(db), 10)[0]
        finally:
            await db.close()

    def asked(method: str, path: str, **options: Any) -> Any:
        answer = live.client.request(method, path, headers=live.admin.headers, **options)
        assert answer.is_success, answer.text
        return answer.json()

    text = asyncio.run(lines())
    file = asked("POST", "/file-uploader", files={"file": ("invoice.csv", text.encode())})
    body = {
        "fileUuid": file["uuid"],
        "route": invoices.ROUTE,
        "periodFrom": since.isoformat(),
        "periodTo": (since + invoices.SIX_DAYS).isoformat(),
    }
    id = asked("POST", "/provider-invoices", json=body)["id"]

    def ready() -> Any:
        made = asked("GET", f"/provider-invoices/{id}")
        return made if made["status"] == "ready" else None

    made: dict[str, Any] = eventually(ready, "the invoice is compared")
    return made


@every_look
def test_costs(page, live, invoice, language, sizes):
    Look(page, language, sizes).at_all(live.admin, PAGES, {})


def test_an_invoice_lists_its_own_files(page, live, invoice):
    page.comes_as(live.admin, "/console/costs/invoices")
    page.sees("Billed − ours")
    page.press("Export differences")
    page.sees("No file yet.")
    page.press("Differences")
    page.press("CSV")
    page.sees("Download")
