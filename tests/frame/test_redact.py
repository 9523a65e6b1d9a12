"""Credentials are masked, and the search for them takes linear time, whatever the text."""

import time

import pytest

from core.logs import _redact, redact

MASKED = [
    ("postgres://ada:secret@host/db", "postgres://ada:***@host/db"),
    ("redis://:secret@host", "redis://:***@host"),
    ("HTTPS://ada:secret@host", "HTTPS://ada:***@host"),
    ("Could not connect...postgresql+asyncpg://ada:secret@host",
        "Could not connect...postgresql+asyncpg://ada:***@host"),
    ("a.very.long.scheme.of.more.than.twenty://ada:secret@host",
        "a.very.long.scheme.of.more.than.twenty://ada:***@host"),
    ("http://a:secret@b http://c:secret@d", "http://a:***@b http://c:***@d"),
    ("http://host:3000/a?b=c", "http://host:3000/a?b=c"),
    ("Authorization: Bearer secret.secret", "Authorization: Bearer ***"),
    ("/x?token=secret&a=b", "/x?token=***&a=b"),
    ("it is pst_secretsecret", "it is pst_***"),
    ("DETAIL:  Key (email)=(secret) exists.\nHINT: none", "DETAIL:  ***\nHINT: none"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "masked"), MASKED, ids=[str(place) for place in range(len(MASKED))])
def test_it_is_masked(text: str, masked: str):
    assert redact(text) == masked


PARTS = ["a.", "a-", "a", "a://", "://:", "://a:b", "://a:::b", "://@", "bearer ", "bearer \t ", " ", "?token=",
    "&sig=",
         "pst_", "pst_a ", "DETAIL:  ", "DETAIL:  \n", "\nHINT", "\n[SQ", ":", "@"]  # fmt: skip
ALL = "bearer ://= pst_ DETAIL:"  # each pattern is looked for


@pytest.mark.parametrize("part", PARTS, ids=[str(place) for place in range(len(PARTS))])
@pytest.mark.parametrize("where", ["before", "after"])
def test_whatever_is_written_is_read_in_a_line(part: str, where: str):
    """A quadratic search takes 256 times as long for 16 times as much, a linear one 16."""

    def took(characters: int) -> float:
        text = part * (characters // len(part))
        text = ALL + text if where == "after" else text + ALL
        best = float("inf")
        for _ in range(3):
            begun = time.thread_time_ns()
            redact(text)
            best = min(best, time.thread_time_ns() - begun)
        return best

    short, long = took(4096), took(16 * 4096)
    assert long < 100 * max(short, 100_000)  # ns: less than that is noise


@pytest.mark.parametrize(
    ("error", "text"),
    [(TimeoutError(), "TimeoutError"), (ValueError("postgresql://me:hunter2@host"), "postgresql://me:***@host"),
     (ValueError("x" * 1000), "x" * 300),
     (ValueError(f"{'x' * 270} postgresql://me:{'hunter2' * 9}@host"), f"{'x' * 270} postgresql://me:***@host"[:300])],
    ids=["without a text", "with a password", "long", "cut inside a password"],
)  # fmt: skip
def test_an_error_is_logged_in_a_few_words_without_secrets(error: Exception, text: str):
    assert _redact(None, "warning", {"event": "e", "error": error}) == {"event": "e", "error": text}
