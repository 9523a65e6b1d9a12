"""Drivers, the summary, the states and the webhooks of messenger accounts by REST."""

from tests.support.messengers import added
from tests.support.people import Person


async def test_messenger_accounts_by_rest(ada: Person, bob: Person):
    drivers = (await ada.rest("GET", "/messenger-accounts/drivers")).json()
    enabled = await ada.data("{messengerDrivers{source driver label about}}")
    names = [{**row, "driver": row["driver"].replace("-", "_")} for row in drivers]
    assert names == enabled["messengerDrivers"]  # GraphQL has no hyphens in names
    account = await added(ada, "routed")
    summary = (await ada.rest("GET", "/messenger-accounts/summary?source=telegram")).json()
    assert (summary["total"], summary["stopped"]) == (1, 1)
    assert (await ada.rest("GET", "/messenger-accounts/summary?source=none")).status_code == 400
    hook = {"source": "telegram", "login": "routed", "webhookUrl": "https://93.184.215.14/one"}
    assert (await ada.rest("POST", "/addWebhook", json=hook)).status_code == 200
    hooks = (await ada.rest("GET", f"/messenger-accounts/{account}/webhooks")).json()
    assert [row["url"] for row in hooks["items"]] == ["https://93.184.215.14/one"]
    shown = await ada.data(
        "query($id:ID!){messengerAccount(id:$id){stateChanges{state reason reasonCode until createdAt}}}",
        {"id": account},
    )
    changes = (await ada.rest("GET", f"/messenger-accounts/{account}/state-changes")).json()
    assert [row["state"] for row in changes] == [
        row["state"] for row in shown["messengerAccount"]["stateChanges"]
    ]
    for part in ("webhooks", "state-changes"):
        assert (await bob.rest("GET", f"/messenger-accounts/{account}/{part}")).status_code == 404
