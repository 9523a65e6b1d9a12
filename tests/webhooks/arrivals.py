"""Compares the requests that a webhook has received with the events of its feed."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

Told = tuple[str, str]
"""The id of an event and of the object that it is about."""


def events_of(body: dict[str, Any]) -> list[Any]:
    """Returns the events of a request: several at once, that of a document, or one."""
    return body["events"] if "events" in body else [body.get("data", {}).get("events", body)]


def first_arrivals(bodies: Iterable[dict[str, Any]]) -> list[Any]:
    """Returns the events of these requests, each of them once, in the order in which they came first."""
    first: dict[str, Any] = {}
    for body in bodies:
        for event in events_of(body):
            first.setdefault(event.get("uuid") or event["id"], event)
    return list(first.values())


def differences(feed: Sequence[Told], came: Sequence[Told]) -> list[str]:
    """Returns what is wrong with the first arrivals, compared with the feed in its order; nothing if all is well."""
    recorded, arrived = {id for id, _ in feed}, {id for id, _ in came}
    wrong = []
    if missing := recorded - arrived:
        wrong.append(f"the webhook lacks {len(missing)} of {len(recorded)} events")
    if foreign := arrived - recorded:
        wrong.append(f"the webhook has {len(foreign)} events that the feed does not have")
    ways, ways_that_came = _by_subject(feed), _by_subject(came)
    if mixed := [
        subject
        for subject, way in ways.items()
        if [id for id in way if id in arrived] != [id for id in ways_that_came[subject] if id in recorded]
    ]:
        wrong.append(f"the webhook has the events of {len(mixed)} objects in another order")
    return wrong


def _by_subject(events: Iterable[Told]) -> dict[str, list[str]]:
    texts = defaultdict(list)
    for id, subject in events:
        texts[subject].append(id)
    return texts
