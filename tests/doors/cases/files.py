"""files: what tests/doors/matrix.py says of this feature."""

from urllib.parse import urlsplit

from tests.doors.case import Case, Rest
from tests.support.people import Person

NOT_LISTED = "the specification lists no REST route for it"

CASES: dict[str, Case] = {
    "files.list": Case("own", None, "{files{items{uuid name}}}", why=NOT_LISTED),
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
        Rest("POST", "/file-uploader", {}, status=400),
        None,
        why="a file comes in as a multipart form",
        owner="multipart_expected",
    ),
    "files.delete": Case(
        "row", None, "mutation($id:ID!){deleteFile(id:$id)}", {"id": "{file}"}, why=NOT_LISTED
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
    made = await ada.rest("POST", "/file-uploader", files={"file": ("ada's secret.txt", b"ada's secret")})
    assert made.status_code == 201, made.text
    id = made.json()["uuid"]
    link = urlsplit((await ada.data("query($id:ID!){file(id:$id){url}}", {"id": id}))["file"]["url"])
    return {"file": id, "file_link": f"{link.path}?{link.query}"}
