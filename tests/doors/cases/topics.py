"""The cases of topics and the subscriptions to them, as tests/doors/case.py describes them."""

from tests.doors.case import RELATION, UNKNOWN, Case, Rest
from tests.support.people import Person

_ID = {"id": "{topic}"}

CASES: dict[str, Case] = {
    "topics.page": Case(
        "own", Rest("GET", "/topics"), "{topics{nodes{uuid key translations{name} owner{email}}}}"
    ),
    "topics.get": Case(
        "row", Rest("GET", "/topics/{topic}"), "query($id:ID!){topic(id:$id){uuid name}}", _ID
    ),
    "topics.create": Case(
        "own",
        Rest("POST", "/topics", {"key": "rest", "name": "Rest"}, 201),
        'mutation{createTopic(input:{key:"graphql",name:"GraphQL"}){uuid}}',
    ),
    "topics.update": Case(
        "row",
        Rest("PATCH", "/topics/{topic}", {"name": "Changed"}),
        'mutation($id:ID!){updateTopic(id:$id,input:{name:"Again"}){uuid}}',
        _ID,
    ),
    "topics.delete": Case(
        "row",
        Rest("DELETE", f"/topics/{UNKNOWN}", status=404),
        "mutation($id:ID!){deleteTopic(id:$id)}",
        {"id": UNKNOWN},
        owner="topic_not_found",
    ),
    "topics.preview_preferences": Case(
        "own",
        Rest("GET", "/topics/preferences/preview?locale=de"),
        '{preferencesPreview(locale:"de"){html languages}}',
    ),
    "topics.by_ids": Case("own", None, "{topicSubscriptions{nodes{topic{uuid name}}}}", why=RELATION),
    "contacts.by_ids": Case("own", None, "{topicSubscriptions{nodes{contact{uuid name}}}}", why=RELATION),
    "topic_subscriptions.page": Case(
        "own",
        Rest("GET", "/topic-subscriptions"),
        "{topicSubscriptions{nodes{uuid state contact{name} topic{name}}}}",
    ),
    "topic_subscriptions.get": Case(
        "row",
        Rest("GET", "/topic-subscriptions/{subscription}"),
        "query($id:ID!){topicSubscription(id:$id){uuid state}}",
        {"id": "{subscription}"},
    ),
    "topic_subscriptions.entries": Case(
        "own",
        Rest("GET", "/consents"),
        "{consentEntries{nodes{uuid action text contact{name} topic{name}}}}",
    ),
    "topic_subscriptions.entry": Case(
        "row",
        Rest("GET", "/consents/{consent}"),
        "query($id:ID!){consentEntry(id:$id){uuid action}}",
        {"id": "{consent}"},
    ),
    "topic_subscriptions.subscribe": Case(
        "row",
        Rest(
            "POST",
            "/topic-subscriptions",
            {
                "contactUuids": ["{subscriber}"],
                "topicUuids": ["{topic}"],
                "channel": "email",
                "evidence": "form 1",
            },
        ),
        "mutation($c:UUID!,$t:UUID!){subscribeContacts(input:{contactUuids:[$c],topicUuids:[$t],channel:sms,"
        'evidence:"form 1"}){active}}',
        {"c": "{subscriber}", "t": "{topic}"},
    ),
    "topic_subscriptions.unsubscribe": Case(
        "row",
        Rest(
            "POST",
            "/topic-subscriptions/withdraw",
            {"contactUuids": ["{subscriber}"], "topicUuids": ["{topic}"], "channel": "push"},
        ),
        "mutation($c:UUID!,$t:UUID!){unsubscribeContacts(input:{contactUuids:[$c],topicUuids:[$t],channel:telegram})"
        "{withdrawn}}",
        {"c": "{subscriber}", "t": "{topic}"},
    ),
    "topic_subscriptions.of_contacts": Case(
        "own", None, "{contacts{nodes{subscriptions{nodes{state}}}}}", why=RELATION
    ),
    "topic_subscriptions.entries_of": Case(
        "own", None, "{contacts{nodes{consentEntries{nodes{action}}}}}", why=RELATION
    ),
    "topic_subscriptions.of_topics": Case(
        "own", None, "{topics{nodes{subscriptions{nodes{state}}}}}", why=RELATION
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    topic = (await ada.rest("POST", "/topics", json={"key": "secret", "name": "Secret"})).json()["id"]
    addresses = [
        {"channel": "email", "address": "subscriber@example.com"},
        {"channel": "sms", "address": "+14155550177"},
    ]
    contact = (
        await ada.rest("POST", "/contacts", json={"externalId": "subscriber", "addresses": addresses})
    ).json()
    other = (
        await ada.rest("POST", "/topics", json={"key": "other", "name": "Other", "optIn": "none"})
    ).json()["id"]
    body = {"contactUuids": [contact["id"]], "topicUuids": [other], "channel": "email"}
    await ada.rest("POST", "/topic-subscriptions", json=body)
    where = f'where:{{topicId:{{eq:"{other}"}}}}'
    seen = await ada.data(
        f"{{topicSubscriptions({where}){{nodes{{uuid}}}} consentEntries({where}){{nodes{{uuid}}}}}}"
    )
    (subscription,), (consent,) = seen["topicSubscriptions"]["nodes"], seen["consentEntries"]["nodes"]
    return {
        "topic": topic, "subscriber": contact["id"], "subscription": subscription["uuid"],
        "consent": consent["uuid"],
    }  # fmt: skip
