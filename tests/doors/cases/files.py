"""The cases of files, as tests/doors/case.py describes them."""

from urllib.parse import urlsplit

from tests.doors.case import RELATION, Case, Rest
from tests.support.people import Person

NEEDS_ALL = True  # some of its cases meet rows of other features that they do not name

CASES: dict[str, Case] = {
    "files.page": Case(
        "own", Rest("GET", "/file-uploader"), "{files(orderBy:{field:size}){nodes{uuid name}}}"
    ),
    "files.of_users": Case("own", None, "{me{files{nodes{uuid name}}}}", why=RELATION),
    "files.by_ids": Case("own", None, "{recipientImports{nodes{file{uuid name}}}}", why=RELATION),
    "files.get": Case(
        "row",
        Rest("GET", "/file-uploader/info/{file}"),
        "query($id:ID!){file(id:$id){uuid name url}}",
        {"id": "{file}"},
    ),
    "files.payload": Case(
        "public",
        Rest("GET", "{file_link}"),
        None,
        why="bytes leave by HTTP; who has a signed link needs no credential (GraphQL: File.url)",
    ),
    "files.upload": Case(
        "own",
        Rest("POST", "/file-uploader", status=201),
        "mutation($file:Upload!){uploadFile(file:$file){uuid name}}",
        form=True,
    ),
    "files.delete": Case(
        "row",
        Rest("DELETE", "/file-uploader/{other_file}", status=204),
        "mutation($id:ID!){deleteFile(id:$id)}",
        {"id": "{file}"},
    ),
    "unsubscribe.stands": Case(
        "public",
        Rest("GET", "/unsubscribe/forged", status=404),
        None,
        why="a page for people, behind a link in an email",
        owner="unsubscribe_link_invalid",
    ),
    "unsubscribe.confirm": Case(
        "public",
        Rest("POST", "/unsubscribe/forged", status=404),
        None,
        why="mail programs call it (RFC 8058); a user of the API blocks by blockPhone",
        owner="unsubscribe_link_invalid",
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    secret = {"file": ("ada's secret.txt", b"ada's secret")}
    made = [await ada.rest("POST", "/file-uploader", files=secret) for _ in range(2)]
    assert made[0].status_code == 201, made[0].text
    id, other = (answer.json()["uuid"] for answer in made)
    link = urlsplit((await ada.data("query($id:ID!){file(id:$id){url}}", {"id": id}))["file"]["url"])
    return {"file": id, "other_file": other, "file_link": f"{link.path}?{link.query}"}
