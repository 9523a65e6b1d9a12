"""Events that a connection left on the machine: whose are taken, and when their file is removed."""

import sqlite3

import orjson
import pytest

from messengers.whatsapp import journal, leftovers
from messengers.whatsapp.folder import CACHE
from messengers.whatsapp.leftovers import LEFT

EVENT = orjson.dumps({"t": "message"})


@pytest.fixture
def left(tmp_path):
    """Events that a connection of the account "a" left."""
    path = tmp_path / "base" / "n-1" / "a-1" / LEFT
    path.parent.mkdir(parents=True)
    journal.put_first(path, [EVENT])
    return path


def adopted(tmp_path):
    new = tmp_path / "new"
    new.mkdir()
    leftovers.adopt(tmp_path / "base", "n-", "a", new, CACHE)
    return journal.lasting_events(new / CACHE) if (new / CACHE).exists() else []


def test_events_that_were_left_are_taken_and_their_file_is_removed(tmp_path, left):
    assert adopted(tmp_path) == [EVENT]
    assert not left.parent.exists()


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_link_is_not_taken(tmp_path, left, depth):
    path = [left, left.parent, left.parent.parent][depth]
    elsewhere = tmp_path / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert adopted(tmp_path) == []
    assert left.exists()


def test_a_file_of_another_user_is_not_taken(tmp_path, left, monkeypatch):
    monkeypatch.setattr(leftovers.os, "getuid", lambda: left.stat().st_uid + 1)
    assert adopted(tmp_path) == []
    assert left.exists()


def test_a_file_stays_until_its_events_are_stored(tmp_path, left, monkeypatch):
    def fail(*_):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(journal, "put_first", fail)
    assert adopted(tmp_path) == []
    assert journal.lasting_events(left) == [EVENT]


def test_a_folder_whose_events_can_not_be_read_stays(tmp_path):
    folder = tmp_path / "a-1"
    folder.mkdir()
    (folder / CACHE).write_bytes(b"no database" * 100)
    assert leftovers.leave(folder, CACHE)
    assert (folder / LEFT).exists()
