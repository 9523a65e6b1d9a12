"""Filters of the lists that REST reads by cursor: those of the same list in GraphQL, and the same answer."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from fastapi.dependencies.utils import get_dependant
from fastapi.routing import APIRoute

from postern.app import doors
from rest.frame.filters import filters_of
from runtime.fast.endpoints import query_parameters
from runtime.fast.router import FastRoute
from shapes import (
    accounts,
    approvals,
    audit,
    auth,
    brand_domains,
    canned_answers,
    chat_notes,
    chats,
    consents,
    contact_fields,
    contact_timeline,
    contacts,
    domains,
    event_sinks,
    events,
    exports,
    files,
    mail_reports,
    media,
    members,
    persons,
    price_lists,
    provider_invoices,
    pumping,
    route_rules,
    segments,
    senders,
    series,
    signup_forms,
    template_versions,
    templates,
    topic_subscriptions,
    topics,
    trial,
    verifications,
    webhooks,
)
from tests.support.people import Person

LISTS = {
    "/accounts/{id}/ledger": accounts.LedgerWhere,
    "/api-tokens": auth.ApiTokenWhere,
    "/approvals": approvals.ApprovalWhere,
    "/project-plans": approvals.StoredPlanWhere,
    "/audit": audit.AuditEntryWhere,
    "/brand/domains": brand_domains.BrandDomainWhere,
    "/series": series.SeriesWhere,
    "/series/{seriesId}/entries": series.SeriesEntryWhere,
    "/canned-answers": canned_answers.CannedAnswerWhere,
    "/consents": consents.ConsentEntryWhere,
    "/contact-fields": contact_fields.ContactFieldWhere,
    "/contacts": contacts.ContactWhere,
    "/contacts/{contactId}/timeline": contact_timeline.TimelineWhere,
    "/domains": domains.DomainWhere,
    "/event-sinks": event_sinks.EventSinkWhere,
    "/export-link": exports.ExportLinkWhere,
    "/file-uploader": files.FileWhere,
    "/hook-secrets": events.HookSecretWhere,
    "/mail-reports": mail_reports.MailReportWhere,
    "/media": media.PictureWhere,
    "/members": members.MemberWhere,
    "/messenger-accounts/{accountUuid}/chats": chats.ChatWhere,
    "/messenger-accounts/{accountUuid}/messages": chats.ChatMessageWhere,
    "/messenger-accounts/{accountUuid}/webhooks": webhooks.WebhookWhere,
    "/messenger-chats": chats.ChatWhere,
    "/messenger-chats/{chatUuid}/notes": chat_notes.ChatNoteWhere,
    "/messenger-messages": chats.ChatMessageWhere,
    "/persons/erasures": persons.ErasureWhere,
    "/signup-forms": signup_forms.SignupFormWhere,
    "/status-callbacks/hosts": webhooks.WebhookWhere,
    "/test-sending": trial.TrialMessageWhere,
    "/topic-subscriptions": topic_subscriptions.TopicSubscriptionWhere,
    "/price-lists": price_lists.PriceListWhere,
    "/price-lists/{listId}/prices": price_lists.PriceWhere,
    "/price-lists/{listId}/versions": price_lists.PriceListVersionWhere,
    "/provider-invoices": provider_invoices.ProviderInvoiceWhere,
    "/route-rules": route_rules.RouteRuleWhere,
    "/segments": segments.SegmentWhere,
    "/senders": senders.SenderWhere,
    "/template-versions": template_versions.TemplateVersionWhere,
    "/templates": templates.TemplateWhere,
    "/topics": topics.TopicWhere,
    "/verifications": verifications.VerificationWhere,
    "/verifications/suspected": pumping.SuspectedGroupWhere,
    "/webhooks/{webhookId}/dead-letters": webhooks.DeadLetterWhere,
}
CURSORS = {
    route.path: route
    for route in doors(explorable=True).router.routes
    if isinstance(route, FastRoute) and {"after", "limit"} <= {*query_parameters(route.dependant)}
}


def test_every_list_by_cursor_has_filters():
    assert {*CURSORS} == {*LISTS}


@pytest.mark.parametrize("path", LISTS)
def test_they_are_those_of_graphql_and_cost_no_layer_of_fastapi(path: str):
    route: APIRoute = CURSORS[path]
    expected = {*query_parameters(_dependant_of(LISTS[path]))}
    assert expected and expected <= {*query_parameters(route.dependant)}
    assert CURSORS[path].fast is not None


def _dependant_of(where: Any) -> Any:
    return get_dependant(path="/", call=filters_of(where).dependency)


async def both(person: Person, path: str, params: dict[str, str], query: str, where: dict[str, Any]) -> Any:
    """Returns the ids of a list by REST, which GraphQL must return too."""
    answer = await person.rest("GET", path, params=params)
    assert answer.status_code == 200, answer.text
    (connection,) = (await person.data(query, {"w": where})).values()
    ids = [item.get("uuid") or item["id"] for item in answer.json()["items"]]
    assert ids == [node["uuid"] for node in connection["nodes"]]
    return ids


async def test_files_by_each_filter(ada: Person, bob: Person):
    made = {}
    for name, mime in (("a.txt", "text/plain"), ("100%.csv", "text/csv"), ("b.csv", "text/csv")):
        form = {"file": (name, name.encode(), mime)}
        made[name] = (await ada.rest("POST", "/file-uploader", files=form)).json()
    uuids = {name: file["uuid"] for name, file in made.items()}
    first = datetime.fromisoformat(made["100%.csv"]["createdAt"])
    query = "query($w:FileWhere){files(where:$w){nodes{uuid}}}"
    owner, other = str(ada.id), str(bob.id)
    for params, where, names in (
        ({"mime": "text/csv"}, {"mime": {"eq": "text/csv"}}, ["b.csv", "100%.csv"]),
        ({"name": "%"}, {"name": {"contains": "%"}}, ["100%.csv"]),
        (
            {"ownerId": owner, "name": ".TXT"},
            {"ownerId": {"eq": owner}, "name": {"contains": ".TXT"}},
            ["a.txt"],
        ),
        ({"ownerId": other}, {"ownerId": {"eq": other}}, []),
        ({"dateFrom": first.isoformat()}, {"createdAt": {"gte": first.isoformat()}}, ["b.csv", "100%.csv"]),
        ({"dateTo": first.isoformat()}, {"createdAt": {"lt": first.isoformat()}}, ["a.txt"]),
    ):
        assert await both(ada, "/file-uploader", params, query, where) == [uuids[name] for name in names]


async def test_a_page_of_a_filtered_list_goes_on_where_it_ended(ada: Person):
    tokens = [
        (await ada.rest("POST", "/api-tokens", json={"name": f"t{n}"})).json()["apiToken"] for n in range(5)
    ]
    for token in tokens[:3]:
        await ada.rest("DELETE", f"/api-tokens/{token['id']}")
    path, seen, more = "/api-tokens", [], {}
    while True:
        page = (await ada.rest("GET", path, params={"revoked": "true", "limit": "2", **more})).json()
        seen += [item["id"] for item in page["items"]]
        if page["next"] is None:
            break
        more = {"after": page["next"]}
    assert seen == [token["id"] for token in reversed(tokens[:3])]


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("/api-tokens", {"revoked": "perhaps"}),
        ("/file-uploader", {"dateFrom": "yesterday"}),
        ("/file-uploader", {"ownerId": "ada"}),
        ("/file-uploader", {"name": "x" * 101}),
        ("/file-uploader", {"owner": "ada"}),
        ("/hook-secrets", {"kind": "password"}),
        ("/export-link", {"status": "done"}),
    ],
)
async def test_a_value_that_is_none_is_refused(ada: Person, path: str, params: dict[str, str]):
    answer = await ada.rest("GET", path, params=params)
    assert answer.status_code == 400
    assert next(iter(params)) in answer.text


async def test_the_ledger_of_a_time(ada: Person, admin: Person):
    for amount in (1, 2):
        await admin.rest("POST", f"/accounts/{ada.account_id}/credit", json={"amount": amount})
    path = f"/accounts/{ada.account_id}/ledger"
    newest, *_ = (await ada.rest("GET", path)).json()["items"]
    since = datetime.fromisoformat(newest["createdAt"])
    items = (await ada.rest("GET", path, params={"kind": "credit", "dateFrom": since.isoformat()})).json()[
        "items"
    ]
    assert [item["id"] for item in items] == [newest["id"]]
    late = (since + timedelta(seconds=1)).isoformat()
    assert (await ada.rest("GET", path, params={"dateFrom": late})).json() == {"items": [], "next": None}
