"""Hook secrets and hook keys by REST."""

from tests.support.people import Person


async def test_hook_secrets_by_rest(ada: Person, bob: Person):
    issued = [
        (await ada.rest("POST", f"/hook-secrets/{kind}")).json() for kind in ("rotate", "rotate", "keys")
    ]
    rows = [one["hookSecret"] for one in issued]
    assert [row["kind"] for row in rows] == ["secret", "secret", "key"]
    listed = (await ada.rest("GET", "/hook-secrets", params={"limit": 2})).json()
    assert listed["items"] == [rows[2], rows[1]]
    rest = (await ada.rest("GET", "/hook-secrets", params={"after": listed["next"]})).json()
    assert rest == {"items": [rows[0]], "next": None}
    assert (await bob.rest("GET", "/hook-secrets")).json()["items"] == []
    path, key = f"/hook-secrets/{rows[2]['uuid']}", issued[2]["secret"]
    assert (await ada.rest("GET", path)).json() == rows[2]
    for method in ("GET", "DELETE"):
        answer = await bob.rest(method, path)
        assert (answer.status_code, answer.json()["code"]) == (404, "hook_secret_not_found")
    hook = f"/delivery-hook/{ada.id}?key={key}"
    assert (await ada.client.post(hook, json={"events": []})).status_code == 202
    revoked = await ada.rest("DELETE", path)
    assert (revoked.status_code, revoked.json()["revokedAt"] is None) == (200, False)
    assert (await ada.client.post(hook, json={"events": []})).status_code == 401
