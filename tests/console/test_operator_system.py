"""The operator's pages: what is wrong with the installation, whom the IP allowlist would lock out, and settings."""

from pathlib import Path

from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.mail_reports.samples import block, dsn
from tests.support.live import Live
from tests.support.waits import eventually

_BROKEN = "has host bits set"
_WRONG = "10.0.0.1/8\n"
_PUT = "mutation ($i: PutStorageValue!) { putStorageValue(input: $i) { key } }"
_SET = "mutation ($i: SetSetting!) { setSetting(input: $i) { key } }"
_LINES = "{ ipAllowlistLines { address } }"


def _allowlist(live: Live, text: str) -> None:
    """Writes the file, and waits until the service has read it."""
    Path(live.log.parent, "ip-allowlist.conf").write_text(text)
    query = "{ ipAllowlist { entries error } }"
    entries = text.count("\n")

    def is_read() -> bool:
        now = call(live, live.admin, query)["ipAllowlist"]
        return now["error"] is not None if text == _WRONG else now == {"entries": entries, "error": None}

    eventually(is_read, "the service has read the list")


def _checks(page: Tab, text: str, *, there: bool) -> None:
    """Checks again until the findings have the text, or no longer have it."""

    def look() -> bool:
        page.press("Check again")
        return (text in page.text()) is there

    eventually(look, f"{text!r} is {'' if there else 'not '}found", 0.5)


def _settings(live: Live) -> dict[str, object]:
    return dict(call(live, live.admin, "{ settings }")["settings"])


def test_a_broken_allowlist_is_found_until_it_is_mended(page: Tab, live: Live) -> None:
    _allowlist(live, _WRONG)
    page.comes_as(live.admin, "/console/system")
    page.sees("Must be corrected")
    _checks(page, _BROKEN, there=True)
    page.sees("Correct the file")
    page.press("Overview")
    page.sees(_BROKEN)
    page.press("System")
    page.press("Allowlist")
    page.is_at("/console/system/allowlist")
    page.sees(_BROKEN)
    _allowlist(live, "10.0.0.0/8\n192.0.2.1\n")
    page.press("Health")
    _checks(page, _BROKEN, there=False)
    page.press("Show")
    page.is_at("/console/system?show=all")
    page.sees("2 entries, mode Off")
    page.press("Overview")
    page.sees("The system check has warnings")  # the findings are there
    page.sees_no(_BROKEN)


def test_a_mail_that_came_back_is_read(page: Tab, live: Live) -> None:
    page.comes_as(live.admin, "/console/system")
    page.press("Returned mail")
    page.is_at("/console/system/returned-mail")
    page.paste("A mail that came back", dsn(block()).decode())
    page.press("Read it")
    page.sees_row("ada@example.net", "Bounce", "No such address", "550 5.1.1", "User unknown")
    page.sees("none: it is about no message of this installation")
    page.has_no_complaint()
    page.clear("A mail that came back")
    page.paste("A mail that came back", "From: ada@example.net\nSubject: Re: News\n\nThank you!\n")
    page.press("Read it")
    page.sees("It is neither a bounce nor a complaint.")


def test_requests_of_foreign_addresses_are_shown(page: Tab, live: Live) -> None:
    _allowlist(live, "10.0.0.0/8\n198.18.0.1\n")
    for path in ("/users", "/users", "/messages"):
        live.client.get(path, headers={"x-real-ip": "192.0.2.77"})
    live.client.get("/docs", headers={"x-real-ip": "198.51.100.5"})
    live.client.get("/docs", headers={"x-real-ip": "10.0.0.7"})
    page.comes_as(live.admin, "/console/system/allowlist")
    page.sees("Enforce would lock you out Your request has no x-real-ip")
    page.sees_row("192.0.2.77", "GET /users", "not on the list")
    page.sees_row("198.51.100.5", "GET /docs")
    page.sees_no("10.0.0.7")
    page.press("Show the networks")
    page.sees("10.0.0.0/8")
    page.press("192.0.2.77")
    page.is_at("/console/system/allowlist?networks=all&q=192.0.2.77")
    page.sees("3 requests")
    page.sees_no("198.51.100.5")
    page.press("Single requests")
    page.sees_row("192.0.2.77", "GET /messages")
    page.back()
    page.sees("GET /users")
    live.client.get("/users", headers={"x-real-ip": "192.0.2.77"})
    page.sees("4 requests")
    _allowlist(live, "10.0.0.0/8\n198.18.0.1\n192.0.2.0/24\n")
    page.sees_row("192.0.2.77", "on the list now")


