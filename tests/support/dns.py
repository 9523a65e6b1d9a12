"""A DNS server on loopback, over real sockets, that answers from a table."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import dns.flags
import dns.message
import dns.rcode
import dns.rdataclass
import dns.rdatatype
import dns.rrset


class Zone:
    """The records, by name and type; names without any are NXDOMAIN."""

    def __init__(self) -> None:
        self.records: dict[tuple[str, str], list[str]] = {}
        self.fails = False  # SERVFAIL
        self.silent = False
        self.asked: list[tuple[str, str]] = []
        self.port = 0

    @property
    def server(self) -> str:
        return f"127.0.0.1:{self.port}"

    def set(self, name: str, kind: str, *values: str) -> None:
        """Sets the records of a name; none: removes them. A TXT may be longer than one string."""
        self.records[name.lower().removesuffix("."), kind] = [*values]

    def publish(self, records: Iterable[Any]) -> None:
        """Sets records as an operation shows them."""
        for record in records:
            self.set(record["name"], record["type"], record["value"])

    def answer(self, data: bytes, *, tcp: bool) -> bytes | None:
        query = dns.message.from_wire(data)
        question = query.question[0]
        name, kind = question.name.to_text().lower().removesuffix("."), dns.rdatatype.to_text(question.rdtype)
        self.asked.append((name, kind))
        if self.silent:
            return None
        response = dns.message.make_response(query)
        response.flags |= dns.flags.RA
        values = self.records.get((name, kind), [])
        if self.fails:
            response.set_rcode(dns.rcode.SERVFAIL)
        elif values:
            texts = [_quoted(value) if kind == "TXT" else value for value in values]
            response.answer.append(dns.rrset.from_text_list(question.name, 0, "IN", kind, texts))
        elif not any(other == name and found for (other, _), found in self.records.items()):
            response.set_rcode(dns.rcode.NXDOMAIN)
        wire = response.to_wire(max_size=65_535)
        if not tcp and len(wire) > 1_232:
            response.answer.clear()
            response.flags |= dns.flags.TC
            wire = response.to_wire()
        return wire


def _quoted(text: str) -> str:
    return " ".join(f'"{text[start : start + 255]}"' for start in range(0, max(len(text), 1), 255))


class _Udp(asyncio.DatagramProtocol):
    def __init__(self, zone: Zone) -> None:
        self._zone = zone

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, address: Any) -> None:
        if (wire := self._zone.answer(data, tcp=False)) is not None:
            self._transport.sendto(wire, address)


@asynccontextmanager
async def serving_dns() -> AsyncIterator[Zone]:
    """A zone with its server, by UDP and TCP on one port."""
    zone = Zone()

    async def over_tcp(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readexactly(2):
                data = await reader.readexactly(int.from_bytes(head, "big"))
                if (wire := zone.answer(data, tcp=True)) is not None:
                    writer.write(len(wire).to_bytes(2, "big") + wire)
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(over_tcp, "127.0.0.1", 0)
    zone.port = server.sockets[0].getsockname()[1]
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(lambda: _Udp(zone), ("127.0.0.1", zone.port))
    try:
        yield zone
    finally:
        transport.close()
        server.close()
