"""The second factor: added on the profile page, asked for at the login, and again for what is dangerous."""

import time

from core import totp
from tests.console.test_login import log_in
from tests.console.users import new_user
from tests.support.people import PASSWORD


def _code(secret: str, offset: int = 0) -> str:
    return totp.code_of(secret, int(time.time() // totp.STEP_SECONDS) + offset)


def test_an_app_is_added_and_the_login_asks_for_its_code(page, live):
    page.expected.append("status of 401")  # the login without the code
    user = new_user(live)
    page.comes_as(user, "/console/profile")
    page.press("Add an authenticator app")
    page.sees("Enter your password")
    page.fill("Password", PASSWORD)
    page.press("Continue")
    page.sees("Scan the picture")
    secret = page.page.evaluate("document.querySelector('[data-secret]').textContent.trim()")
    page.picture("second-factor-adding")
    page.fill("Code", "000000")
    page.press("Confirm")
    page.sees("The code is wrong")
    used = _code(secret)
    page.fill("Code", used)
    page.press("Confirm")
    page.sees("Recovery codes")
    codes = page.page.evaluate("document.querySelector('[role=dialog] [data-secret]').textContent").split()
    assert len({*codes}) == 10
    page.picture("second-factor-codes")
    page.press("I have stored it")
    page.sees("Recovery codes that are not used: 10")
    page.picture("second-factor-profile")
    page.press("Log out everywhere")
    page.sees("All your logins end")
    page.press("Log out everywhere")
    log_in(page, user)
    page.sees("Six digits, or one of your recovery codes")
    page.picture("second-factor-login")
    page.fill("Code of your authenticator app", codes[0].lower())
    page.press("Log in")
    page.sees("Recovery codes that are not used: 9")
    assert page.violations() == []


def test_what_needs_a_fresh_code_asks_for_it_and_goes_on(page, live):
    user = new_user(live)
    page.comes_as(user, "/console/profile")
    sent = {"email": user.email, "password": PASSWORD}
    token = live.client.post("/auth/login", json=sent).json()["accessToken"]
    headers = {"Authorization": f"Bearer {token}"}
    made = live.client.post("/auth/second-factors/totp", json={"password": PASSWORD}, headers=headers).json()
    confirm = f"/auth/second-factors/{made['id']}/confirm"
    codes = live.client.post(confirm, json={"otp": _code(made["secret"])}, headers=headers).json()[
        "recoveryCodes"
    ]
    page.open("/console/profile")
    page.sees("Recovery codes that are not used: 10")
    page.press("Remove")
    page.sees("To change this, enter the code")
    page.picture("second-factor-needed")
    page.press("Cancel")
    page.sees("Recovery codes that are not used: 10")
    page.press("Remove")
    page.sees("To change this, enter the code")
    page.fill("Code", codes[1])
    page.press("Continue")
    page.sees("Add an authenticator app")
    assert live.client.get("/auth/second-factors", headers=headers).json()["factors"] == []
