"""The list and the deletion of files by REST."""

from tests.support.people import Person


async def test_files_are_listed_and_deleted_by_rest(ada: Person, bob: Person):
    made = []
    for number in range(3):
        part = {"file": (f"{number}.txt", b"text")}
        made.append((await ada.rest("POST", "/file-uploader", files=part)).json())
    first = (await ada.rest("GET", "/file-uploader", params={"limit": 2})).json()
    second = (await ada.rest("GET", "/file-uploader", params={"after": first["next"]})).json()
    assert first["items"] + second["items"] == made[::-1]
    assert second["next"] is None
    assert (await bob.rest("GET", "/file-uploader")).json()["items"] == []
    path = f"/file-uploader/{made[0]['uuid']}"
    assert (await bob.rest("DELETE", path)).status_code == 404
    assert (await ada.rest("DELETE", path)).status_code == 204
    assert (await ada.rest("GET", f"/file-uploader/info/{made[0]['uuid']}")).status_code == 404


async def test_a_file_that_an_import_reads_is_kept(ada: Person):
    part = {"file": ("list.csv", b"phone\n+14155550100\n")}
    file = (await ada.rest("POST", "/file-uploader", files=part)).json()["uuid"]
    await ada.rest("POST", "/recipient-import", json={"fileUuid": file})
    answer = await ada.rest("DELETE", f"/file-uploader/{file}")
    assert (answer.status_code, answer.json()["code"]) == (409, "file_in_use")
