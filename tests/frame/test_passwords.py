"""Hashing: argon2id, bounded in number, off the event loop."""

import asyncio

from core.passwords import Passwords
from tests.support.waits import PATIENCE


async def test_the_real_parameters_are_owasps():
    passwords = Passwords()
    stored = await passwords.hash("correct horse battery")
    assert stored.startswith("$argon2id$v=19$m=47104,t=1,p=1$")
    assert await passwords.verify(stored, "correct horse battery")
    assert not await passwords.verify(stored, "correct horse batteri")
    assert passwords._dummy.startswith("$argon2id$v=19$m=47104,t=1,p=1$")
    assert not passwords.outdated(stored)
    assert passwords.outdated(await Passwords(64).hash("x" * 8))
    assert await passwords.hash("correct horse battery") != stored


async def test_no_hash_and_broken_hashes_match_nothing():
    passwords = Passwords(64)
    for stored in (
        None,
        "",
        "x",
        "$argon2id$",
        "$2b$12$" + "x" * 53,
        "$argon2id$v=19$m=64,t=1,p=1$AAAA$AAAA",
        "\0",
    ):
        assert not await passwords.verify(stored, "correct horse battery")


async def test_a_crowd_waits_its_turn_and_the_loop_goes_on(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    passwords = Passwords(8192)
    loop = asyncio.get_running_loop()
    at_once, most = 0, 0

    def check(stored, password, *, check=passwords._check):
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        try:
            # The loop does this while we wait here: on the loop's own thread it would never be done.
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0.01), loop).result(PATIENCE)
            return check(stored, password)
        finally:
            at_once -= 1

    monkeypatch.setattr(passwords, "_check", check)
    assert await asyncio.gather(*(passwords.verify(None, "x" * 8) for _ in range(20))) == [False] * 20
    assert most == 2
