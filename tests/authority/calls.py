"""Makes one call of a case, as one caller."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import httpx
import orjson

from tests.authority.world import Caller
from tests.doors.case import UNKNOWN, Case
from tests.doors.matrix import MATRIX
from tests.doors.test_matrix import Doors, filled
from tests.events.hooks import signed

_REFUSED = frozenset({401, 403})
_CODES = frozenset({"unauthenticated", "forbidden"})


class Call(Doors):
    """One case as one caller, by a proof in the request if the caller has one."""

    def __init__(self, client: httpx.AsyncClient, case: Case, rows: dict[str, str], caller: Caller) -> None:
        owner: UUID | None = caller.acts_for
        super().__init__(client, case, rows, caller.token, owner)
        self.caller = caller

    async def rest(self) -> httpx.Response | None:
        if self.case.rest is None or (self.caller.key is None and self.caller.secret is None):
            return await super().rest()
        path, content = (
            filled(self.case.rest.path, self.world),
            orjson.dumps(filled(self.case.rest.body, self.world)),
        )
        headers = {"content-type": "application/json"}
        if self.caller.key is not None:
            path = f"{path}{'&' if '?' in path else '?'}key={self.caller.key}"
        else:
            headers |= signed(self.caller.secret or "", content)
        self.client.cookies.clear()
        return await self.client.request(self.case.rest.method, path, headers=headers, content=content)


def is_refused(answer: Any) -> bool:
    """Returns whether an answer of either door says that the caller may not do this. That the caller may not see a part
    of what it has led to is no refusal.
    """
    if isinstance(answer, httpx.Response):
        return answer.status_code in _REFUSED
    errors = answer.get("errors") or ()
    return any(error["extensions"]["code"] in _CODES and len(error.get("path") or ()) < 2 for error in errors)


_CHANGES = [
    {"messageId": "{sent_message}", "status": "failed", "code": "rejected"},
    {"providerMessageId": "R1", "status": "failed", "class": "hard"},
    {"providerMessageId": "R1", "event": "complaint"},
    {"event": "reply", "from": "+14155550100", "text": "STOP", "providerMessageId": "I1"},
]
_REAL: dict[str, str] = {
    "canned_answers.delete": "canned_answer",
    "chat_labels.delete": "chat_label",
    "chat_labels.put": "chat",
    "chat_notes.create": "chat",
    "chat_notes.delete": "chat_note",
    "contact_fields.delete": "contact_field",
    "contacts.delete": "subscriber",
    "contacts.merge": "subscriber",
    "domains.delete": "domain",
    "event_sinks.delete": "event_sink",
    "event_sinks.replay": "event_sink",
    "event_sinks.update": "event_sink",
    "inbox.close": "chat",
    "inbox.read": "chat",
    "inbox.reopen": "closed_chat",
    "members.remove": "member",
    "price_lists.add_version": "price_list",
    "price_lists.delete": "price_list",
    "price_lists.update": "price_list",
    "project_actions.delete_multiple": "other_project",
    "project_actions.retry_multiple": "retried_project",
    "receivers.delete_rule": "receiver_rule",
    "receivers.lift_pause": "receiver_pause",
    "route_rules.delete": "route_rule",
    "route_rules.update": "route_rule",
    "segments.delete": "segment",
    "sending_projects.stop_multiple": "running_project",
    "signup_forms.delete": "signup_form",
    "second_factors.remove": "second_factor",
    "templates.delete": "template_idle",
    "template_versions.delete": "template_draft",
    "topics.delete": "topic",
}
"""Calls of the cases that name a row which does not exist, since its end would disturb the other cases: here it is
undone, so they name a row of ada's.
"""
_OTHER: dict[str, dict[str, str]] = {
    "agents.allow": {"agent_of_nobody": "{agent_client}"},
    "recipients.remove_some": {"{project}": "{project_of_recipient}", "nobody": "secret"},
    "sending_projects.start": {"{project}": "{project_of_recipient}"},
    "sending_projects.stop": {"{project}": "{running_project}"},
    "sending_projects.retry": {"{project}": "{retried_project}"},
    "tariffs.set": {"default": "other"},
}
"""Calls of the cases that name another row of ada's, with which they do nothing."""


def prepared(operation: str) -> Case:
    """Returns the case of an operation, changed so that it does something whenever it is allowed."""
    case = MATRIX[operation]
    if operation == "events.deliver":
        rest = replace(case.rest, body={"events": _CHANGES}) if case.rest else None
        return replace(case, rest=rest, variables={"e": _CHANGES})
    named = {UNKNOWN: "{" + _REAL[operation] + "}"} if operation in _REAL else _OTHER.get(operation, {})
    rest = case.rest and replace(
        case.rest, path=_with(case.rest.path, named), body=_with(case.rest.body, named)
    )
    return replace(
        case, rest=rest, graphql=_with(case.graphql, named), variables=_with(case.variables, named)
    )


def _with(value: Any, named: dict[str, str]) -> Any:
    if isinstance(value, str):
        for old, new in named.items():
            value = value.replace(old, new)
        return value
    if isinstance(value, dict):
        return {name: _with(item, named) for name, item in value.items()}
    return [_with(item, named) for item in value] if isinstance(value, list) else value
