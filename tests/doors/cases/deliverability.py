"""The cases of deliverability. The rows are those of messages and of projects."""

from tests.doors.case import Case, Rest

CASES: dict[str, Case] = {
    "deliverability.by_provider": Case(
        "own",
        Rest("GET", "/statistics/deliverability"),
        "{deliverability{from to items{providerClass accepted bounced complaints complaintLevel}}}",
    ),
}
