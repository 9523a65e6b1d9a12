"""The channels that are put under fire: how the route is configured, and how much of it may be on its way at once."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Channel:
    name: str
    kind: str  # of the project
    provider: str  # of tests.faults.providers; empty if it has none
    in_flight: int  # messages that one worker may have in the provider's hands
    options: str

    def dsn(self, port: int, *, honours: bool) -> str:
        return self.options.format(port=port, honours=int(honours))

    def address(self, number: int) -> str:
        return f"u{number}@example.com" if self.kind == "email" else f"+1415{number:07}"


HTTP = Channel(
    "http", "sms", "http", 20,
    "post://127.0.0.1:{port}/send?scheme=http&timeout=3&connections=20&idempotent={honours}",
)  # fmt: skip
SMTP = Channel("smtp", "email", "smtp", 8, "smtp://127.0.0.1:{port}?from=a@example.com&pool=8&timeout=3")
SMPP = Channel(
    "smpp", "sms", "smpp", 10,
    "smpp://postern:p4ss%2Fwd!@127.0.0.1:{port}?from=Acme&window=10&timeout=3&receipts=0"
    "&reconnect_min=0.05&reconnect_max=0.5",
)  # fmt: skip
SANDBOX = Channel(
    "sandbox", "sms", "", 0, "sandbox://?latency_ms=500&deliver=0"
)  # it never leaves anything in doubt

CHANNELS = {channel.name: channel for channel in (SANDBOX, HTTP, SMTP, SMPP)}
