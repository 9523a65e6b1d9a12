"""The cases of the event feed, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest
from tests.support.people import Person

NEEDS_ALL = True  # some of its cases meet rows of other features that they do not name

CASES: dict[str, Case] = {
    "event_feed.page": Case("own", Rest("GET", "/events"), "{events{events{uuid type data} next more}}"),
    "event_feed.state": Case("own", Rest("GET", "/events/feed"), "{eventFeed{recording count oldest newest}}"),
    "event_feed.enable": Case("own", Rest("PUT", "/events/feed"), "mutation{enableEvents{recording}}"),
    "event_feed.disable": Case(
        "own", Rest("DELETE", "/events/feed", status=409), "mutation{disableEvents}",
        owner="webhooks_exist",  # tests/event_feed disables a feed that no webhook needs
    ),
    "event_feed.follow": Case(
        "own", None, "subscription($a:String){events(after:$a){uuid type data}}", {"a": "{events}"},
        why="REST asks again and again",
    ),
    "event_feed.types": Case(
        "public", Rest("GET", "/events/types"), "{eventTypes{type subject data when}}"
    ),
}  # fmt: skip


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use: a cursor, and an event behind it."""
    for _ in range(5):
        answer = await ada.rest("GET", "/events")
        if answer.status_code != 503:  # `feed_not_ready`, after 5 s: it waits for older transactions
            break
    cursor = answer.json()["next"]
    await ada.rest("POST", "/block/ada's%20secret@example.com")
    return {"events": cursor}