def test_routes_and_workers_are_shown(page: Tab, live: Live) -> None:
    page.comes_as(live.admin, "/console/system/sending")
    page.sees_row("sms-1", "Sandbox: nothing leaves", "works")
    page.sees_row("idle")
    page.sees("Queue of projects Waiting")


def test_a_setting_is_added_changed_and_deleted(page: Tab, live: Live) -> None:
    page.comes_as(live.admin, "/console/settings")
    page.press("Add a setting")
    page.is_at("/console/settings?add=1")
    page.fill("Key", "ui theme")
    page.fill("Value", "dark")
    page.press("Save")
    page.sees("Use 1 to 128 letters")
    page.fill("Key", "ui.theme")
    page.press("Save")
    page.sees("ui.theme is saved.")
    page.is_at("/console/settings")
    assert _settings(live)["ui.theme"] == "dark"

    # Somebody else changes it while the dialog is open.
    page.press("ui.theme")
    page.sees("Change the value")
    call(live, live.admin, _SET, i={"key": "ui.theme", "value": {"name": "light"}})
    page.fill("Value", "blue")
    page.press("Save")
    page.sees('Nothing is saved yet. This is the value now: {"name":"light"}')
    assert _settings(live)["ui.theme"] == {"name": "light"}
    page.press("Replace it")
    page.sees_no("Change the value")
    page.sees_row("ui.theme", "blue", "Text")
    assert _settings(live)["ui.theme"] == "blue"

    # A value that is not text.
    page.press("ui.theme")
    page.press("JSON")
    page.fill("Value", "[1, ")
    page.sees("This is not JSON.")
    page.press("Save")
    page.fill("Value", "[1, 2]")
    page.press("Save")
    page.sees_row("ui.theme", "[1,2]", "JSON")
    assert _settings(live)["ui.theme"] == [1, 2]

    page.fill("Key or value", "theme")
    page.is_at("/console/settings?q=theme")
    page.press("Delete ui.theme")
    page.sees("Delete ui.theme? Programs that read this key")
    assert "ui.theme" in _settings(live)
    page.press("Delete")
    page.sees("ui.theme is deleted.")
    assert "ui.theme" not in _settings(live)


def test_a_stored_value_keeps_its_expiry(page: Tab, live: Live) -> None:
    call(live, live.admin, _PUT, i={"key": "carts/42", "value": 1, "ttlSeconds": 3600})
    call(live, live.admin, _PUT, i={"key": "other", "value": True})
    page.comes_as(live.admin, "/console/settings")
    page.press("Key-value storage")
    page.is_at("/console/settings/storage")
    page.sees_row("other", "Yes", "never")
    page.fill("Beginning of the key", "carts/")
    page.sees_no("other")
    page.press("carts/42")
    page.fill("Value", "2")
    page.press("Save")
    page.sees("carts/42 is saved.")
    stored = call(live, live.admin, '{ storageValue(key: "carts/42") { value ttlSeconds } }')["storageValue"]
    assert stored["value"] == 2
    assert 3000 < stored["ttlSeconds"] <= 3600
    page.press("Delete carts/42")
    page.press("Delete")
    page.sees("carts/42 is deleted.")
    page.sees("Nothing with this text.")


def test_a_plain_user_sees_none_of_it(page: Tab, live: Live) -> None:
    user = new_user(live)
    page.comes_as(user)
    page.sees("Needs a person")
    page.opens_more()
    assert not page.has("System")
    assert not page.has("Settings")
    assert page.menu_groups() == ["Send", "Pay", "Build", "Run"]
    for path in ("system", "system/sending", "system/allowlist", "settings", "settings/storage"):
        page.open(f"/console/{path}")
        page.sees("This page is for administrators")
    answer = live.client.post("/graphql", json={"query": _LINES}, headers=user.headers).json()
    assert answer["errors"][0]["extensions"]["code"] == "forbidden"
