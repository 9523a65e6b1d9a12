"""Templates: written, previewed, published, compared, used in a project, and left again."""

import json
from typing import Any

from tests.console.steps import Tab
from tests.console.test_segments import new_contact
from tests.console.test_topics import ANNA
from tests.console.users import call, new_user
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually

_DIALOG = "document.querySelector('[role=dialog]') !== null"
_TEMPLATE = "mutation ($i: NewTemplate!) { createTemplate(input: $i) { uuid } }"
_SAVE = (
    "mutation ($t: ID!, $i: SaveTemplateVersion!) { saveTemplateVersion(templateId: $t, input: $i) { uuid } }"
)
_PUBLISH = "mutation ($id: ID!) { publishTemplateVersion(id: $id) { number } }"
_TEMPLATES = """{ templates { nodes { uuid key name category version archivedAt
  versions { nodes { number locales layoutKey testData texts { locale subject preheader text html } } } } } }"""
_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_SOURCE = """query ($id: ID!) {
  sendingProject(id: $id) { subject html text templateId templateVersion templateLocale }
}"""
LETTER = {
    "locale": "en",
    "subject": "Order {{ order }} has left",
    "html": '<h1>Dear {{ name }}</h1><a href="{{ unsubscribe_url }}">Leave</a>',
    "text": "Dear {{ name }}, {{ unsubscribe_url }}",
}


def new_template(live: Live, user: Person, key: str, name: str, **values: Any) -> str:
    made = call(live, user, _TEMPLATE, i={"key": key, "name": name, "category": "promotional", **values})
    return str(made["createTemplate"]["uuid"])


def new_version(
    live: Live, user: Person, template: str, *texts: dict[str, Any], publish: bool = True, **values: Any
) -> str:
    """Saves a version of a template, and publishes it."""
    made = call(live, user, _SAVE, t=template, i={"texts": [*texts], **values})
    uuid = str(made["saveTemplateVersion"]["uuid"])
    if publish:
        call(live, user, _PUBLISH, id=uuid)
    return uuid


def _template(live: Live, user: Person) -> Any:
    (template,) = call(live, user, _TEMPLATES)["templates"]["nodes"]
    return template


def _confirms(page: Tab, action: str) -> None:
    page.page.wait(_DIALOG)
    page.page.wait(
        f"[...document.querySelectorAll('[role=dialog] button')].at(-1)?.innerText === {json.dumps(action)}"
    )
    page.page.click("[role=dialog] .mantine-Group-root > button:last-child")
    page.page.wait(f"!({_DIALOG})")


def _keeps_frames(page: Tab) -> None:
    """Keeps the documents of previews from now on: nobody may look into their frames."""
    source = """window.framed = []; const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => { blob.text().then((text) => framed.push(text)); return make(blob); };"""
    page.page.call("Page.addScriptToEvaluateOnNewDocument", source=source)


def _sees_in_frame(page: Tab, *texts: str) -> None:
    """Waits until the newest preview has these texts."""
    every = f"{json.dumps(texts)}.every((text) => framed.at(-1)?.includes(text))"
    eventually(lambda: page.page.try_evaluate(every), f"the preview has {texts}")


def _chooses(page: Tab, label: str, option: str) -> None:
    """Chooses an option of the list with this label."""
    labels = "[...document.querySelectorAll('label')]"
    found = f"{labels}.find((one) => one.innerText.replace(' *', '') === {json.dumps(label)})"
    page.page.wait(f"{found} !== undefined")
    page.page.click("#" + page.page.evaluate(f"{found}.htmlFor").replace(":", "\\:"))
    page.press(option)


