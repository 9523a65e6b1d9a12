"""The cases of templates and their versions, as tests/doors/case.py describes them."""

from tests.doors.case import RELATION, UNKNOWN, Case, Rest
from tests.support.people import Person

_ID = {"id": "{template}"}
_DRAFT = {"id": "{template_draft}"}
_TEXTS = [{"locale": "en", "subject": "Hi", "text": "Hello {{ name }}", "html": "<p>Hello {{ name }}</p>"}]
_INPUT = 'texts:[{locale:"en",subject:"Hi",text:"Hello"}]'

CASES: dict[str, Case] = {
    "templates.page": Case(
        "own", Rest("GET", "/templates"), "{templates{nodes{uuid key name version owner{email}}}}"
    ),
    "templates.get": Case(
        "row", Rest("GET", "/templates/{template}"), "query($id:ID!){template(id:$id){uuid name}}", _ID
    ),
    "templates.by_ids": Case("own", None, "{templateVersions{nodes{template{uuid key}}}}", why=RELATION),
    "templates.create": Case(
        "own",
        Rest("POST", "/templates", {"key": "rest", "name": "Rest"}, 201),
        'mutation{createTemplate(input:{key:"graphql",name:"GraphQL"}){uuid}}',
    ),
    "templates.update": Case(
        "row",
        Rest("PATCH", "/templates/{template}", {"name": "Changed"}),
        'mutation($id:ID!){updateTemplate(id:$id,input:{name:"Again"}){uuid}}',
        _ID,
    ),
    "templates.archive": Case(
        "row",
        Rest("POST", "/templates/{template_idle}/archive"),
        "mutation($id:ID!){archiveTemplate(id:$id){uuid archivedAt}}",
        {"id": "{template_idle}"},
    ),
    "templates.unarchive": Case(
        "row",
        Rest("POST", "/templates/{template_archived}/unarchive"),
        "mutation($id:ID!){unarchiveTemplate(id:$id){uuid archivedAt}}",
        {"id": "{template_archived}"},
    ),
    "templates.delete": Case(
        "row",
        Rest("DELETE", f"/templates/{UNKNOWN}", status=404),
        "mutation($id:ID!){deleteTemplate(id:$id)}",
        {"id": UNKNOWN},
        owner="template_not_found",
    ),
    "templates.used_by": Case(
        "row",
        Rest("GET", "/templates/{template}/used-by"),
        "query($id:ID!){templateUsedBy(id:$id){templates{key version} projects{name} repeatables{name} more}}",
        _ID,
    ),
    "template_versions.page": Case(
        "own",
        Rest("GET", "/template-versions"),
        "{templateVersions{nodes{uuid number locales texts{locale subject text html variables}}}}",
    ),
    "template_versions.of_templates": Case(
        "own", None, "{templates{nodes{versions{nodes{uuid number}}}}}", why=RELATION
    ),
    "template_versions.texts_of": Case(
        "own", None, "{templateVersions{nodes{texts{locale text}}}}", why=RELATION
    ),
    "template_versions.get": Case(
        "row",
        None,
        "query($id:ID!){templateVersion(id:$id){uuid number testData}}",
        {"id": "{template_version}"},
        why="GraphQL reads the texts as a relation, REST has them in the answer: an operation each",
    ),
    "template_versions.with_texts": Case(
        "row",
        Rest("GET", "/template-versions/{template_version}"),
        None,
        why="GraphQL reads the texts as a relation, REST has them in the answer: an operation each",
    ),
    "template_versions.save": Case(
        "row",
        Rest("POST", "/templates/{template}/versions", {"texts": _TEXTS}, 201),
        f"mutation($id:ID!){{saveTemplateVersion(templateId:$id,input:{{{_INPUT}}}){{uuid number}}}}",
        _ID,
    ),
    "template_versions.change": Case(
        "row",
        Rest("PUT", "/template-versions/{template_draft}", {"texts": _TEXTS}),
        f"mutation($id:ID!){{changeTemplateVersion(id:$id,input:{{{_INPUT}}}){{uuid number}}}}",
        _DRAFT,
    ),
    "template_versions.publish": Case(
        "row",
        Rest("POST", "/template-versions/{template_publishable}/publish"),
        "mutation($id:ID!){publishTemplateVersion(id:$id){uuid number}}",
        {"id": "{template_publishable}"},
    ),
    "template_versions.delete": Case(
        "row",
        Rest("DELETE", f"/template-versions/{UNKNOWN}", status=404),
        "mutation($id:ID!){deleteTemplateVersion(id:$id)}",
        {"id": UNKNOWN},
        owner="template_version_not_found",
    ),
    "template_versions.preview": Case(
        "row",
        Rest("POST", "/template-versions/{template_version}/preview", {"variables": {"name": "Ada"}}),
        "query($id:ID!){templatePreview(id:$id,input:{}){locale subject body html missing}}",
        {"id": "{template_version}"},
    ),
    "template_versions.preview_unsaved": Case(
        "row",
        Rest("POST", "/templates/{template}/preview", {"version": {"texts": _TEXTS}}),
        f"query($id:ID!){{templateTextPreview(templateId:$id,input:{{version:{{{_INPUT}}}}})"
        "{subject body problems{kind locale part detail}}}",
        _ID,
    ),
    "template_versions.diff": Case(
        "row",
        Rest("GET", "/template-versions/{template_version}/diff?against={template_draft}"),
        "query($id:ID!,$other:ID!){templateVersionDiff(id:$id,against:$other){layout parts{locale part difference}}}",
        {"id": "{template_version}", "other": "{template_draft}"},
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    made = (await ada.rest("POST", "/templates", json={"key": "secret", "name": "Secret"})).json()["id"]
    idle = (await ada.rest("POST", "/templates", json={"key": "idle", "name": "Idle"})).json()["id"]
    archived = (await ada.rest("POST", "/templates", json={"key": "old", "name": "Old"})).json()["id"]
    await ada.rest("POST", f"/templates/{archived}/archive")
    versions = [
        (await ada.rest("POST", f"/templates/{made}/versions", json={"texts": _TEXTS})).json()["id"]
        for _ in range(3)
    ]
    await ada.rest("POST", f"/template-versions/{versions[0]}/publish")
    names = ("template_version", "template_draft", "template_publishable")
    others = {"template": made, "template_idle": idle, "template_archived": archived}
    return {**others, **dict(zip(names, versions, strict=True))}
