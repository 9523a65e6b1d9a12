"""The page of a code in Chromium, as wide as a phone: with its script and without, and in its policy."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from core.vault import Vault
from engine.direct.withheld_codes import opened_code
from runtime.services import derived_keys
from tests.support.browser import Browser, Page
from tests.support.live import Live

_WIDE = "document.documentElement.scrollWidth"


def _start(live: Live, to: str, **body: Any) -> dict[str, Any]:
    asked = {"to": to, "channel": "sms", "returnUrl": f"https://127.0.0.1:{live.port}/back", **body}
    answer = live.client.post("/verifications", json=asked, headers=live.ada.headers)
    assert answer.status_code == 202, answer.text
    started: dict[str, Any] = answer.json()
    return started


def _code(live: Live, make_settings: Any, id: str) -> str:
    async def read() -> bytes:
        connection = await asyncpg.connect(live.database)
        sealed: bytes = await connection.fetchval(
            "SELECT code_encrypted FROM verification_codes WHERE id = $1", id
        )
        await connection.close()
        return sealed

    code = opened_code(Vault(*derived_keys(make_settings(), "vault")), id, asyncio.run(read()))
    assert code is not None
    return code


def _open(page: Page, live: Live, url: str, *, script: bool = True) -> None:
    page.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    page.call("Emulation.setScriptExecutionDisabled", value=not script)
    page.go(f"http://127.0.0.1:{live.port}/verify/{url.rpartition('/')[2]}")


def _enter(page: Page, code: str) -> None:
    """Types into the field, which has the focus. Without a script, `click` can't find where an element is."""
    page.wait("document.activeElement.name === 'code'")
    page.write(code)
    page.press("Enter", 13)


def _picture(page: Page, name: str) -> None:
    if folder := os.environ.get("PICTURES"):
        page.picture(Path(folder, f"{name}.png"))


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_person_enters_the_code(browser: Browser, live: Live, make_settings: Any, script: bool):
    started = _start(live, f"+1415555{20 + script:04d}")
    code = _code(live, make_settings, started["id"])
    with browser.page() as page:
        _open(page, live, started["pageUrl"], script=script)
        text = page.evaluate("document.body.innerText")
        assert "We have sent a code to +14•••" in text and "Send the code again" in text
        assert page.evaluate(_WIDE) <= 390
        assert page.evaluate("document.getElementById('resend').disabled") is script
        _picture(page, f"code-{script}")
        _enter(page, "0" * 6 if code != "0" * 6 else "1" * 6)
        page.wait("document.body.innerText.includes('Tries left: 4.')")
        assert page.evaluate(_WIDE) <= 390
        _picture(page, f"wrong-{script}")
        _enter(page, code)
        page.wait("!document.querySelector('[name=code]')")
    shown = live.client.get(f"/verifications/{started['id']}", headers=live.ada.headers).json()
    assert shown["status"] == "approved"


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "nl", "pl", "pt", "ru", "uk"])
def test_languages_fit_a_phone(browser: Browser, live: Live, language: str):
    started = _start(live, "+14155550042", locale=language, purpose=language)
    with browser.page() as page:
        _open(page, live, started["pageUrl"])
        assert page.evaluate("document.documentElement.lang") == language
        assert page.evaluate(_WIDE) <= 390
        waiting = page.evaluate("document.querySelector('[data-wait]').textContent")
        assert json.dumps(waiting).count("{") == 0
        _picture(page, language)
