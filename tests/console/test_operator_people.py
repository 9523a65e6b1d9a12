"""Users, invitations, accounts and tariffs: what administrators do with them, and what others see of it."""

from tests.console.steps import Tab
from tests.console.users import DELIVERED, call, ends, new_user, send
from tests.support.live import Live
from tests.support.people import PASSWORD, Person

_IN_DIALOG = "document.querySelector('[role=dialog]') !== null"
_TOKEN = "document.querySelector('[role=dialog] code').textContent"
_TARIFF = "mutation ($i: SetTariff!) { setTariff(input: $i) { code } }"
_TARIFFS = "query ($w: TariffWhere) { tariffs(where: $w) { nodes { name messagesPerDay prices } } }"
_OF_TARIFF = "query ($id: ID!) { user(id: $id) { tariff { code prices } } }"
_BALANCE = (
    "query ($id: ID!) { account(id: $id) { balance lowBalance ledger { nodes { kind amount note } } } }"
)

# The credit reaches the server, whose answer is lost on the way back.
_LOSE_CREDIT = """{
    const fetch = window.fetch;
    window.fetch = async (url, options) => {
        const answer = await fetch(url, options);
        if (window.answerIsLost || !new Headers(options?.headers).has("Idempotency-Key")) return answer;
        window.answerIsLost = true;
        throw new TypeError("lost");
    };
}"""


def _asked(page: Tab) -> None:
    """Waits for the question before what is pressed next."""
    page.page.wait(_IN_DIALOG)


def _answered(page: Tab) -> None:
    page.page.wait(f"!({_IN_DIALOG})")


def _account(live: Live, person: Person) -> dict[str, object]:
    answer: dict[str, object] = call(live, person, _BALANCE, id=str(person.account_id))["account"]
    return answer


def _invite(page: Tab, email: str) -> str:
    """Returns the token of the link that the page shows once."""
    page.press("Add a user")
    page.fill("Email", email)
    page.press("Create the invitation")
    page.sees("The link is shown only now.")
    address, _, token = str(page.page.evaluate(_TOKEN)).partition("#")
    assert address == f"{page.url}/console/invitation"
    assert len(token) > 20
    assert token not in page.page.evaluate("location.href")
    return token


def test_an_invitation_is_accepted_by_somebody_who_is_then_logged_in(page, live, another_tab):
    page.comes_as(live.admin, "/console/users")
    assert page.menu_groups() == ["Send", "Pay", "Build", "Run"]
    email = f"grace-{live.port}@example.com"
    token = _invite(page, email)
    page.press("Done")
    page.sees_row(email, "Invited")
    page.sees_no(token)
    page.page.call("Network.clearBrowserCookies")
    other = another_tab()  # without the administrator's cookie: somebody else
    other.open("/console/login")
    other.press("I have an invitation")
    other.is_at("/console/invitation")
    other.expected.append("status of 401")  # the invitation that is refused
    other.fill("Invitation token", token[:-1] + ("x" if token[-1] != "x" else "y"))
    other.fill("New password", PASSWORD)
    other.press("Set the password")
    other.sees("This invitation is invalid or has expired.")
    other.press("I have a password: log in")
    other.open(f"/console/invitation#{token}")  # the link has all that is needed
    other.sees("Choose a password, and you are logged in.")
    assert not other.page.named("Invitation token", frozenset(["textbox"]))
    other.fill("New password", "short")
    other.press("Set the password")
    other.sees("at least 8")
    other.fill("New password", PASSWORD)
    other.press("Set the password")
    other.sees("First steps")  # logged in with the password that was just chosen
    other.is_at("/console")
    assert token not in other.page.evaluate("location.href")
    assert not other.has("Users")
    page.expected.append("status of 401")  # its cookie was taken away


def test_a_suspension_ends_the_logins_of_the_other_at_once(page, live):
    user = new_user(live)
    page.comes_as(live.admin, f"/console/users?q={user.email}")
    page.press(user.email)
    page.press("Suspend…")
    _asked(page)
    page.sees("All logins end at once")
    page.press("Cancel")
    _answered(page)
    assert live.client.get("/auth/me", headers=user.headers).status_code == 200
    page.press("Suspend…")
    _asked(page)
    page.press("Suspend")
    page.sees(f"{user.email} is suspended.")
    assert live.client.get("/auth/me", headers=user.headers).status_code == 401
    page.press("Activate…")
    _asked(page)
    page.press("Activate")
    page.sees(f"{user.email} is active again.")


def test_a_suspended_user_is_shown_the_login(page, live):
    user = new_user(live)
    page.comes_as(user, f"/console/accounts/{user.account_id}")
    page.sees("$100.00")
    call(live, live.admin, "mutation($id: ID!) { suspendUser(id: $id) { uuid } }", id=str(user.id))
    page.sees("Your login has ended.")


