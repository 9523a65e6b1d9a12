"""Answers what the console asks in a dialog."""

from tests.console.steps import Tab

IN_DIALOG = "document.querySelector('[role=dialog]') !== null"
SECRET = "document.querySelector('[data-secret]')?.textContent"


def answer(page: Tab, action: str) -> None:
    """Says yes to a question: `action` is the text of its button."""
    page.page.wait(IN_DIALOG)
    page.press(action)
    page.page.wait(f"!({IN_DIALOG})")


def stored_secret(page: Tab) -> str:
    """Returns the secret that is shown once, and closes its dialog."""
    page.sees_element("[data-secret]")
    secret = str(page.page.evaluate(SECRET))
    page.press("I have stored it")
    page.page.wait(f"!({IN_DIALOG})")
    return secret
