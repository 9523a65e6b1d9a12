"""The cases of hooks, as tests/doors/case.py describes them."""

from tests.doors.case import UNKNOWN, Case, Rest

CASES: dict[str, Case] = {
    "hooks.receive": Case(
        "public", Rest("POST", "/hooks/twilio/sms", status=404), None,
        why="providers call back by HTTP, under their own signature; the sandbox of the tests has no such channel",
        owner="channel_not_found",
    ),
    "hooks.verify_cloud": Case(
        "public", Rest("GET", f"/hooks/whatsapp-cloud/{UNKNOWN}?hub.mode=subscribe", status=404), None,
        why="Meta asks by HTTP", owner="account_not_found",
    ),
    "hooks.receive_cloud": Case(
        "public", Rest("POST", f"/hooks/whatsapp-cloud/{UNKNOWN}", status=404), None,
        why="Meta calls by HTTP, under its own signature", owner="account_not_found",
    ),
}  # fmt: skip
