"""The table of status moves (contract §2), through every way that leads to a move."""

import asyncio

from tests.support.people import PASSWORD

STATUSES = ("invited", "active", "suspended", "deleted")
MOVES = {
    ("invited", "active"), ("invited", "deleted"),
    ("active", "suspended"), ("active", "deleted"),
    ("suspended", "active"), ("suspended", "deleted"),
}  # fmt: skip
MUTATIONS = {"suspended": "suspendUser", "active": "activateUser", "deleted": "deleteUser"}


async def _by_patch(admin, id, to):
    answer = await admin.rest("PATCH", f"/users/{id}", json={"status": to})
    return None if answer.status_code == 200 else answer.json()["code"]


async def _by_graphql(admin, id, to):
    shape = "" if to == "deleted" else " { status }"
    body = await admin.graphql(f"mutation($id: ID!) {{ {MUTATIONS[to]}(id: $id){shape} }}", {"id": str(id)})
    return body["errors"][0]["extensions"]["code"] if "errors" in body else None


async def test_every_move_and_no_other(people, admin, services):
    eve = await people.make()
    for before in STATUSES:
        for to in STATUSES:
            for move in (_by_patch, _by_graphql):
                if move is _by_graphql and to not in MUTATIONS:
                    continue
                await services.db.fetch(
                    "UPDATE users SET status = $1, token_version = 5 WHERE id = $2", before, eve.id
                )
                code = await move(admin, eve.id, to)
                allowed = before == to or (before, to) in MOVES
                assert code == (None if allowed else "bad_transition"), (before, to, move.__name__)
                row = await services.db.fetchrow(
                    "SELECT status, token_version FROM users WHERE id = $1", eve.id
                )
                assert row["status"] == (to if allowed else before)
                ends = (before, to) in MOVES and to in ("suspended", "deleted")
                assert row["token_version"] == (6 if ends else 5), (before, to)


async def test_deletion_is_idempotent_for_administrators_and_the_email_stays_taken(
    auth, ada, admin, services
):
    for _ in range(3):
        assert (await admin.rest("DELETE", f"/users/{ada.id}")).status_code == 204
    assert await admin.data("mutation($id: ID!) { deleteUser(id: $id) }", {"id": str(ada.id)}) == {
        "deleteUser": True
    }
    assert await services.db.fetchval("SELECT token_version FROM users WHERE id = $1", ada.id) == 2
    assert (await admin.rest("GET", f"/users/{ada.id}")).json()["status"] == "deleted"
    refused = await auth.call("rest", "register", {"email": ada.email, "password": PASSWORD})
    assert refused.code == "email_taken"
    assert (await admin.rest("DELETE", "/users/018f3c9e-0000-7000-8000-000000000000")).status_code == 404


async def test_one_who_deletes_himself_is_out(ada):
    assert (await ada.rest("DELETE", f"/users/{ada.id}")).status_code == 204
    for method, path in (("DELETE", f"/users/{ada.id}"), ("GET", "/auth/me"), ("GET", "/accounts")):
        assert (await ada.rest(method, path)).status_code == 401


async def test_parallel_moves_end_in_one_state_and_leave_no_login(ada, admin, services):
    answers = await asyncio.gather(
        *(
            admin.rest("PATCH", f"/users/{ada.id}", json={"status": status})
            for status in ("suspended", "deleted") * 5
        ),
        *(admin.rest("DELETE", f"/users/{ada.id}") for _ in range(5)),
    )
    assert {answer.status_code for answer in answers} <= {200, 204, 409}
    assert await services.db.fetchval("SELECT status FROM users WHERE id = $1", ada.id) == "deleted"
    live = "SELECT count(*) FROM sessions WHERE user_id = $1 AND revoked_at IS NULL"
    assert await services.db.fetchval(live, ada.id) == 0
