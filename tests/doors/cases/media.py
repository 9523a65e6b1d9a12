"""The cases of pictures, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest
from tests.media.samples import picture
from tests.support.people import Person

CASES: dict[str, Case] = {
    "media.page": Case(
        "own", Rest("GET", "/media"), "{pictures(orderBy:{field:size}){nodes{uuid name url owner{email}}}}"
    ),
    "media.get": Case(
        "row",
        Rest("GET", "/media/info/{picture}"),
        "query($id:ID!){picture(id:$id){uuid name width url}}",
        {"id": "{picture}"},
    ),
    "media.serve": Case(
        "public",
        Rest("GET", "/media/{picture_name}"),
        None,
        why="mail programs and browsers fetch it; GraphQL shows its address",
    ),
    "media.upload": Case(
        "own",
        Rest("POST", "/media", status=201),
        "mutation($file:Upload!){uploadPicture(file:$file){uuid name url}}",
        form=True,
        file=("logo.png", picture(), "image/png"),
    ),
    "media.delete": Case(
        "row",
        Rest("DELETE", "/media/info/{other_picture}", status=204),
        "mutation($id:ID!){deletePicture(id:$id)}",
        {"id": "{picture}"},
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    secret = {"file": ("ada's secret.png", picture())}
    made = [await ada.rest("POST", "/media", files=secret) for _ in range(2)]
    assert made[0].status_code == 201, made[0].text
    one, other = (answer.json() for answer in made)
    return {
        "picture": one["uuid"],
        "other_picture": other["uuid"],
        "picture_name": one["url"].rpartition("/")[2],
    }
