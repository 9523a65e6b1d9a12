"""The cases of imports, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, RELATION, Case, Rest
from tests.support.people import Person

_ROWS = [{"phone": "+14155550100", "name": "n"}]
_ID = {"id": "{import}"}

NEEDS_ALL = True  # some of its cases meet rows of other features that they do not name

CASES: dict[str, Case] = {
    "imports.list": Case("own", Rest("GET", "/recipient-import"), None, why=CONNECTION),
    "imports.page": Case("own", None, "{recipientImports{nodes{uuid fileName status file{uuid}}}}", why=CONNECTION),
    "imports.by_ids": Case(
        "own", None, "{repeatableSendingProjects{nodes{recipientImport{uuid fileName}}}}", why=RELATION
    ),
    "imports.related": Case("own", None, "{me{recipientImports{nodes{uuid fileName}}}}", why=RELATION),
    "imports.get": Case(
        "row", Rest("GET", "/recipient-import/{import}"), "query($id:ID!){recipientImport(id:$id){uuid total "
            "mapping}}", _ID
    ),
    "imports.rows": Case(
        "row", Rest("GET", "/recipient-import/list/{import}?valid=true"), None, why=CONNECTION,
    ),
    "imports.lines": Case(
        "row", None,
        "query($id:ID!){recipientImport(id:$id){rows(where:{valid:{eq:true}}){nodes{uuid line "
            "recipient{phone} error{code}}}}}",
        _ID, why=CONNECTION,
    ),
    "imports.create": Case(
        "own", Rest("POST", "/recipient-import", {"rows": _ROWS}, 202),
        "mutation($rows:[JSON!]){importRecipients(input:{rows:$rows}){uuid status}}", {"rows": _ROWS},
    ),
    "imports.create_text": Case(
        "own", Rest("POST", "/recipient-import/text", {"text": "+14155550100; Anna"}, 202),
        'mutation{importRecipientsFromText(input:{text:"+14155550100"}){uuid status}}',
    ),
    "imports.preview": Case(
        "own", Rest("POST", "/recipient-import/preview", {"rows": _ROWS}),
        "query($rows:[JSON!]){previewImport(input:{rows:$rows}){header columns{name samples} "
            "mapping}}", {"rows": _ROWS},
    ),
    "imports.delete": Case(
        "row", Rest("DELETE", "/recipient-import/{import}", status=204),
        "mutation($id:ID!){deleteRecipientImport(id:$id)}", {"id": "{other_import}"},
    ),
}  # fmt: skip


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    made = []
    for _ in range(2):
        list_ = {"file": ("ada's secret.csv", b"phone;name\n+14155550100;ada's secret\n")}
        answer = await ada.rest("POST", "/recipient-import", files=list_)
        assert answer.status_code == 202, answer.text
        made.append(answer.json()["uuid"])
    return {"import": made[0], "other_import": made[1]}
