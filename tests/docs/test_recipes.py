"""The recipes and the pages on moving: their settings are parsed, and their commands run against the sandbox."""

from pathlib import Path
from typing import Any, get_args

import pytest

from channels import Kind, connect, parse_list
from core.http.allowlist import AllowlistMode
from core.installation import ROOT
from core.settings import Settings
from tests.docs.pages import blocks, read
from tests.docs.test_stories import READY, commands, story, until

RECIPES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs/recipes").glob("*.md"))
FILES = [
    (page, text)
    for page in RECIPES
    for text in blocks(read(page).replace("\n   ", "\n"), "")
    if "POSTERN_" in text
]
walks = pytest.mark.settings(ip_allowlist_mode=AllowlistMode.Off)


@pytest.mark.parametrize(("page", "text"), FILES, ids=lambda value: value.splitlines()[0][-60:])
def test_the_settings_of_a_recipe(page: str, text: str, tmp_path: Path):
    """They are read from a file, and each driver takes its DSN with all of its options."""
    (tmp_path / ".env").write_text(text)
    settings = Settings(_env_file=tmp_path / ".env")
    written = {line.partition("=")[0].removeprefix("POSTERN_").lower() for line in text.splitlines()}
    assert written <= settings.model_fields_set
    for kind in get_args(Kind):
        for dsn in parse_list(getattr(settings, f"channel_{kind}")):
            connect(kind, dsn)


def test_each_provider_has_its_settings():
    schemes = {dsn for _, text in FILES for dsn in ("twilio:", "smpp:", "smtp:") if f"={dsn}" in text}
    assert schemes == {"twilio:", "smpp:", "smtp:"}
    assert len(FILES) >= 10


@walks
@pytest.mark.parametrize("page", ["docs/recipes/sms.md", "docs/recipes/email.md"])
async def test_the_first_message_of_a_recipe(settings: Settings, tmp_path: Path, page: str):
    send, look = commands(page, "Sending")
    taken = until("/messages?limit=1", '"status":"\\(sent\\|delivered\\)"')
    sent, listed = await story(settings, tmp_path, send, taken, look)
    assert (sent["status"], listed["items"][0]["id"]) == ("queued", sent["id"])


@walks
@pytest.mark.parametrize(
    ("page", "title", "skipped"),
    [
        ("docs/recipes/telegram.md", "The first Telegram message", 0),
        ("docs/recipes/whatsapp.md", "A linked device", 1),  # the installation of the driver
    ],
)
async def test_the_first_message_of_an_account(
    settings: Settings, tmp_path: Path, page: str, title: str, skipped: int
):
    """The sandbox scans the QR code in place of a phone."""
    define, *_ = blocks(read(page).replace("\n   ", "\n"), "sh")
    parts = blocks(_indented(page, title), "sh")[skipped:]
    works = (
        f"""until {_call(parts[-1], "getInfo")} | grep -q '"accountState":"working"'; do sleep 0.1; done"""
    )
    script = [*parts[:-1], works, parts[-1]]
    answers = await story(settings, tmp_path, define if define not in parts else "", *script)
    added, state, qr, info, sent = answers
    assert (added["status"], state["error"]["message"]) == ("ok", "QR received")
    assert qr["value"]
    assert info["accountState"] == "working"
    assert sent["results"][0]["result"]["item"]


@walks
async def test_an_account_of_whatsapp_cloud(settings: Settings, tmp_path: Path):
    define, add, *_ = blocks(read("docs/recipes/whatsapp.md").replace("\n   ", "\n"), "sh")
    (added,) = await story(settings, tmp_path, define, add)
    assert added["account"]["login"] == "shop"


@walks
@pytest.mark.parametrize("page", ["docs/moving/waha.md", "docs/moving/evolution.md"])
async def test_the_call_in_place_of_another_gateway(settings: Settings, tmp_path: Path, page: str):
    add, send = commands(page, "The call")
    info = """call getInfo '{"source": "whatsapp", "login": "14155550100"}'"""
    works = f"""until {info} | grep -q '"accountState":"working"'; do sleep 0.1; done"""
    *_, sent = await story(settings, tmp_path, add, works, send)
    assert sent["results"][0]["result"]["item"]


@walks
async def test_the_call_in_place_of_twilio(settings: Settings, tmp_path: Path):
    (send,) = commands("docs/moving/twilio.md", "The call")
    first, again = await story(settings, tmp_path, send, send)
    assert first == again


@walks
async def test_people_come_from_listmonk(settings: Settings, tmp_path: Path):
    (part,) = commands("docs/moving/listmonk.md", "People")
    (done,) = await story(settings, tmp_path, _waiting(part))
    assert _counts(done) == (3, 1, 2)


@walks
async def test_people_come_from_mailchimp(settings: Settings, tmp_path: Path):
    (part,) = commands("docs/moving/mailchimp.md", "People")
    left, cleaned, subscribed = await story(settings, tmp_path, _waiting(part))
    assert [_counts(each) for each in (left, cleaned, subscribed)] == [(1, 0, 1), (1, 0, 1), (1, 1, 0)]


def _counts(done: Any) -> tuple[int, int, int]:
    contacts = done["contacts"]
    return contacts["created"], contacts["subscribed"], contacts["suppressed"]


def _waiting(part: str) -> str:
    return part.replace("sleep 1", until("/recipient-import/$IMPORT", READY))


def _indented(page: str, title: str) -> str:
    return read(page).replace("\n   ", "\n").split(f"# {title}\n")[1]


def _call(part: str, method: str) -> str:
    return next(line for line in part.splitlines() if line.startswith(f"call {method}"))
