"""Test messages that were sent, by REST."""

import pytest

from tests.support.people import Person


@pytest.mark.usefixtures("working")
async def test_trials_are_listed_by_rest(ada: Person, bob: Person):
    send = {"channel": "telegram", "to": "@ada_lovelace", "text": "hi"}
    ids = [(await ada.rest("POST", "/test-sending", json=send)).json()["messageId"] for _ in range(2)]
    listed = (await ada.rest("GET", "/test-sending?limit=1")).json()
    after = (await ada.rest("GET", "/test-sending", params={"after": listed["next"]})).json()
    assert [row["id"] for row in (*listed["items"], *after["items"])] == ids[::-1]
    path = f"/test-sending/{ids[1]}/message"
    assert (await ada.rest("GET", path)).json() == listed["items"][0]
    assert (await bob.rest("GET", path)).status_code == 404
    assert (await bob.rest("GET", "/test-sending")).json()["items"] == []
