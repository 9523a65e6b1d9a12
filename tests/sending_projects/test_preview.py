"""Tests previewMessage, which shows a text as a recipient sees it."""

from typing import Any

from core.ids import uuid7
from shapes.project_actions import MessagePreview
from tests.sending_projects.conftest import Projects
from tests.support.people import Person

PREVIEW = """query($input:PreviewMessage!){previewMessage(input:$input){
  subject body html params variables missing characters segments encoding}}"""


async def preview(person: Person, **arguments: Any) -> Any:
    return (await person.data(PREVIEW, {"input": arguments}))["previewMessage"]


async def test_preview_of_a_text(ada: Person):
    seen = await preview(ada, text="Hi {{ name | upcase }} {{ b }}", variables={"name": "ada"})
    assert seen == {
        "subject": None, "body": "Hi ADA ", "html": None, "params": [], "variables": ["b", "name"],
        "missing": ["b"], "characters": 7, "segments": 1, "encoding": "gsm",
    }  # fmt: skip
    assert (await preview(ada, text="я" * 71))["segments"] == 2
    email = await preview(ada, channel="email", subject="{{ n }}", html="<b>{{ n }}", variables={"n": "<x>"})
    assert (email["subject"], email["html"], email["segments"]) == ("<x>", "<b>&lt;x&gt;", None)


async def test_the_description_of_the_encoding_names_what_is_answered(ada: Person):
    described = MessagePreview.model_fields["encoding"].description
    for text in ("a", "я"):
        assert (await preview(ada, text=text))["encoding"] in described.replace(";", "").split()


async def test_preview_for_a_recipient(ada: Person, bob: Person, projects: Projects):
    project = await projects.make(
        ada, text="Hi {{ name }}, {{ code }} {{ phone }}", variants=[{"text": "a"}, {"text": "b"}]
    )
    recipients = [
        str(await projects.recipient(project, f"+141555501{number:02}", name="Ada", code=7))
        for number in range(12)
    ]
    seen = [
        await preview(ada, sendingProjectUuid=project, recipientUuid=recipient) for recipient in recipients
    ]
    assert {preview["body"] for preview in seen} == {"a", "b"}  # each the one that it will get
    assert [preview["body"] for preview in seen] == [
        (await preview(ada, recipientUuid=recipient))["body"] for recipient in recipients
    ]
    assert (await preview(ada, sendingProjectUuid=project, variant=1))["body"] == "b"
    own = await preview(
        ada, recipientUuid=recipients[0], text="{{ name }} {{ code }} {{ phone }}", variables={"code": 8}
    )
    assert own["body"] == "Ada 8 +14155550100"
    other = await projects.make(ada)
    for person, fields in (
        (bob, {"recipientUuid": recipients[0], "text": "{{ code }}"}),
        (bob, {"sendingProjectUuid": project, "recipientUuid": recipients[0]}),
        (ada, {"sendingProjectUuid": other, "recipientUuid": recipients[0]}),
        (ada, {"recipientUuid": str(uuid7())}),
    ):
        assert await person.code(PREVIEW, {"input": fields}) == "recipient_not_found"
    assert await bob.code(PREVIEW, {"input": {"sendingProjectUuid": project}}) == "sending_project_not_found"
    assert await ada.code(PREVIEW, {"input": {"text": "{{ a | nope }}"}}) == "bad_text"
