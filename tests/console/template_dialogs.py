"""The dialogs of templates, their versions, and of projects that take their texts; see dialogs.py."""

from tests.console.dialogs import MENU, State, icon
from tests.console.test_templates import LETTER, new_template, new_version
from tests.media.samples import picture
from tests.support.live import Live
from tests.support.people import Person

_PAGE, _OPEN = "features/templates", "features/templates/one"
_DRAFT, _PUBLISHED = "/templates/{template}?version={version}", "/templates/{template}?version={published}"
_LETTER, _TOOLS = "/templates/{lettered}", "[role=toolbar] > .mantine-Button-root"
_SOURCE = {"format": 1, "doc": {"type": "doc", "content": [{"type": "paragraph"}, {"type": "image"}]}}

OF_TEMPLATES = [
    State("add-template", f"{_PAGE}/TemplateDialog.tsx", "/templates?add=1"),
    State("archive-template", f"{_OPEN}/TemplatePage.tsx", _PUBLISHED, (icon("archive"),)),
    State(
        "delete-template",
        f"{_OPEN}/TemplatePage.tsx",
        "/templates/{unpublished}",
        (icon("trash", "main [data-actions]"),),
    ),
    State(
        "publish-version", f"{_OPEN}/Editor.tsx", _DRAFT, ("main section .mantine-Button-root[data-publish]",)
    ),
    State(
        "compare-versions", f"{_OPEN}/CompareDialog.tsx", _DRAFT, (icon("arrows-diff"),), "[role=dialog] pre"
    ),
    State("delete-draft", f"{_OPEN}/Versions.tsx", _DRAFT, (icon("trash", "main td"),)),
    State(
        "add-block", "features/templates/builder/Toolbar.tsx", _LETTER, (f"{_TOOLS}:nth-of-type(1)",), MENU
    ),
    State(
        "kind-of-text", "features/templates/builder/Toolbar.tsx", _LETTER, (f"{_TOOLS}:nth-of-type(2)",), MENU
    ),
    State("variable", "features/templates/builder/Toolbar.tsx", _LETTER, (f"{_TOOLS}:nth-of-type(3)",), MENU),
    State(
        "choose-picture",
        "features/templates/builder/panels/ImageFields.tsx",
        _LETTER,
        ("[data-block=image]", icon("photo")),
        moves=True,
    ),
    State("delete-picture", "features/files/pictures/PicturesPage.tsx", "/files/pictures", (icon("trash"),)),
    State(
        "choose-template",
        "features/projects/new/text/stored/ChooseTemplate.tsx",
        "/projects/new?project={draft}&step=text",
        (icon("template"),),
    ),
]


def rows_of_templates(live: Live, user: Person) -> dict[str, str]:
    """A template with a version and a draft, and one that was never published."""
    template = new_template(live, user, "shipped", "Your order has left")
    published = new_version(live, user, template, LETTER)
    draft = new_version(live, user, template, LETTER | {"text": "Hello"}, publish=False)
    unpublished = new_template(live, user, "welcome", "Welcome")
    lettered = new_template(live, user, "lettered", "Lettered")
    new_version(live, user, lettered, {"locale": "en", "html": "<p></p>", "source": _SOURCE}, publish=False)
    answer = live.client.post("/media", files={"file": ("a.png", picture())}, headers=user.headers)
    assert answer.status_code == 201, answer.text
    return {
        "template": template,
        "published": published,
        "version": draft,
        "unpublished": unpublished,
        "lettered": lettered,
    }
