"""Recipients and texts that a careless or hostile caller may send: each is sent or refused, and harms nothing."""

import pytest

from messengers.port import (
    Refused,
)
from tests.messengers.conftest import MakeLive
from tests.messengers.rig import Can, Rig
from tests.messengers.test_messages import count, pair, text
from tests.support.waits import until

pytestmark = pytest.mark.rotating

STRANGE = {
    "empty": "",
    "plus": "+",
    "at": "@",
    "blank": "   ",
    "words": "no such thread",
    "nul": "+1415555\x000100",
    "long": "+" + "1" * 10_000,
    "zeros": "+0000",
    "emoji": "@👩‍👩‍👧‍👦",
    "sql": "'; DROP TABLE chats; --",
    "url": "http://169.254.169.254/",
    "lines": "+14155550100\r\nX: y",
}


@pytest.mark.parametrize("to", STRANGE.values(), ids=STRANGE.keys())
async def test_a_strange_recipient_is_refused_and_nobody(rig: Rig, live: MakeLive, to: str):
    one, peer = await pair(rig, live)
    with pytest.raises(Refused):
        await one.connection.send(text(to, "hello?"))
    with pytest.raises(Refused):
        await one.connection.act(to, "typing")
    if Can.person in rig.can:
        assert await one.connection.person(to) is None
    await one.connection.send(text(peer.to, "afterwards"))
    await until(peer.got)
    assert [got.text for got in await peer.got()] == ["afterwards"]


HOSTILE = {
    "empty": "",
    "blank": " \n\t ",
    "nul": "before\0after",
    "only nul": "\0",
    "100 KB": "x" * 100_000,
    "emoji": "👩‍👩‍👧‍👦" * 500,
    "right to left": "\u202e\u2066שלום\u2069 مرحبا",
    "combining": "Z" + "\u0301" * 2_000,
    "controls": "".join(map(chr, range(1, 32))) + "\x7f\x85",
    "surrogate": "\ud800 alone",
    "markup": "<b>*_~`[x](http://x)`~_*</b>&amp;{{ user }}",
    "lines": "a\r\nb\n\n\n\nc\u2028d",
}


@pytest.mark.parametrize("words", HOSTILE.values(), ids=HOSTILE.keys())
async def test_a_hostile_text_is_sent_or_refused_and_harms_nothing(rig: Rig, live: MakeLive, words: str):
    one, peer = await pair(rig, live)
    try:
        await one.connection.send(text(peer.to, words))
    except Refused as error:
        sent = 0
        assert words.strip("\0 \n\t") not in str(error) or not words.strip("\0 \n\t")
        assert len(str(error)) < 1000
    else:
        sent = 1
        assert words.strip("\0 \n\t"), "an empty message can't be sent"
    await one.connection.send(text(peer.to, "afterwards"))
    await until(lambda: count(peer, sent + 1))
    assert (await peer.got())[-1].text == "afterwards"
    if sent and words in (HOSTILE["markup"], HOSTILE["right to left"], HOSTILE["emoji"]):
        assert (await peer.got())[0].text == words


@pytest.mark.parametrize("name", ["emoji", "right to left", "combining", "markup", "nul"])
async def test_a_hostile_text_that_comes_in_is_told(rig: Rig, live: MakeLive, name: str):
    one, peer = await pair(rig, live)
    await peer.write(HOSTILE[name])
    await peer.write("afterwards")
    await until(lambda: "afterwards" in [message.text for message in one.told.came()])
    first = one.told.came()[0]
    assert first.text == HOSTILE[name].replace("\0", "") or name == "nul"
