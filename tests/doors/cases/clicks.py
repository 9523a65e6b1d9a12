"""The cases of clicks. `{project}` is of sending_projects."""

from tests.doors.case import RELATION, Case, Rest

CASES: dict[str, Case] = {
    "clicks.of_project": Case(
        "row", Rest("GET", "/sending-project/{project}/links"),
        "query($id:ID!){clickedLinks(id:$id){uuid url humans machines anonymous}}", {"id": "{project}"},
    ),
    "clicks.of_projects": Case(
        "own", None, "{sendingProjects{nodes{links{uuid url humans}}}}", why=RELATION,
    ),
    "clicks.of_messages": Case(
        "own", None, "{messageRecords{nodes{clicks{url machine at}}}}", why=RELATION,
    ),
    "clicks.follow": Case(
        "public", Rest("GET", "/l/" + "A" * 86, status=404), None, owner="link_invalid",
        why="browsers call it, by a link in an email",
    ),
    "web_copies.show": Case(
        "public", Rest("GET", "/web-copy/" + "A" * 43, status=404), None, owner="web_copy_invalid",
        why="a page for people, behind a link in an email",
    ),
}  # fmt: skip
