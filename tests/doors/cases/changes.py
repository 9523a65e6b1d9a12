"""The cases of live updates. The rows are those of other features."""

from tests.doors.case import Case

_WHY = "REST asks again and again, or is called back"

CASES: dict[str, Case] = {
    "changes.projects": Case(
        "row", None, "subscription($id:ID!){sendingProjectProgress(id:$id){uuid status counts{total}}}",
        {"id": "{project}"}, why=_WHY,
    ),
    "changes.messages": Case(
        "row", None, "subscription($id:ID!){messageStatusChanged(id:$id){uuid deliveryState}}",
        {"id": "{message}"}, why=_WHY,
    ),
    "changes.queue": Case("own", None, "subscription{queueStatisticsChanged{queued projects{uuid}}}", why=_WHY),
}  # fmt: skip
