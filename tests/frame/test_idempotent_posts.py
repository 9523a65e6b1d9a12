"""Every POST that creates, sends or starts something honours an Idempotency-Key, or is named here with the reason."""

import json
from typing import Any

from core.installation import ROOT
from tests.consent.made import contact, topic
from tests.support.people import Person

_SECRET = "the answer has a secret, which is never stored"
_UNIQUE = "a second one with the same name, email or target is refused, or is the first one"
_STATE = "it sets a state, and setting it again changes nothing"
_READS = "it stores nothing"
_PUBLIC = "the caller has no login, so that a key would be nobody's"
_BY_ITSELF = "each repetition is asked for: it is a test, or a position to begin from"

WITHOUT_KEY = {
    "/account/create-or-get": _UNIQUE,
    "/addWebhook": _UNIQUE,
    "/agents": _SECRET,
    "/agents/review": _READS,
    "/ai-integration": _READS,
    "/api-tokens": _SECRET,
    "/approvals/{approvalUuid}/decide": _STATE,
    "/approvals/{approvalUuid}/withdraw": _STATE,
    "/auth": _SECRET,
    "/auth/first-user": _PUBLIC,
    "/auth/invitations": _SECRET,
    "/auth/invitations/accept": _PUBLIC,
    "/auth/login": _PUBLIC,
    "/auth/logout": _STATE,
    "/auth/logout-everywhere": _STATE,
    "/auth/password": _SECRET,
    "/auth/password/reset": _PUBLIC,
    "/auth/password/reset-request": _PUBLIC,
    "/auth/recovery-codes": _SECRET,
    "/auth/refresh": _PUBLIC,
    "/auth/register": _PUBLIC,
    "/auth/second-factors/totp": _SECRET,
    "/auth/second-factors/verify": _STATE,
    "/auth/second-factors/{id}/confirm": _STATE,
    "/auth/token/refresh": _PUBLIC,
    "/block/remove/multiple": _STATE,
    "/block/unblock/{phone}": _STATE,
    "/clearSession": _STATE,
    "/console/session": _PUBLIC,
    "/console/session/demo": _PUBLIC,
    "/console/session/token": _SECRET,
    "/contacts/imports/preview": _READS,
    "/contacts/{contactId}/merge": _STATE,
    "/deleteAccount": _STATE,
    "/deleteWebhook": _STATE,
    "/delivery-hook/{engineUserUuid}": _STATE,
    "/disablePhoneAuth": _STATE,
    "/domains/{domainId}/verify": _READS,
    "/brand/domains/{domainId}/verify": _READS,
    "/brand/preview": _READS,
    "/enablePhoneAuth": _STATE,
    "/event-sinks": _UNIQUE,
    "/event-sinks/{sinkId}/replay": _BY_ITSELF,
    "/event-sinks/{sinkId}/test": _BY_ITSELF,
    "/export-link/cancel/{exportLinkUuid}": _STATE,
    "/forceStop": _STATE,
    "/getAuthCode": _READS,
    "/getChatMessageByItem": _READS,
    "/getChatMessages": _READS,
    "/getConfig": _READS,
    "/getConfigList": _READS,
    "/getInfo": _READS,
    "/getInfoByToken": _READS,
    "/getMe": _READS,
    "/getNewProxy": _BY_ITSELF,
    "/getQr": _READS,
    "/getUserInfo": _READS,
    "/graphql": "each of its mutations honours the key as its route does",
    "/graphql/stream": _READS,
    "/hook-secrets/keys": _SECRET,
    "/hook-secrets/rotate": _SECRET,
    "/hooks/whatsapp-cloud/{account_id}": _PUBLIC,
    "/hooks/{driver}/{name}": _PUBLIC,
    "/legacy/{path}": "the legacy system gets the key",
    "/mail-reports/preview": _READS,
    "/members": _SECRET,
    "/memberships/accept": _UNIQUE,
    "/messages/quote": _READS,
    "/messenger-accounts/{accountUuid}/lift-restriction": _STATE,
    "/messenger-chats/{chatUuid}/close": _STATE,
    "/messenger-chats/{chatUuid}/read": _STATE,
    "/messenger-chats/{chatUuid}/reopen": _STATE,
    "/opt-in/{token}": _PUBLIC,
    "/preferences/{token}": _PUBLIC,
    "/preferences/{token}/your-data": _PUBLIC,
    "/recipient-import/preview": _READS,
    "/resetTyping": _STATE,
    "/route-rules/trace": _READS,
    "/segments/preview": _READS,
    "/segments/{segmentId}/count": _READS,
    "/sendRecording": _STATE,
    "/sendTyping": _STATE,
    "/senders/{senderId}/decide": _STATE,
    "/sending-project/multiple/delete": _STATE,
    "/sending-project/preview": _READS,
    "/sending-project/stop/multiple": _STATE,
    "/sending-project/{sendingProjectUuid}/plan": _READS,
    "/series/{seriesId}/archive": _STATE,
    "/series/{seriesId}/pause": _STATE,
    "/series/{seriesId}/plan": _READS,
    "/setConfig": _STATE,
    "/setState": _STATE,
    "/signup/{formId}": _PUBLIC,
    "/solveChallenge": _STATE,
    "/status-callbacks/secret": _SECRET,
    "/system/providers": _UNIQUE,
    "/system/providers/test": _BY_ITSELF,
    "/system/routes": _UNIQUE,
    "/template-versions/{versionId}/preview": _READS,
    "/templates/{templateId}/preview": _READS,
    "/templates/{templateId}/archive": _STATE,
    "/templates/{templateId}/unarchive": _STATE,
    "/topic-subscriptions/withdraw": _STATE,
    "/twoFactorAuth": _STATE,
    "/undo/{token}": _PUBLIC,
    "/unsubscribe/{token}": _PUBLIC,
    "/updateAccount": _STATE,
    "/user/create": _SECRET,
    "/user/tariff": _STATE,
    "/users/{id}/activate": _STATE,
    "/users/{id}/suspend": _STATE,
    "/verifications/{verificationId}/cancel": _STATE,
    "/verifications/{verificationId}/check": "a stored request would have the code in it, or a hash to find it by",
    "/verify/{token}": _PUBLIC,
    "/webhook/user-channel": _STATE,
    "/webhooks": _SECRET,
    "/webhooks/preview": _READS,
    "/webhooks/{webhookId}/dead-letters/replay": _STATE,
    "/webhooks/{webhookId}/replay": _BY_ITSELF,
    "/webhooks/{webhookId}/secret": _SECRET,
    "/webhooks/{webhookId}/test": _BY_ITSELF,
    "/webhooks/{webhookId}/try-now": _STATE,
    "/your-data/{token}": _PUBLIC,
}
"""The routes that do without a key."""


