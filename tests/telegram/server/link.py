"""One client's socket: the handshake, then encrypted messages, containers, salts and acknowledgements."""

import asyncio
import contextlib
import os
import struct
import time
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from telethon.crypto import AES, AuthKey
from telethon.extensions import BinaryReader
from telethon.network.mtprotostate import MTProtoState
from telethon.tl import TLObject, TLRequest, functions, types
from telethon.tl.core import GzipPacked, MessageContainer, RpcResult

from tests.telegram.server.handshake import Handshake
from tests.telegram.server.wire import Broken, Wire

if TYPE_CHECKING:
    from tests.telegram.server.telegram import Telegram

VECTOR = 0x1CB5C415


class Rpc(Exception):
    """An answer that is an error."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class Silence(Exception):
    """The request gets no answer at all."""


def pack(value: Any) -> bytes:
    if isinstance(value, bool):
        return struct.pack("<I", 0x997275B5 if value else 0xBC799737)
    if isinstance(value, list):
        return struct.pack("<Ii", VECTOR, len(value)) + b"".join(pack(each) for each in value)
    if isinstance(value, int):
        return struct.pack("<i", value)
    return bytes(value)


class Link:
    def __init__(self, server: "Telegram", wire: Wire, dc: int, peer: str) -> None:
        self.server = server
        self.wire = wire
        self.dc = dc
        self.peer = peer
        self.key: AuthKey | None = None
        self.updates = False  # whether this one is told what happens
        self.layer = 0
        self._handshake = Handshake()
        self._salt = int.from_bytes(os.urandom(8), "little", signed=True)
        self._session: int | None = None
        self._last = self._sequence = 0
        self._seen: set[int] = set()
        self._working: set[asyncio.Task[None]] = set()

    @property
    def key_id(self) -> int:
        assert self.key is not None
        value: int = self.key.key_id
        return value

    async def run(self) -> None:
        try:
            with contextlib.suppress(Broken, OSError, asyncio.IncompleteReadError, ConnectionError):
                while True:
                    await self._packet(await self.wire.read())
        finally:
            for task in self._working:
                task.cancel()
            self.wire.close()

    def close(self) -> None:
        self.wire.close()

    async def _packet(self, data: bytes) -> None:
        if self.server.mute:
            return
        if data[:8] == bytes(8):
            await self._plain(data)
            return
        key = self.server.world.keys.get(struct.unpack("<Q", data[:8])[0])
        if key is None:
            self.wire.write(struct.pack("<i", -404))
            await self.wire.flush()
            return
        self.key = key
        plain = self._decrypt(data)
        salt, session, msg_id, _, length = struct.unpack("<qqqii", plain[:32])
        if session != self._session:
            self._session = session
            self._sequence = 0
            self.server.sessions.append((self.key_id, session))
        if salt != self._salt:
            self._say(types.BadServerSalt(msg_id, 0, 48, self._salt))
            return
        with BinaryReader(plain[32 : 32 + length]) as reader:
            self._take(msg_id, reader.tgread_object())

    async def _plain(self, data: bytes) -> None:
        length = struct.unpack("<i", data[16:20])[0]
        with BinaryReader(data[20 : 20 + length]) as reader:
            answer = bytes(self._handshake.answer(reader.tgread_object()))
        if made := self._handshake.made:
            self.server.world.keys[made.key_id] = made
            self.server.handshakes += 1
        self.wire.write(struct.pack("<qqi", 0, self._next(1), len(answer)) + answer)
        await self.wire.flush()

    def _take(self, msg_id: int, message: TLObject) -> None:
        for inner_id, each in _flat(msg_id, message):
            if isinstance(each, functions.PingRequest | functions.PingDelayDisconnectRequest):
                self._say(types.Pong(inner_id, each.ping_id))
            elif isinstance(each, TLRequest) and inner_id not in self._seen:
                self._seen.add(inner_id)
                task = asyncio.get_running_loop().create_task(self._serve(inner_id, each))
                self._working.add(task)
                task.add_done_callback(self._working.discard)

    async def _serve(self, msg_id: int, request: TLRequest) -> None:
        request, updates = self._unwrap(request)
        try:
            answer = pack(await self.server.answer(self, request))
        except Rpc as error:
            answer = bytes(types.RpcError(error.code, error.text))
        except Silence:
            return
        except Exception as error:
            self.server.bugs.append(error)
            answer = bytes(types.RpcError(500, "INTERNAL"))
        if updates is not None:
            self.updates = updates
        if len(answer) > 512:
            answer = bytes(GzipPacked(answer))
        self.say_bytes(struct.pack("<Iq", RpcResult.CONSTRUCTOR_ID, msg_id) + answer)
        self._say(types.MsgsAck([msg_id]), related=False)
        with contextlib.suppress(OSError):
            await self.wire.flush()

    def _unwrap(self, request: TLRequest) -> tuple[TLRequest, bool | None]:
        """The request itself; whether this connection wants updates, if that was said."""
        updates: bool | None = None
        while True:
            if isinstance(request, functions.InvokeWithLayerRequest):
                self.layer = request.layer
                updates = updates is not False
            elif isinstance(request, functions.InvokeWithoutUpdatesRequest):
                updates = False
            elif not isinstance(request, functions.InitConnectionRequest | functions.InvokeAfterMsgRequest):
                return request, updates
            request = request.query

    def tell(self, update: TLObject) -> None:
        self._say(update)

    def _say(self, what: TLObject, *, related: bool = True) -> None:
        self.say_bytes(bytes(what), related=related)

    def say_bytes(self, body: bytes, *, related: bool = True) -> None:
        assert self.key is not None
        number = self._sequence * 2 + (1 if related else 0)
        self._sequence += 1 if related else 0
        data = struct.pack("<qqqii", self._salt, self._session or 0, self._next(3), number, len(body)) + body
        data += os.urandom(-(len(data) + 12) % 16 + 12)
        secret = self.key.key
        msg_key = sha256(secret[96:128] + data).digest()[8:24]
        head = struct.pack("<Q", self.key_id) + msg_key
        self.wire.write(head + AES.encrypt_ige(data, *MTProtoState._calc_key(secret, msg_key, client=False)))

    def _decrypt(self, data: bytes) -> bytes:
        assert self.key is not None
        secret, msg_key = self.key.key, data[8:24]
        plain: bytes = AES.decrypt_ige(data[24:], *MTProtoState._calc_key(secret, msg_key, client=True))
        assert sha256(secret[88:120] + plain).digest()[8:24] == msg_key
        return plain

    def _next(self, kind: int) -> int:
        """A message id: the time, growing, 1 modulo 4 for answers and 3 for what we begin."""
        now = time.time()
        value = int(now) << 32 | int((now % 1) * 2**32) & ~3
        self._last = max(value, (self._last & ~3) + 4) | kind
        return self._last


def _flat(msg_id: int, message: TLObject) -> Iterator[tuple[int, TLObject]]:
    if isinstance(message, MessageContainer):
        for each in message.messages:
            yield from _flat(each.msg_id, each.obj)
    elif isinstance(message, GzipPacked):
        with BinaryReader(message.data) as reader:
            yield from _flat(msg_id, reader.tgread_object())
    else:
        yield msg_id, message
