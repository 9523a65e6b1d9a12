"""The cases of the channels of the installation, which are nobody's."""

from tests.doors.case import Case, Rest

CASES: dict[str, Case] = {
    "sending_channels.every": Case(
        "own",
        Rest("GET", "/sending-channels"),
        "{sendingChannels{channel sandbox setting}}",
    ),
}
