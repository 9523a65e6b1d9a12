"""POSTERN_SECOND_FACTOR: logins of whom it is demanded and who have none may only add one."""

import pytest

from postern import operator
from runtime.services import Services
from tests.auth.doors import Auth
from tests.second_factors.factor import second_factor
from tests.second_factors.test_factors import rest
from tests.support.people import PASSWORD, Person


@pytest.mark.settings(second_factor="all")
async def test_a_login_without_one_may_only_add_one(auth: Auth, ada: Person):
    assert await rest(ada, "GET", "/accounts") == (403, "second_factor_setup")
    assert await ada.code("{accounts{nodes{uuid}}}") == "second_factor_setup"
    assert await rest(ada, "POST", "/api-tokens", {"name": "x"}) == (403, "second_factor_setup")
    assert await rest(ada, "GET", "/auth/me") == (200, None)
    assert (await ada.rest("GET", "/auth/second-factors")).json()["demanded"] is True
    fresh = (await auth.login(ada.email)).data
    again = (await auth.refresh(fresh["refreshToken"])).data["accessToken"]
    other = Person(ada.id, ada.email, ada.account_id, again, ada.client)
    assert await rest(other, "GET", "/accounts") == (403, "second_factor_setup")
    factor = await second_factor(ada)
    # At once, and for the logins that were open.
    for person in (ada, other):
        assert await rest(person, "GET", "/accounts") == (200, None)
    path = f"/auth/second-factors/{factor.id}"
    assert await rest(ada, "DELETE", path, {"otp": factor.code()}) == (409, "last_second_factor")


@pytest.mark.settings(second_factor="all")
async def test_such_a_login_changes_the_password_and_ends(auth: Auth, ada: Person):
    body = {"currentPassword": PASSWORD, "newPassword": "another horse battery"}
    changed = await auth.call("graphql", "changePassword", body, token=ada.token)
    assert changed.code is None
    by = Person(ada.id, ada.email, ada.account_id, changed.data["accessToken"], ada.client)
    assert await rest(by, "GET", "/messages") == (403, "second_factor_setup")
    assert (await auth.call("rest", "logout", token=by.token)).code is None


@pytest.mark.settings(second_factor="admins")
async def test_of_administrators_alone(ada: Person, admin: Person):
    assert await rest(ada, "GET", "/accounts") == (200, None)
    assert await rest(admin, "GET", "/users") == (403, "second_factor_setup")
    assert await rest(admin, "GET", f"/users/{ada.id}") == (403, "second_factor_setup")
    await admin.rest(
        "POST", "/auth/second-factors/totp", json={"password": PASSWORD}
    )  # one that is not confirmed is none
    assert await rest(admin, "GET", "/users") == (403, "second_factor_setup")
    await second_factor(admin)
    assert await rest(admin, "GET", "/users") == (200, None)
    factor = await second_factor(ada)
    assert await rest(ada, "DELETE", f"/auth/second-factors/{factor.id}") == (204, None)


async def test_tokens_go_on_when_it_is_demanded(ada: Person, services: Services):
    token = (await ada.rest("POST", "/api-tokens", json={"name": "t"})).json()["token"]
    services.viewers._policy = "all"
    await services.viewers.invalidate(users=[ada.id])
    by = Person(ada.id, ada.email, ada.account_id, token, ada.client)
    assert await rest(by, "GET", "/accounts") == (200, None)
    pair = (await ada.client.post("/auth", json={"token": token})).json()
    by = Person(ada.id, ada.email, ada.account_id, pair["accessToken"], ada.client)
    assert await rest(by, "GET", "/accounts") == (200, None)
    assert await rest(ada, "GET", "/accounts") == (403, "second_factor_setup")


@pytest.mark.settings(second_factor="all")
async def test_the_operator_removes_a_lost_one(auth: Auth, ada: Person, services: Services):
    await second_factor(ada)
    assert await rest(ada, "GET", "/accounts") == (200, None)
    assert await operator.remove_second_factor(services, ada.email.upper()) == 1
    assert await operator.remove_second_factor(services, ada.email) == 0
    assert await rest(ada, "GET", "/accounts") == (403, "second_factor_setup")
    assert (await auth.login(ada.email)).code is None
