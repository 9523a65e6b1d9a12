"""Parses an allowlist, and looks an address up in it."""

import ipaddress
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

MAX_LINES = 200_000
LONGEST_ADDRESS = len("0000:0000:0000:0000:0000:ffff:255.255.255.255")
_LONGEST_ENTRY = LONGEST_ADDRESS + len("/128")


class BadAllowlist(ValueError):
    """A list that can't be used as a whole. `line` is None if the reason concerns no single line."""

    def __init__(self, name: str, line: int | None, reason: str) -> None:
        self.name, self.line, self.reason = name, line, reason
        super().__init__(f"{name}{'' if line is None else f':{line}'}: {reason}")


class _Range(NamedTuple):
    first: int
    last: int


@dataclass(frozen=True, slots=True, eq=False)
class Allowlist:
    """A set of networks, as sorted ranges that neither overlap nor touch: one lookup is one bisection.

    IPv4-mapped IPv6 (`::ffff:10.0.0.0/104`) is IPv4 on both sides. A wider IPv6 network (`::/0`) contains no
    IPv4 address: all of IPv4 is written `0.0.0.0/0`.
    """

    entries: int = 0  # as written, before merging
    v4_first: tuple[int, ...] = ()
    v4_last: tuple[int, ...] = ()
    v6_first: tuple[int, ...] = ()
    v6_last: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str, name: str) -> Self:
        """Parses one address or strict CIDR a line; `#` comments, blank lines and a BOM are allowed.

        Raises BadAllowlist, with `name` and the line number, at the first line that is anything else.
        """
        lines = text.removeprefix("\ufeff").split("\n")
        if len(lines) > MAX_LINES + 1:  # the last newline is followed by an empty "line"
            raise BadAllowlist(name, None, f"has more than {MAX_LINES} lines; merge addresses into CIDRs")
        v4: list[_Range] = []
        v6: list[_Range] = []
        for number, line in enumerate(lines, 1):
            entry = line.partition("#")[0].strip(" \t\r")
            if not entry:
                continue
            try:
                version, network = _network(entry)
            except ValueError as error:
                raise BadAllowlist(name, number, str(error)) from None
            (v4 if version == 4 else v6).append(network)
        return cls(len(v4) + len(v6), *_merged(v4), *_merged(v6))

    def contains(self, ip: str) -> bool:
        """Returns whether `ip` is on the list: one strict address text without port, space, scope id or leading
        zero.
        """
        try:
            version, number = address_number(ip)
        except ValueError:
            return False
        return self.contains_number(version, number)

    def contains_number(self, version: int, number: int) -> bool:
        """Returns the result of `contains` for an address that is already a number; `version` is 4 or 6."""
        first, last = (self.v4_first, self.v4_last) if version == 4 else (self.v6_first, self.v6_last)
        at = bisect_right(first, number) - 1
        return at >= 0 and number <= last[at]

    @property
    def everyone(self) -> bool:
        """Returns whether one of the two families is allowed entirely; the caller warns, as this is usually a
        mistake.
        """
        whole_v4 = self.v4_first[:1] == (0,) and self.v4_last[0] == 2**32 - 1
        whole_v6 = self.v6_first[:1] == (0,) and self.v6_last[0] == 2**128 - 1
        return whole_v4 or whole_v6


def address_number(text: str) -> tuple[int, int]:
    """Returns 4 or 6, and the address as a number. Raises ValueError for anything but one plain address."""
    if len(text) > LONGEST_ADDRESS:
        raise ValueError("is too long for an address")
    if ":" not in text:
        return 4, int(ipaddress.IPv4Address(text))
    if "%" in text:
        raise ValueError("carries a scope id (%…), which means nothing off its own link; remove it")
    number = int(ipaddress.IPv6Address(text))
    return (4, number & 0xFFFF_FFFF) if number >> 32 == 0xFFFF else (6, number)


def _network(entry: str) -> tuple[int, _Range]:
    """Returns the range of one entry. Raises ValueError with a sentence that says how to write it."""
    quoted = ascii(entry[:_LONGEST_ENTRY])
    if len(entry) > _LONGEST_ENTRY or re.search(r"[\s,;]", entry):
        raise ValueError(f"{quoted} is not one address or CIDR; write one a line")
    text, slash, prefix = entry.partition("/")
    if "-" in text:
        raise ValueError(f"{quoted} is a range; write it as CIDRs, such as 10.0.0.0/24")
    try:
        version, number = address_number(text)
    except ValueError as error:
        raise ValueError(f"{quoted} is not an IPv4 or IPv6 address or CIDR ({error})") from None
    written_bits = 128 if ":" in text else 32
    if not slash:
        return version, _Range(number, number)
    if not re.fullmatch(r"0|[1-9][0-9]{0,2}", prefix) or int(prefix) > written_bits:
        raise ValueError(
            f"{quoted}: after the slash stands the number of network bits, 0 to {written_bits}; no mask"
        )
    free = written_bits - int(prefix)
    if version == 4 and free > 32:  # ::ffff:0:0/90 and the like: wider than the mapped block, so it is IPv6
        version, number = 6, int(ipaddress.IPv6Address(text))
    host = (1 << free) - 1
    if number & host:
        network: Any = ipaddress.IPv4Address if version == 4 else ipaddress.IPv6Address
        bits = (32 if version == 4 else 128) - free
        raise ValueError(
            f"{quoted} has host bits set; write {network(number & ~host)}/{bits} for the network, "
            f"or {network(number)} for the one address"
        )
    return version, _Range(number, number | host)


def _merged(ranges: Iterable[_Range]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    first: list[int] = []
    last: list[int] = []
    for start, end in sorted(ranges):
        if last and start <= last[-1] + 1:
            last[-1] = max(last[-1], end)
        else:
            first.append(start)
            last.append(end)
    return tuple(first), tuple(last)


def reason_against(claims: list[bytes], allowlist: Allowlist) -> str | None:
    """Returns why a request with these values of x-real-ip is not allowed (an AllowlistReason); None if it is."""
    if len(claims) != 1:
        return "severalHeaders" if claims else "noHeader"
    try:
        version, number = address_number(claims[0].decode("latin-1"))
    except ValueError:
        return "unreadable"
    return None if allowlist.contains_number(version, number) else "notListed"