def test_a_credit_is_asked_about_and_stands_in_the_ledger(page, live):
    user = new_user(live)
    page.comes_as(live.admin, f"/console/accounts?owner={user.id}")
    page.sees(f"Owner: {user.email}")
    page.press("Main")
    page.is_at(f"/console/accounts/{user.account_id}")
    page.press("Credit…")
    page.fill("Amount (USD)", "25.503")
    page.fill("Reason", "invoice 7")
    page.sees("$125.503")
    page.press("Continue")
    page.sees(f"“Main” of {user.email} gets $25.503. Its balance is then $125.503.")
    page.press("Credit $25.503")
    page.sees("$25.503 credited. The balance is $125.503.")
    page.sees_row("Credit", "Money added", "invoice 7", f"by {live.admin.email}", "+$25.503")
    assert _account(live, user)["balance"] == 125.503


def test_a_credit_whose_answer_is_lost_is_booked_once(page, live):
    user = new_user(live)
    page.comes_as(live.admin, f"/console/accounts/{user.account_id}")
    page.press("Credit…")
    page.fill("Amount (USD)", "25")
    page.fill("Reason", "invoice 8")
    page.press("Continue")
    page.page.evaluate(_LOSE_CREDIT)
    page.press("Credit $25.00")
    page.page.wait("window.answerIsLost === true")
    assert _account(live, user)["balance"] == 125
    page.press("Cancel")
    page.press("Continue")
    page.press("Credit $25.00")
    page.sees("$25.00 credited. The balance is $125.00.")
    assert _account(live, user)["balance"] == 125
    # After that, the same credit is another one.
    page.press("Credit…")
    page.fill("Amount (USD)", "25")
    page.fill("Reason", "invoice 8")
    page.press("Continue")
    page.press("Credit $25.00")
    page.sees("$25.00 credited. The balance is $150.00.")


def test_a_charge_leads_to_the_message_that_it_was_for(page, live):
    user = new_user(live)
    message = send(live, user, DELIVERED)
    ends(live, user, message, "delivered")
    page.comes_as(user, f"/console/accounts/{user.account_id}?kind=charge")
    page.sees_row("Charge", f"Email to {DELIVERED}", "-$0.001")
    page.sees_no("Money added")
    page.press(f"Email to {DELIVERED}")
    page.is_at(f"/console/messages/{message}")
    page.back()
    page.is_at(f"/console/accounts/{user.account_id}?kind=charge")
    page.press("Clear filters")
    page.sees_row("Credit", "+$100.00")


def test_the_limit_of_a_low_balance(page, live):
    user = new_user(live)
    page.comes_as(user, f"/console/accounts/{user.account_id}")
    page.sees("$100.00")
    assert not page.has("Credit…")
    page.press("Low-balance limit")
    page.fill("The account is low below (USD)", "x")
    page.sees("Write an amount such as 25")
    page.fill("The account is low below (USD)", "150")
    page.press("Save")
    page.sees("The limit is set.")
    page.sees("Warn me below $150.00")
    assert _account(live, user)["lowBalance"] == 150
    page.open("/console/accounts")
    page.sees_row("Main", "Low", "$150.00", "$100.00")


def test_a_user_opens_an_account(page, live):
    page.comes_as(new_user(live), "/console/accounts")
    page.press("Open an account")
    page.fill("Name", "Marketing")
    page.fill("Currency", "eur")
    page.press("Open an account")
    page.sees("The balance has not changed yet.")
    page.sees("€0.00")
    page.press("Balances")
    page.sees("2 accounts")


def test_a_new_tariff_is_chosen_by_a_user(page, live):
    user, code = new_user(live), f"gold-{live.port}"
    page.comes_as(live.admin, "/console/tariffs/new")
    page.fill("Name", f"Gold {live.port}")
    page.fill("Code", code)
    page.press("Everybody may choose it")
    page.fill("SMS, price in USD", "0,0075")
    page.fill("Email, price in USD", "0.0005")
    page.press("Create the tariff")
    page.is_at(f"/console/tariffs/{code}")
    page.sees("0 users")
    page.comes_as(user, "/console/accounts")
    page.press("Your tariff and prices")
    page.sees("SMS $0.0075 · Email $0.0005")
    page.press(f"Choose Gold {live.port}")
    _asked(page)
    page.press("Choose")
    page.sees(f"Your tariff is now “Gold {live.port}”.")
    page.sees(f"Your tariff: Gold {live.port}")
    tariff = call(live, user, _OF_TARIFF, id=str(user.id))["user"]["tariff"]
    assert tariff == {"code": code, "prices": {"USD": {"sms": 0.0075, "email": 0.0005}}}