def test_a_template_is_written_previewed_published_and_used_in_a_project(page: Tab, live: Live) -> None:
    user = new_user(live)
    new_contact(live, user, ANNA)
    page.comes_as(user, "/console/templates")
    page.sees("There is no template yet.")
    page.press("New template")
    page.fill("Name", "Your order has left")
    page.press("Save")
    page.sees("Nothing is written yet")
    page.sees("your-order-has-left")
    page.sees("Each language needs a text or HTML")

    page.fill("Subject", "Order {{ order }} has left")
    page.press("HTML")
    page.paste(
        "HTML",
        '<p>Dear {{ name }}</p><img src="https://example.com/a.png"><a href="http://example.com">Shop</a>',
    )
    page.paste("Test data", '{"name": "Ada"}')
    page.sees("The values have no order.")
    page.sees("1 picture has no alt text")
    page.sees("Links without https: http://example.com")
    page.sees("not each part of it has a visible way to unsubscribe")
    page.sees("Not saved yet")
    page.press("Save as draft")
    page.sees("Saved")
    assert _template(live, user)["versions"]["nodes"][0]["testData"] == {"name": "Ada"}

    page.fill("HTML", str(LETTER["html"]))
    page.fill("Test data", '{"name": "Ada", "order": 4711}')
    page.sees("None was found.")
    page.sees("Order 4711 has left")
    page.press("Publish")
    page.sees("Publish version 1?")
    _confirms(page, "Publish")
    page.sees("Version 1 is published.")
    page.sees_row("Version 1", "en")
    template = _template(live, user)
    assert (template["version"], template["category"]) == (1, "promotional")
    assert template["versions"]["nodes"][0]["texts"][0]["html"] == LETTER["html"]
    page.sees("No project and no template has its texts.")

    page.open("/console/templates")
    page.sees_row("Your order has left", "your-order-has-left", "en", "Version 1")
    project = call(live, user, _MAKE, i={"name": "Spring", "channel": "email"})["createSendingProject"][
        "uuid"
    ]
    page.open(f"/console/projects/new?project={project}&step=text")
    page.press("Use a template")
    page.page.wait(_DIALOG)
    _chooses(page, "Template", "Your order has left (your-order-has-left)")
    page.press("Use its texts")
    page.page.wait(f"!({_DIALOG})")
    page.sees("The texts come from the template Your order has left, version 1, en.")
    made = call(live, user, _SOURCE, id=project)["sendingProject"]
    assert (made["templateId"], made["templateVersion"], made["templateLocale"]) == (
        template["uuid"],
        1,
        "en",
    )
    assert (made["subject"], made["html"]) == (LETTER["subject"], LETTER["html"])

    new_version(live, user, template["uuid"], LETTER | {"subject": "It has left"})
    page.open(f"/console/projects/new?project={project}&step=text")
    page.press("Take version 2")
    page.sees("version 2, en.")
    assert call(live, user, _SOURCE, id=project)["sendingProject"]["subject"] == "It has left"
    page.press("Your order has left")
    page.is_at(f"/console/templates/{template['uuid']}")
    page.sees("Project Spring: Version 2")

    page.open(f"/console/projects/new?project={project}&step=text")
    page.press("Without the template")
    page.sees_no("The texts come from the template")
    made = call(live, user, _SOURCE, id=project)["sendingProject"]
    assert (made["templateId"], made["subject"]) == (None, "It has left")


def test_a_text_that_is_changed_in_a_project_is_its_own(page: Tab, live: Live) -> None:
    user = new_user(live)
    template = new_template(live, user, "sale", "Sale")
    new_version(live, user, template, LETTER, LETTER | {"locale": "pt", "subject": "O pedido saiu"})
    made = {"name": "Spring", "channel": "email", "templateKey": "sale", "locale": "pt-BR"}
    project = call(live, user, _MAKE, i=made)["createSendingProject"]["uuid"]
    page.comes_as(user, f"/console/projects/new?project={project}&step=text")
    page.sees("The texts come from the template Sale, version 1, pt.")
    page.fill("Subject", "Another subject")
    page.sees_no("The texts come from the template")

    def is_own() -> bool:
        read = call(live, user, _SOURCE, id=project)["sendingProject"]
        return bool(read["templateId"] is None and read["subject"] == "Another subject")

    eventually(is_own, "the texts are the project's own")


