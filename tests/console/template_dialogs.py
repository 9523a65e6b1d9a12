"""The dialogs of templates, their versions, and of projects that take their texts; see dialogs.py."""

from tests.console.dialogs import State, icon
from tests.console.test_templates import LETTER, new_template, new_version
from tests.support.live import Live
from tests.support.people import Person

_PAGE, _OPEN = "features/templates", "features/templates/one"
_DRAFT, _PUBLISHED = "/templates/{template}?version={version}", "/templates/{template}?version={published}"

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
    return {"template": template, "published": published, "version": draft, "unpublished": unpublished}