def test_a_new_tariff_does_not_replace_another_one(page, live):
    code = f"taken-{live.port}"
    tariff = {"code": code, "name": "Taken", "prices": {"USD": {"sms": 1}}, "messagesPerDay": 7}
    call(live, live.admin, _TARIFF, i=tariff)
    page.comes_as(live.admin, "/console/tariffs/new")
    page.fill("Name", "Another")
    page.fill("Code", code)
    page.fill("SMS, price in USD", "0.5")
    page.press("Create the tariff")
    page.sees("The tariff “Taken” has this code already.")
    page.press("Open it")
    page.is_at(f"/console/tariffs/{code}")
    page.sees("$1.00")
    page.press("Edit")
    page.fill("Currency", "US")
    page.sees("Write a currency of three letters")
    page.fill("Currency", "USD")
    page.sees_no("Write a currency of three letters")
    page.fill("Name", "Still taken")
    # A colleague changes another field while the form is open.
    call(live, live.admin, _TARIFF, i={"code": code, "messagesPerDay": 8})
    page.press("Save")
    page.sees("is saved.")
    where = {"code": {"eq": code}}
    (saved,) = call(live, live.admin, _TARIFFS, w=where)["tariffs"]["nodes"]
    assert saved == {"name": "Still taken", "messagesPerDay": 8, "prices": {"USD": {"sms": 1}}}


def test_an_administrator_changes_a_tariff_and_who_has_it(page, live):
    user, code = new_user(live), f"inhouse-{live.port}"
    call(live, live.admin, _TARIFF, i={"code": code, "public": False, "prices": {"USD": {"sms": 1}}})
    page.comes_as(live.admin, f"/console/tariffs/{code}")
    page.press("Edit")
    page.fill("Project messages a day (UTC)", "5000")
    page.press("Add a currency")
    page.press("Remove the currency of row 2")
    page.press("Save")
    page.sees("is saved.")
    page.sees("5,000")
    page.open(f"/console/users/{user.id}")
    page.fill("Tariff", code)
    page.press(code)
    page.press("Assign")
    page.sees(f"{user.email} now has the tariff")
    page.open(f"/console/tariffs/{code}")
    page.press("1 user")
    page.sees_row(user.email)


def test_a_user_is_found_and_changed_and_leads_to_what_is_sent(page, live):
    user = new_user(live)
    send(live, user, DELIVERED, "Of one user alone.")
    page.comes_as(live.admin, "/console/users?status=active")
    page.fill("Name or email", user.email)
    page.sees_row(user.email, "Active")
    page.press(user.email)
    page.fill("Display name", "Ada Lovelace")
    page.press("Save")
    page.sees("The user is changed.")
    assert call(live, user, "{ me { displayName } }")["me"]["displayName"] == "Ada Lovelace"
    page.press("Direct messages")
    page.sees("Of one user alone.")
    page.sees("1 message")
    page.back()
    page.press("Delete…")
    _asked(page)
    page.sees("A deleted user can't come back.")
    page.press("Delete for ever")
    page.sees(f"{user.email} is deleted.")
    page.sees("Deleted")


def test_an_edit_of_a_user_outlives_the_changes_of_others(page, live):
    user, code = new_user(live), f"edit-{live.port}"
    call(live, live.admin, _TARIFF, i={"code": code, "prices": {}})
    page.comes_as(live.admin, f"/console/users/{user.id}")
    page.fill("Display name", "Ada Byron")
    moved = f"moved-{live.port}@example.com"
    change = "mutation ($id: ID!, $i: UserPatch!) { updateUser(id: $id, input: $i) { uuid } }"
    call(live, live.admin, change, id=str(user.id), i={"email": moved})
    page.fill("Tariff", code)
    page.press(code)
    page.press("Assign")
    page.sees(f"{user.email} now has the tariff")
    page.sees(f"{moved} Active")  # the page has loaded the user again
    page.press("Save")
    page.sees("The user is changed.")
    asked = "query ($id: ID!) { user(id: $id) { email displayName } }"
    assert call(live, live.admin, asked, id=str(user.id))["user"] == {
        "email": moved,
        "displayName": "Ada Byron",
    }


def test_a_plain_user_sees_no_page_of_administrators_and_nothing_of_others(page, live):
    user, other = new_user(live), new_user(live)
    page.comes_as(user, "/console/accounts")
    page.sees_row("Main", "$100.00")
    page.sees("1 account")
    page.opens_more()
    assert not page.has("Users")
    assert not page.has("Tariffs")
    assert page.menu_groups() == ["Send", "Pay", "Build", "Run"]
    for path in ("/users", f"/users/{other.id}", "/tariffs/new"):
        page.open(f"/console{path}")
        page.sees("This page is for administrators")
    for path in (f"/accounts/{other.account_id}", "/accounts/nonsense"):
        page.open(f"/console{path}")
        page.sees("There is no account with this id, or it belongs to another user.")
    for path, nothing in (
        (f"/accounts?owner={other.id}", "No account matches"),
        (f"/messages?user={other.id}", "No message matches"),
    ):
        page.open(f"/console{path}")
        page.sees(nothing)
        assert other.email not in page.page.evaluate("document.documentElement.outerHTML")
