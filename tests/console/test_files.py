"""The page of files: they are uploaded, downloaded, found and deleted, unless something needs them."""

from pathlib import Path
from typing import Any

from tests.console.steps import Tab
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually

_IN_DIALOG = "document.querySelector('[role=dialog]') !== null"
_FILES = "{ files(orderBy: { field: name, direction: asc }) { nodes { uuid name size } } }"
_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_EXPORT = 'mutation { startExport(input: { source: "blocked-phones" }) { uuid } }'
_IMPORT = "mutation ($i: NewImport!) { importRecipients(input: $i) { uuid } }"
_IMPORTED = "query ($i: ID!) { recipientImport(id: $i) { status } }"


def _files(live: Live, user: Person) -> list[Any]:
    return list(call(live, user, _FILES)["files"]["nodes"])


def _upload(live: Live, user: Person, name: str, content: str = "Soup") -> str:
    answer = live.client.post(
        "/file-uploader", files={"file": (name, content.encode())}, headers=user.headers
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["uuid"])


def choose(page: Tab, *files: Path, inside: str = "main") -> None:
    """Chooses files as the dialog of the browser does."""
    picker = page.page.call(
        "Runtime.evaluate", expression=f"document.querySelector('{inside} input[type=file]')"
    )
    page.page.call(
        "DOM.setFileInputFiles", files=[str(file) for file in files], objectId=picker["result"]["objectId"]
    )


def _confirm(page: Tab) -> None:
    page.page.wait(_IN_DIALOG)
    page.press("Delete")


def test_files_are_uploaded_and_downloaded(page: Tab, live: Live, tmp_path: Path) -> None:
    user = new_user(live)
    for name, content in (("menu.txt", "Soup"), ("wine.txt", "Red wine")):
        (tmp_path / name).write_text(content)
    page.comes_as(user, "/console/files")
    page.sees("There is no file yet.")
    choose(page, tmp_path / "menu.txt", tmp_path / "wine.txt")
    page.sees("2 files are uploaded.")
    page.sees_row("menu.txt", "text/plain", "4 bytes", "Uploaded")
    assert [(file["name"], file["size"]) for file in _files(live, user)] == [("menu.txt", 4), ("wine.txt", 8)]
    link = page.page.evaluate("document.querySelector('main a[download][aria-label$=\"wine.txt\"]').href")
    answer = live.client.get(link)
    assert answer.content == b"Red wine"
    assert "attachment" in answer.headers["content-disposition"]


def test_files_are_found_and_several_are_deleted(page: Tab, live: Live) -> None:
    user = new_user(live)
    for name in ("list-1.csv", "list-2.csv", "menu.pdf"):
        _upload(live, user, name, "+15005550000")
    page.comes_as(user, "/console/files")
    page.sees("3 files")
    page.fill("Part of the name", "list")
    page.sees("2 files")
    page.sees_no("menu.pdf")
    page.press("Select all that are shown")
    page.sees("2 selected")
    page.press("Delete")
    _confirm(page)
    page.sees("2 files are deleted.")
    page.sees("No file has this in its name.")
    assert [file["name"] for file in _files(live, user)] == ["menu.pdf"]


def test_a_file_that_a_project_carries_stays(page: Tab, live: Live) -> None:
    user = new_user(live)
    carried, _other = _upload(live, user, "a-menu.txt"), _upload(live, user, "b-wine.txt")
    call(
        live,
        user,
        _MAKE,
        i={"name": "Sale", "channel": "email", "subject": "Sale", "text": "Hi", "attachmentUuids": [carried]},
    )
    page.comes_as(user, "/console/files")
    page.press("Delete a-menu.txt")
    _confirm(page)
    page.sees("a-menu.txt: A project, an import or a template uses this file.")
    page.press("Cancel")
    page.page.wait(f"!({_IN_DIALOG})")
    page.press("Delete b-wine.txt")
    _confirm(page)
    page.sees("1 file is deleted.")
    assert [file["name"] for file in _files(live, user)] == ["a-menu.txt"]


def test_what_a_file_is_for_is_said(page: Tab, live: Live) -> None:
    user = new_user(live)
    uploaded = _upload(live, user, "people.csv", "phone\n+15005550000\n+15005550001\n")
    id = call(live, user, _IMPORT, i={"fileUuid": uploaded})["importRecipients"]["uuid"]
    call(live, user, _EXPORT)
    eventually(
        lambda: call(live, user, _IMPORTED, i=id)["recipientImport"]["status"] == "ready",
        "the list is imported",
    )
    eventually(lambda: len(_files(live, user)) == 2, "the export has made its file")
    page.comes_as(user, "/console/files")
    page.sees_row("people.csv", "List with 2 recipients")
    page.sees("Export of the block list")


def test_an_administrator_sees_whose_files_they_are(page: Tab, live: Live) -> None:
    user = new_user(live)
    name = f"of-{user.id}.txt"
    _upload(live, user, name)
    page.comes_as(live.admin, f"/console/files?q={name}")
    page.sees_row(name, user.email)