def test_each_other_post_honours_a_key() -> None:
    document = json.loads((ROOT / "openapi.json").read_text(encoding="utf-8"))
    without = {
        path
        for path, methods in document["paths"].items()
        if "post" in methods
        and not any(each["name"] == "Idempotency-Key" for each in methods["post"].get("parameters", ()))
    }
    assert without == WITHOUT_KEY.keys()


async def _twice(person: Person, path: str, body: Any) -> tuple[Any, Any]:
    """The first answer to a request with a key, and the second one, which is a replay."""
    headers = {"Idempotency-Key": path}
    first, again = [await person.rest("POST", path, json=body, headers=headers) for _ in range(2)]
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert again.headers["idempotent-replayed"] == "true"
    other = await person.rest("POST", path, json={**body, "nothing": 1}, headers=headers)
    assert other.status_code in (400, 422)
    return first, again


async def test_contacts(ada: Person) -> None:
    anna = {"name": "Anna", "addresses": [{"channel": "email", "address": "anna@example.com"}]}
    first, _ = await _twice(ada, "/contacts", anna)
    await ada.rest("DELETE", f"/contacts/{first.json()['id']}")
    again = await ada.rest("POST", "/contacts", json=anna, headers={"Idempotency-Key": "/contacts"})
    assert again.json()["id"] == first.json()["id"]  # and the contact is not made again
    assert (await ada.rest("GET", "/contacts")).json()["items"] == []
    bulk, _ = await _twice(ada, "/contacts/bulk", {"contacts": [anna]})
    assert bulk.json()["created"] == 1


async def test_subscriptions(ada: Person) -> None:
    body = {
        "contactUuids": [await contact(ada)],
        "topicUuids": [await topic(ada)],
        "channel": "email",
        "evidence": "a form",
    }
    first, _ = await _twice(ada, "/topic-subscriptions", body)
    assert first.json()["active"] == 1


async def test_a_retry_of_projects(ada: Person) -> None:
    project = await ada.rest("POST", "/sending-project", json={"name": "p", "channel": "sms", "text": "Hi"})
    first, _ = await _twice(ada, "/sending-project/multiple/retry", {"uuids": [project.json()["uuid"]]})
    assert len(first.json()["failed"]) == 1
