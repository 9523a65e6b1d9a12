"""A forgotten password at the console: the way from the login page, and the link of the mail."""

from tests.console.steps import Tab
from tests.support.live import Live


def test_the_login_page_leads_to_a_mail_and_says_what_helps_without_one(page: Tab, live: Live):
    page.page.go(f"{page.url}/console/login")
    page.press("I forgot my password")
    page.is_at("/console/password")
    page.fill("Email", "somebody@example.com")
    page.press("Mail the link")
    page.sees("postern user password EMAIL")  # this server has no route for mail but the sandbox
    page.press("Log in")
    page.is_at("/console/login")


def test_a_link_that_opens_nothing_is_refused_and_leaves_the_address_bar(page: Tab, live: Live):
    page.page.go(f"{page.url}/console/password#not-a-token")
    page.is_at("/console/password")
    page.fill("New password", "a new password")
    assert page.page.evaluate("location.hash") == ""
    page.press("Set the password")
    page.sees("This link is invalid")
