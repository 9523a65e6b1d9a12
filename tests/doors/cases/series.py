"""The cases of series, as tests/doors/case.py describes them."""

from tests.doors.case import RELATION, Case, Rest
from tests.support.people import Person

_ID = {"id": "{series}"}
_STEP = {"channel": "email", "templateKey": "for-series"}
_INPUT = 'steps:[{channel:email,templateKey:"for-series"}]'

CASES: dict[str, Case] = {
    "series.page": Case(
        "own", Rest("GET", "/series"), "{seriesList{nodes{uuid name steps{templateKey} topic{name}}}}"
    ),
    "series.get": Case(
        "row", Rest("GET", "/series/{series}"), "query($id:ID!){series(id:$id){uuid name}}", _ID
    ),
    "series.by_ids": Case(
        "own",
        None,
        "query($id:ID!){seriesEntries(seriesId:$id){nodes{series{uuid name}}}}",
        {"id": "{series_started}"},
        why=RELATION,
    ),
    "series.create": Case(
        "own",
        Rest("POST", "/series", {"name": "Rest", "topicId": "{series_topic}", "steps": [_STEP]}, 201),
        'mutation($topic:UUID!){createSeries(input:{name:"GraphQL",topicId:$topic,' + _INPUT + "}){uuid}}",
        {"topic": "{series_topic}"},
    ),
    "series.update": Case(
        "row",
        Rest("PATCH", "/series/{series}", {"name": "Changed"}),
        'mutation($id:ID!){updateSeries(id:$id,input:{name:"Again"}){uuid name}}',
        _ID,
    ),
    "series.plan": Case(
        "row",
        Rest("POST", "/series/{series}/plan"),
        "query($id:ID!){seriesPlan(id:$id){hash membersNow entersNow steps{number price}}}",
        _ID,
    ),
    "series.statistics": Case(
        "row",
        Rest("GET", "/series/{series}/statistics"),
        "query($id:ID!){seriesStatistics(id:$id){entered steps{number sent}}}",
        _ID,
    ),
    "series.start": Case(
        "row",
        Rest("POST", "/series/{series_rest}/start", {"planHash": "{series_rest_hash}"}),
        "mutation($id:ID!,$hash:String!){startSeries(id:$id,input:{planHash:$hash}){uuid status}}",
        {"id": "{series_graphql}", "hash": "{series_graphql_hash}"},
    ),
    "series.pause": Case(
        "row",
        Rest("POST", "/series/{series_started}/pause"),
        "mutation($id:ID!){pauseSeries(id:$id){uuid status}}",
        {"id": "{series_started}"},
    ),
    "series.archive": Case(
        "row",
        Rest("POST", "/series/{series_idle}/archive"),
        "mutation($id:ID!){archiveSeries(id:$id){uuid status}}",
        {"id": "{series_idle}"},
    ),
    "series.entries": Case(
        "row",
        Rest("GET", "/series/{series_started}/entries"),
        "query($id:ID!){seriesEntries(seriesId:$id){nodes{uuid state contact{name}}}}",
        {"id": "{series_started}"},
    ),
    "series.entry": Case(
        "row",
        Rest("GET", "/series/entries/{series_entry}"),
        "query($id:ID!){seriesEntry(id:$id){uuid state}}",
        {"id": "{series_entry}"},
    ),
}


async def _made(ada: Person, name: str, topic: str) -> tuple[str, str]:
    body = {"name": name, "topicId": topic, "steps": [_STEP]}
    id = (await ada.rest("POST", "/series", json=body)).json()["id"]
    return id, (await ada.rest("POST", f"/series/{id}/plan")).json()["hash"]


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    template = (await ada.rest("POST", "/templates", json={"key": "for-series", "name": "Series"})).json()[
        "id"
    ]
    texts = [{"locale": "en", "subject": "Hi", "text": "Hello"}]
    draft = (await ada.rest("POST", f"/templates/{template}/versions", json={"texts": texts})).json()["id"]
    await ada.rest("POST", f"/template-versions/{draft}/publish")
    body = {"key": "series", "name": "Series", "optIn": "none"}
    topic = (await ada.rest("POST", "/topics", json=body)).json()["id"]
    made = {"series_topic": topic}
    for name in ("series", "series_rest", "series_graphql", "series_idle", "series_started"):
        made[name], made[f"{name}_hash"] = await _made(ada, name, topic)
    started = made["series_started"]
    await ada.rest("POST", f"/series/{started}/start", json={"planHash": made["series_started_hash"]})
    address = {"channel": "email", "address": "series@example-com.com"}
    contact = (await ada.rest("POST", "/contacts", json={"addresses": [address]})).json()["id"]
    body = {"contactUuids": [contact], "topicUuids": [topic], "channel": "email", "evidence": "form"}
    await ada.rest("POST", "/topic-subscriptions", json=body)
    made["series_entry"] = (await ada.rest("GET", f"/series/{started}/entries")).json()["items"][0]["id"]
    return made
