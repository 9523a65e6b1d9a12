"""PATCH /users/{id}: an email that somebody has is a conflict, whatever else is changed with it."""

import pytest


@pytest.mark.parametrize("more", [{}, {"status": "suspended"}, {"status": "suspended", "roles": ["admin"]}])
async def test_a_taken_email_changes_nothing(more, admin, ada, bob):
    before = (await admin.rest("GET", f"/users/{bob.id}")).json()
    answer = await admin.rest("PATCH", f"/users/{bob.id}", json={"email": ada.email, **more})
    assert (answer.status_code, answer.json()["code"]) == (409, "email_taken")
    assert (await admin.rest("GET", f"/users/{bob.id}")).json() == before
    assert (await bob.rest("GET", "/auth/me")).status_code == 200


async def test_a_free_email_and_a_status_go_together(admin, bob):
    sent = {"email": "robert@example.com", "status": "suspended"}
    answer = await admin.rest("PATCH", f"/users/{bob.id}", json=sent)
    assert answer.status_code == 200, answer.text
    assert {key: answer.json()[key] for key in sent} == sent
    assert (await bob.rest("GET", "/auth/me")).status_code == 401
