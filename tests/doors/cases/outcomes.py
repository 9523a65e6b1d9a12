"""The cases of the outcomes of messages. The rows are those of messages and of projects."""

from tests.doors.case import Case, Rest

CASES: dict[str, Case] = {
    "outcomes.by_channel": Case(
        "own",
        Rest("GET", "/statistics/outcomes"),
        "{statisticsOutcomes{countedSince items{kind channel total delivered failed}}}",
    ),
}
