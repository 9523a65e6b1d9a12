"""The console begins by asking for its data while its code is loaded, and loads its menus later."""

import json

from tests.console.users import new_user

# Keeps the text of each question to the API.
_KEEP_QUESTIONS = """window.questions = [];
const send = window.fetch;
window.fetch = (url, options) => {
    if (String(url).endsWith("/graphql")) window.questions.push(options.body);
    return send(url, options);
};"""


def _questions(page) -> list[str]:
    """Returns what was asked, each as its document and its variables."""
    asked = [json.loads(body) for body in page.page.evaluate("window.questions")]
    return [json.dumps([one["documentId"], one.get("variables")], sort_keys=True) for one in asked]


def test_what_is_asked_early_is_not_asked_again(page, live):
    page.page.call("Page.addScriptToEvaluateOnNewDocument", source=_KEEP_QUESTIONS)
    page.comes_as(new_user(live))
    for known in (False, True):  # whether this browser knows from last time that somebody is logged in
        if known:
            page.open()
        page.sees("Needs a person")
        page.sees("Live")
        questions = _questions(page)
        assert len(questions) >= 5, "the login, and what the page shows"
        assert len(set(questions)) == len(questions), questions


def test_a_menu_of_the_shell_opens_at_its_first_press_and_gives_the_focus_back(page, live):
    page.comes_as(live.admin)
    for name, entry in (("Theme", "Dark"), ("Account menu of", "Log out everywhere")):
        label = page.page.evaluate(
            f"document.querySelector('header button[aria-label^={json.dumps(name)}]').ariaLabel"
        )
        page.press(label)
        page.page.wait("document.activeElement.closest('[role=menu]') !== null")
        assert page.has(entry)
        page.page.press("Escape", 27)
        page.page.wait(f"document.activeElement.ariaLabel === {json.dumps(label)}")
