"""The rules between a request's fields, and their forms, stand in the document as the service checks them."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.openapi.test_document import DOCUMENT
from tests.support.people import Person

ID = "019a9f6e-7c00-7000-8000-5f3a1c2b4d6e"
PROJECT = {"name": "Sale", "channel": "email"}
TEMPLATE = {"name": "sale", "language": "en"}
DAY = {"timezone": "Europe/Berlin", "to": "24:00"}
RUNS = {"name": "Runs", "template": {"channel": "sms"}, "schedule": {"cron": "0 9 * * *"}}
CALL = {"source": "telegram", "login": "14155550100"}
NAMED = {"source": "telegram", "login": "Support"}
TIME = "2026-01-01T00:00:00Z"

RECIPIENTS, IMPORTS, EXPORTS = "/recipient/{}", "/recipient-import", "/export-link/start"
REFUSED: list[tuple[str, str, dict[str, Any]]] = [
    ("POST", RECIPIENTS, {}),
    ("POST", RECIPIENTS, {"recipients": [], "importUuid": ID}),
    ("POST", RECIPIENTS, {"recipients": None, "importUuid": None}),
    ("POST", IMPORTS, {}),
    ("POST", IMPORTS, {"rows": []}),
    ("POST", IMPORTS, {"rows": [{"phone": "1"}], "fileUuid": ID}),
    ("POST", IMPORTS, {"fileUuid": ID, "header": False, "headerRow": 2}),
    ("POST", IMPORTS, {"fileUuid": ID, "mapping": {"name": "Name"}}),
    ("POST", "/sending-project", {**PROJECT, "template": TEMPLATE}),
    ("POST", "/sending-project", {**PROJECT, "channel": "sms", "subject": "Hello"}),
    ("POST", "/sending-project", {**PROJECT, "channel": "telegram", "html": "Hello"}),
    ("POST", "/sending-project", {**PROJECT, "channel": "push", "attachmentUuids": [ID]}),
    ("POST", "/sending-project", {**PROJECT, "window": {**DAY, "from": "24:00"}}),
    ("PATCH", "/sending-project/{}", {"name": None}),
    ("PATCH", "/sending-project/{}", {"channel": None}),
    ("POST", "/repeatable-sending-project", {**RUNS, "source": {}}),
    ("POST", "/repeatable-sending-project", {**RUNS, "source": {"importUuid": ID}, "schedule": {}}),
    ("PATCH", "/webhooks/{}", {"url": None}),
    ("PATCH", "/webhooks/{}", {"types": None}),
    ("PATCH", "/webhooks/{}", {"batch": None}),
    ("POST", "/webhooks", {"url": "ftp://example.com"}),
    ("POST", "/webhooks", {"url": "https://ada@example.com/"}),
    ("POST", "/webhooks", {"url": "https://93.184.216.34/", "query": ""}),
    ("POST", "/webhooks/{}/secret", {"secret": "whsec_" + "A" * 31}),
    ("POST", EXPORTS, {"source": "amocrm"}),
    ("POST", EXPORTS, {"source": "recipients"}),
    ("POST", EXPORTS, {"source": "statistics", "sendingProjectUuid": ID}),
    ("PUT", "/accounts/{}/low-balance", {"below": 0}),
    ("POST", "/enablePhoneAuth", NAMED),
    ("POST", "/solveChallenge", {**CALL, "code": "12_34"}),
    ("POST", "/twoFactorAuth", {**CALL, "code": "a\u0001b"}),
    ("POST", "/getUserInfo", {**CALL, "to": "a\u0001b"}),
]
UNDERSTOOD: list[tuple[str, str, dict[str, Any]]] = [
    ("POST", RECIPIENTS, {"recipients": [], "importUuid": None}),
    ("POST", RECIPIENTS, {"importUuid": ID}),
    ("POST", IMPORTS, {"rows": [{"phone": "+14155550100"}], "mapping": {"phone": "phone", "город": "x"}}),
    ("POST", IMPORTS, {"fileUuid": ID, "header": True, "headerRow": 2}),
    ("POST", "/sending-project", {**PROJECT, "channel": "sms", "subject": None, "attachmentUuids": []}),
    ("POST", "/sending-project", {**PROJECT, "channel": "whatsapp", "template": TEMPLATE}),
    ("POST", "/sending-project", {**PROJECT, "channel": "push", "subject": "Hello"}),
    ("POST", "/sending-project", {**PROJECT, "window": {**DAY, "from": "00:00"}}),
    ("PATCH", "/sending-project/{}", {"text": None}),
    (
        "POST",
        "/repeatable-sending-project",
        {**RUNS, "source": {"importUuid": None, "sendingProjectUuid": ID}},
    ),
    ("PATCH", "/webhooks/{}", {"query": None}),
    ("POST", "/webhooks", {"url": " HTTPS://93.184.216.34:8443?a=@ "}),
    *(("POST", "/webhooks/{}/secret", {"secret": f"whsec_{text}"}) for text in ("A" * 32, "A" * 86 + "==")),
    ("POST", EXPORTS, {"source": "recipients", "sendingProjectUuid": ID}),
    ("POST", EXPORTS, {"source": "amocrm", "sendingProjectUuid": ID}),
    ("PUT", "/accounts/{}/low-balance", {"below": None}),
    ("POST", "/user/tariff", {"code": "x", "prices": {"USD": {"sms": 0.01}}}),
    ("POST", "/enablePhoneAuth", CALL),
    ("POST", "/enablePhoneAuth", {**NAMED, "phone": "+14155550100"}),
    ("POST", "/solveChallenge", {**CALL, "code": " {{ 12-34 56 }} "}),
    ("POST", "/twoFactorAuth", {**CALL, "code": "{{ correct horse }}"}),
]


def allowed(method: str, path: str, body: Any) -> bool:
    """Returns whether the document allows the body."""
    (template,) = (
        known
        for known in DOCUMENT["paths"]
        if [part if part[:1] != "{" else "{}" for part in known.split("/")] == path.split("/")
    )
    content = DOCUMENT["paths"][template][method.lower()]["requestBody"]["content"]
    return Draft202012Validator(
        {**content["application/json"]["schema"], "components": DOCUMENT["components"]}
    ).is_valid(body)


async def answered(ada: Person, method: str, path: str, body: Any) -> int:
    id = ada.account_id if path.startswith("/accounts") else ID
    headers = {"x-postern-errors": "http"}
    return int((await ada.rest(method, path.format(id), json=body, headers=headers)).status_code)


@pytest.mark.parametrize(("method", "path", "body"), REFUSED)
async def test_a_request_that_is_refused_is_not_allowed_by_the_document(method, path, body, ada):
    assert await answered(ada, method, path, body) == 400
    assert not allowed(method, path, body)


@pytest.mark.parametrize(("method", "path", "body"), UNDERSTOOD)
async def test_a_request_that_is_understood_is_allowed_by_the_document(method, path, body, ada):
    assert await answered(ada, method, path, body) != 400
    assert allowed(method, path, body)