def test_a_draft_has_languages_a_layout_and_partials(page: Tab, live: Live) -> None:
    user = new_user(live)
    new_contact(live, user, ANNA)
    frame = new_template(live, user, "frame", "Frame")
    body = '<div id="frame">{{ content }}<a href="{{ unsubscribe_url }}">Leave</a></div>'
    new_version(live, user, frame, {"locale": "en", "html": body})
    letter = new_template(live, user, "letter", "Letter")
    draft = new_version(
        live,
        user,
        letter,
        {"locale": "en", "subject": "Hi", "html": "<p>Dear {{ name }}</p>"},
        publish=False,
        layoutKey="frame",
        testData={"name": "Ada"},
    )
    _keeps_frames(page)
    page.comes_as(user, f"/console/templates/{letter}")
    _sees_in_frame(page, '<div id="frame">', "Dear Ada")
    page.sees("None was found.")
    _chooses(page, "Values of", "Anna Berg (anna@example.com)")
    _sees_in_frame(page, "Dear Anna Berg")
    page.press("Phone")
    page.press("Dark")
    _sees_in_frame(page, "color-scheme:dark", "Dear Anna Berg")

    page.press("Add a language")
    page.fill("Language", "english")
    page.sees("The draft has this language already.")
    page.fill("Language", "brazil")
    page.press("Brazilian Portuguese (pt-BR)")
    page.press("Add")
    page.fill("Subject", "Oi")
    page.sees("This is what was saved last.")
    page.press("Save as draft")
    page.sees_no("This is what was saved last.")
    versions = next(
        row for row in call(live, user, _TEMPLATES)["templates"]["nodes"] if row["key"] == "letter"
    )
    (version,) = versions["versions"]["nodes"]
    assert [(text["locale"], text["subject"]) for text in version["texts"]] == [("en", "Hi"), ("pt-BR", "Oi")]
    assert version["layoutKey"] == "frame"
    page.press("Remove pt-BR")
    _confirms(page, "Remove")
    page.sees("Not saved yet")

    page.open(f"/console/templates/{letter}?version={draft}")
    page.sees("Not saved yet")
    page.press("Discard changes")
    _confirms(page, "Discard it")
    page.sees("pt-BR")
    page.sees_no("Not saved yet")
    page.open(f"/console/templates/{frame}")
    page.sees("Template letter, Draft: takes the newest version when it is published")


def test_a_template_that_is_written_for_a_project_is_used_there(page: Tab, live: Live) -> None:
    user = new_user(live)
    made = {"name": "Spring", "channel": "email"}
    project = call(live, user, _MAKE, i=made)["createSendingProject"]["uuid"]
    page.comes_as(user, f"/console/projects/new?project={project}&step=text")
    page.press("Use a template")
    page.sees("No template is published yet.")
    assert page.text().count("No template is published yet.") == 1
    assert not page.page.evaluate("document.querySelector('[role=listbox]')?.checkVisibility() ?? false")
    page.press("New template")
    page.is_at(f"/console/templates?add=1&for={project}")
    page.fill("Name", "Spring sale")
    page.press("Save")
    page.sees("Nothing is written yet")
    template = _template(live, user)["uuid"]
    german = LETTER | {"locale": "de", "subject": "Sie ist unterwegs"}
    new_version(live, user, template, LETTER, german, defaultLocale="en")
    page.open(f"/console/templates/{template}?for={project}")
    page.press("Use it in the project")
    page.is_at(f"/console/projects/new?project={project}&step=text")
    page.sees("The texts come from the template Spring sale, version 1, each person's own")
    made = call(live, user, _SOURCE, id=project)["sendingProject"]
    assert (made["templateId"], made["subject"]) == (template, LETTER["subject"])


def test_versions_are_compared_and_a_template_is_archived(page: Tab, live: Live) -> None:
    user = new_user(live)
    template = new_template(live, user, "sale", "Sale")
    first = new_version(live, user, template, LETTER)
    new_version(
        live, user, template, LETTER | {"text": "Dear {{ name }},\nit is winter. {{ unsubscribe_url }}"}
    )
    page.comes_as(user, f"/console/templates/{template}?version={first}")
    page.sees("Version 1")
    page.press("New draft from it")
    page.sees_row("Draft", "en")
    page.press("Delete the draft en")
    _confirms(page, "Delete")
    page.sees("Version 2")
    page.press("Compare")
    page.sees("en · Plain text")
    page.sees("+ it is winter. {{ unsubscribe_url }}")
    page.page.press("Escape", 27)
    page.page.wait(f"!({_DIALOG})")

    page.press("Archive")
    _confirms(page, "Archive")
    page.sees("This template is archived")
    assert _template(live, user)["archivedAt"] is not None
    page.open("/console/templates?archived=1")
    page.sees_row("Sale", "Archived")
    page.press("Sale")
    page.press("Take back into use")
    page.sees("The template is in use again.")
    assert _template(live, user)["archivedAt"] is None

    page.press("Edit")
    page.fill("Name", "Winter sale")
    page.press("Save")
    page.sees("Winter sale")
    page.open("/console/templates?q=winter%20sale")
    page.sees_row("Winter sale", "sale")
    page.open("/console/templates?q=spring")
    page.sees("No template matches.")
