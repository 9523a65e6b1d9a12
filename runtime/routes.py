"""The routes by kind: those of `POSTERN_CHANNEL_EMAIL`, `_SMS`, `_PUSH`, `_TELEGRAM` and `_WHATSAPP`, and those that
administrators have made. A made route for SMS is used if a rule names it; one of another kind is tried before the
configured ones, and in place of the sandbox.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import cast

import channels
from channels.port import Channel, Sink
from core.outbound import Guard
from core.settings import Settings
from shapes.sending_projects import ProjectChannel

MESSENGER = "messenger"
"""The label of the route through messenger accounts, which no DSN names: engine/messengers/channel.py."""
SANDBOX = "sandbox"
MESSENGERS = (ProjectChannel.telegram.value, ProjectChannel.whatsapp.value)


class Routes:
    """Channels in the order in which they are tried. Made in every process; opened by workers only.

    Each has a label, under which its messages stand in the table: the driver's name, `smpp-2` for the second of
    that driver and kind. Two SMSCs number their messages alike, and a receipt must find its own one's.
    """

    def __init__(self, settings: Settings) -> None:
        """Raises channels.BadDsn, which names the setting and never shows a password."""
        lists = {
            ProjectChannel.email: settings.channel_email,
            ProjectChannel.sms: settings.channel_sms,
            ProjectChannel.push: settings.channel_push,
            ProjectChannel.telegram: settings.channel_telegram,
            ProjectChannel.whatsapp: settings.channel_whatsapp,
        }
        self._by_kind: dict[str, list[Channel]] = {}
        self._totals: dict[Channel, int] = {}
        self._names: dict[Channel, str] = {}  # of those whose DSN gives one
        self._made: dict[str, tuple[str, Channel]] = {}  # by administrators: kind and channel, by their names
        self._removed: dict[Channel, str] = {}  # with their kinds
        self._unusable: dict[str, str] = {}  # made routes that can't be used here: their kinds by name
        self._sink: Sink | None = None  # of open channels
        self.off: frozenset[str] = frozenset()
        """The names of routes that an administrator has switched off; workers read it each second."""
        for kind, text in lists.items():
            try:
                self._configure(kind, text)
            except channels.BadDsn as error:
                raise channels.BadDsn(f"POSTERN_CHANNEL_{kind.upper()}: {error}") from error
        self._labels: dict[Channel, str] = {}
        self._hooks: dict[tuple[str, str], Channel] = {}
        for name, routes in self._by_kind.items():
            seen: Counter[str] = Counter()
            for channel in routes:
                seen[channel.name] += 1
                number = "" if seen[channel.name] == 1 else f"-{seen[channel.name]}"
                self._labels[channel] = channel.name + number
                self._hooks[channel.name, name + number] = channel

    def _configure(self, kind: ProjectChannel, text: str) -> None:
        """Adds the routes of a setting. Raises channels.BadDsn."""
        for dsn in channels.parse_list(text):
            channel = channels.connect(cast(channels.Kind, kind.value), dsn)
            self._by_kind.setdefault(kind.value, []).append(channel)
            if (total := channels.total_of(dsn)) is not None:
                self._totals[channel] = total
            if (name := channels.name_of(dsn)) is not None:
                if name in self._names.values():
                    raise channels.BadDsn(f"two routes have the option name={name}; give each its own")
                self._names[channel] = name

    def of(self, kind: str) -> Sequence[Channel]:
        """Returns the routes of a kind in the order in which they are tried without a rule."""
        configured = self._by_kind[kind]
        made = [] if kind == ProjectChannel.sms else self._made_for(kind)
        if not made and kind not in self._unusable.values():
            return configured
        return [*made, *(channel for channel in configured if channel.name != SANDBOX)]

    def made(self, kind: str) -> Sequence[Channel]:
        """Returns the routes that administrators have made and that are used only if a rule names them."""
        return self._made_for(kind) if kind == ProjectChannel.sms else []

    def all(self, kind: str) -> Sequence[Channel]:
        """Returns the configured routes of a kind, and after them those that administrators have made."""
        return [*self._by_kind[kind], *self._made_for(kind)]

    def _made_for(self, kind: str) -> Sequence[Channel]:
        return [channel for its_kind, channel in self._made.values() if its_kind == kind]

    @property
    def names_made(self) -> Collection[str]:
        """Returns the names of the routes that administrators have made, as far as this process knows."""
        return self._made.keys()

    async def add(self, kind: str, name: str, dsn: str, guard: Guard) -> None:
        """Adds a route of a kind, and opens it if the others are open. `guard`: judges its addresses.

        Raises channels.BadDsn, also for the name of another route.
        """
        if any(name in self.by_name(other) for other in self._by_kind):
            raise channels.BadDsn(f"two routes are called {name}; give the configured one another name")
        channel = channels.connect(cast(channels.Kind, kind), dsn, hook_name=name, guard=guard)
        if (total := channels.total_of(dsn)) is not None:
            self._totals[channel] = total
        self._names[channel] = self._labels[channel] = name
        self._hooks[channel.name, name] = channel
        self._made[name] = kind, channel  # before it is opened: its first reports come while it opens
        self._unusable.pop(name, None)
        if self._sink is not None:
            try:
                await channel.open(self._sink)
            except BaseException:
                self._removed.pop(self.remove(name))
                for table in (self._totals, self._names, self._labels):
                    table.pop(channel, None)
                raise

    def set_unusable(self, names: Mapping[str, str]) -> None:
        """Names the made routes that this process can't use, with their kinds: what goes by them waits. The sandbox
        must not take it.
        """
        self._unusable = {name: kind for name, kind in names.items() if name not in self._made}

    def remove(self, name: str) -> Channel:
        """Removes a route that an administrator has made: from now on it is switched off. The caller closes it."""
        kind, channel = self._made.pop(name)
        self._removed[channel] = kind
        del self._hooks[channel.name, name]
        return channel

    def real(self, kind: str) -> bool:
        """Returns whether messages of this kind can reach a person: the sandbox delivers nothing."""
        return any(channel.name != SANDBOX for channel in self.all(kind))

    def is_configured(self, kind: str) -> bool:
        """Returns whether the settings have a route of a kind that is not the sandbox."""
        return any(channel.name != SANDBOX for channel in self._by_kind[kind])

    def sandboxed(self, kind: str) -> bool:
        """Returns whether the sandbox is the first route of a kind, which gets every ordinary message."""
        return any(channel.name == SANDBOX for channel in self.of(kind)[:1])

    def reports_delivery(self, kind: str) -> bool:
        """Returns whether each route that may take an ordinary message of a kind reports that it was delivered."""
        return all(channel.reports_delivery for channel in self.of(kind))

    def sender_domains(self) -> set[str]:
        """Returns the domains from which emails are sent whose sender named no other, in lower case."""
        domains = (getattr(channel, "sender_domain", None) for channel in self.of(ProjectChannel.email))
        return {domain.lower() for domain in domains if domain}

    def default_sender(self, kind: str) -> str | None:
        """Returns the sender of messages of a kind that name none, on the first route; None: it is not known here."""
        return next((getattr(channel, "default_sender", None) for channel in self.of(kind)), None)

    def by_hook(self, driver: str, name: str) -> Channel | None:
        """Returns the channel of `/hooks/{driver}/{name}`: `sms`, or `sms-2` for the second of that driver."""
        return self._hooks.get((driver, name))

    def label(self, channel: Channel) -> str:
        """Returns the label of a route, which is stored with messages."""
        return MESSENGER if channel.name == MESSENGER else self._labels[channel]

    def total(self, channel: Channel) -> int | None:
        """Returns the messages that all workers together may have in flight by this route; None: no limit."""
        return self._totals.get(channel)

    def name(self, channel: Channel) -> str:
        """Returns the name of a route, as users and operators see it: its own, or else channel and position, such as
        `sms-2`.
        """
        return self._names.get(channel) or next(
            f"{kind}-{routes.index(channel) + 1}"
            for kind, routes in self._by_kind.items()
            if channel in routes
        )

    def kind(self, channel: Channel) -> str:
        """Returns the kind of the messages that a route carries, such as `sms`."""
        kinds = (kind for kind in self._by_kind if channel in self.all(kind))
        return next(kinds, None) or self._removed[channel]

    def by_name(self, kind: str) -> Mapping[str, Channel]:
        """Returns all routes of a kind by their names, the configured ones first."""
        return {self.name(channel): channel for channel in self.all(kind)}

    def is_off(self, channel: Channel) -> bool:
        """Returns whether an administrator has switched off or deleted the route, as far as this process knows."""
        if channel in self._removed:
            return True
        return bool(self.off) and channel.name != MESSENGER and self.name(channel) in self.off

    def __iter__(self) -> Iterator[Channel]:
        for kind in self._by_kind:
            yield from self.all(kind)

    def idempotent(self) -> list[str]:
        """Returns the routes that drop a second hand-over with the same key, as `kind:label`."""
        return [f"{kind}:{MESSENGER}" for kind in MESSENGERS] + [
            f"{kind}:{self._labels[channel]}"
            for kind in self._by_kind
            for channel in self.all(kind)
            if channel.idempotent
        ]

    async def open(self, sink: Sink) -> None:
        """Opens all channels; `sink` gets their events."""
        self._sink = sink
        for channel in self:
            await channel.open(sink)

    async def close(self) -> None:
        """Closes all channels."""
        self._sink = None
        for channel in self:
            await channel.close()
