"""Reads and writes PDUs. smpp34 handles the two with a long body; the others are little more than a header.

Section numbers are those of the SMPP v3.4 specification, issue 1.2.
"""

import struct
from enum import IntEnum
from typing import Final, NamedTuple

import smpp34

HEADER: Final = struct.Struct(">IIII")  # command_length, command_id, command_status, sequence_number (§3.2)
# The longest valid PDU is a deliver_sm whose message_payload fills its 16-bit length. A greater length means that
# the stream is out of step and cannot be read any further.
MOST_OCTETS: Final = 70_000
LAST_SEQUENCE: Final = 0x7FFF_FFFF
RESPONSE: Final = 0x8000_0000
INTERFACE_VERSION: Final = 0x34


class Command(IntEnum):
    """Command ids of §5.1.2.1 that we send or understand."""

    bind_receiver = 0x01
    bind_transmitter = 0x02
    submit_sm = 0x04
    deliver_sm = 0x05
    unbind = 0x06
    bind_transceiver = 0x09
    enquire_link = 0x15
    data_sm = 0x103
    generic_nack = 0x8000_0000


class Tag(IntEnum):
    """Optional parameters of §5.3.2 that we write or read."""

    receipted_message_id = 0x001E
    user_message_reference = 0x0204
    sar_msg_ref_num = 0x020C
    sar_total_segments = 0x020E
    sar_segment_seqnum = 0x020F
    message_payload = 0x0424
    message_state = 0x0427


class BadFrame(Exception):
    """The octets are not a PDU; the connection cannot go on. `before` are the PDUs before them."""

    def __init__(self, message: str, before: "list[Frame]") -> None:
        super().__init__(message)
        self.before = before


class BadPdu(Exception):
    """The frame is complete, but its body does not match the command."""


class Frame(NamedTuple):
    """One PDU as received, with its body not parsed yet."""

    command: int
    status: int
    sequence: int
    octets: bytes  # the whole PDU, header included

    @property
    def is_response(self) -> bool:
        return bool(self.command & RESPONSE)

    @property
    def first_string(self) -> str:
        """Returns the body's first C-octet string (a response's message_id); empty if there is no body.

        §4.4.2: a submit_sm_resp that refuses has no body. Decoded as Latin-1, so that any octets make a stable id.
        """
        return self.octets[HEADER.size :].partition(b"\0")[0].decode("latin-1")


def frames(octets: bytes) -> tuple[list[Frame], bytes]:
    """Returns the complete PDUs that `octets` begin with, and the rest. Raises BadFrame."""
    read: list[Frame] = []
    start = 0
    while len(octets) - start >= HEADER.size:
        length, command, status, sequence = HEADER.unpack_from(octets, start)
        if not HEADER.size <= length <= MOST_OCTETS:
            raise BadFrame(f"a PDU claims {length} octets", read)
        if len(octets) - start < length:
            break
        read.append(Frame(command, status, sequence, octets[start : start + length]))
        start += length
    return read, octets[start:]


def pdu(command: int, sequence: int, *, status: int = 0, body: bytes = b"") -> bytes:
    """Returns a PDU: its header and this body."""
    return HEADER.pack(HEADER.size + len(body), command, status, sequence) + body


def bind_body(system_id: str, password: str, system_type: str) -> bytes:
    """Returns the body of the three binds (§4.1), without our addresses (ton, npi and range are empty)."""
    strings = b"".join(text.encode("latin-1") + b"\0" for text in (system_id, password, system_type))
    return strings + bytes((INTERFACE_VERSION, 0, 0)) + b"\0"


def read_deliver(frame: Frame) -> smpp34.DeliverSm:
    """Parses a deliver_sm, or a data_sm that the SMSC sends instead of it (§4.7). Raises BadPdu."""
    try:
        read = smpp34.decode(_as_deliver_sm(frame) if frame.command == Command.data_sm else frame.octets)
    except smpp34.SmppError as error:
        raise BadPdu(str(error)) from None
    assert isinstance(read, smpp34.DeliverSm)
    return read


def _as_deliver_sm(frame: Frame) -> bytes:
    """Returns the data_sm as a deliver_sm with an empty short_message. Raises BadPdu.

    A data_sm (§4.7.1) has the same addresses, esm_class, registered_delivery and data_coding; the other fields of a
    deliver_sm (§4.6.1) are empty. Its text is in the optional parameter message_payload.
    """
    body = frame.octets[HEADER.size :]
    try:
        end = body.index(0) + 1  # service_type
        end = body.index(0, end + 2) + 1  # source: ton, npi, address
        end = body.index(0, end + 2) + 1  # destination: ton, npi, address
        esm_class, registered_delivery, data_coding = body[end : end + 3]
    except ValueError:
        raise BadPdu("the data_sm ends before its optional parameters") from None
    # protocol_id, priority_flag, schedule_delivery_time, validity_period; replace_if_present_flag;
    # sm_default_msg_id, sm_length
    fields = bytes((esm_class, 0, 0, 0, 0, registered_delivery, 0, data_coding, 0, 0))
    return pdu(Command.deliver_sm, frame.sequence, body=body[:end] + fields + body[end + 3 :])
