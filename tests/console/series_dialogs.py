"""The dialogs of series, and rows that they are about; see dialogs.py."""

from tests.console.dialogs import State, icon
from tests.console.test_templates import LETTER, new_template, new_version
from tests.console.test_topics import new_topic
from tests.console.users import call
from tests.support.live import Live
from tests.support.people import Person

_FOLDER = "features/series"
_MAKE = "mutation ($i: NewSeries!) { createSeries(input: $i) { uuid } }"
_PLAN = "query ($id: ID!) { seriesPlan(id: $id) { hash } }"
_START = "mutation ($id: ID!, $i: StartSeries!) { startSeries(id: $id, input: $i) { uuid } }"
_LONG = "Welcome to our letters, of which this is the first of three, and the name of it is long"

OF_SERIES = [
    State("add-series", f"{_FOLDER}/SeriesDialog.tsx", "/series?add=1"),
    State(
        "start-series",
        f"{_FOLDER}/StartDialog.tsx",
        "/series/{series}",
        (icon("player-play"),),
        "[role=dialog] td",
    ),
    State("pause-series", f"{_FOLDER}/SeriesPage.tsx", "/series/{series_running}", (icon("player-pause"),)),
    State("archive-series", f"{_FOLDER}/SeriesPage.tsx", "/series/{series}", (icon("archive"),)),
]


def rows_of_series(live: Live, user: Person) -> dict[str, str]:
    """A draft of a series, and one that runs."""
    topic = new_topic(live, user, "letters", "Our letters", optIn="none")
    for key in ("welcome-letter", "first-steps"):
        new_version(live, user, new_template(live, user, key, key), LETTER)
    steps = [
        {"channel": "email", "templateKey": "welcome-letter"},
        {"channel": "email", "templateKey": "first-steps", "delay": 172_800},
    ]
    made = {}
    for key, name in (("series", _LONG), ("series_running", "A course")):
        new = {"name": name, "topicId": topic, "steps": steps, "category": "promotional"}
        made[key] = str(call(live, user, _MAKE, i=new)["createSeries"]["uuid"])
    running = made["series_running"]
    plan = call(live, user, _PLAN, id=running)["seriesPlan"]["hash"]
    call(live, user, _START, id=running, i={"planHash": plan})
    return made
