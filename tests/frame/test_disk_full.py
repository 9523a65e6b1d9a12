"""A full disk is called by its name: PostgreSQL's, and that of the files."""

import errno
import os
from pathlib import Path
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from core.errors import Unavailable
from core.file_store import LocalFiles
from runtime.database_errors import translate

_FULL = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION full_disk();
"""


async def test_postgresqls_disk(ada, services):
    async with services.db.reading() as connection:
        await connection.execute(_FULL)
    with capture_logs() as logs:
        answer = await ada.rest("POST", "/accounts", json={"name": "x"})
    assert (answer.status_code, answer.json()["code"]) == (503, "disk_full")
    assert "The database's disk is full" in answer.json()["message"]
    assert any(line.get("code") == "disk_full" and "No space left" in str(line["cause"]) for line in logs)
    assert (await ada.rest("GET", "/accounts")).status_code == 200


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_disk_of_ours(number):
    assert translate(OSError(number, os.strerror(number))).code == "disk_full"
    assert translate(OSError(errno.ECONNREFUSED, "refused")).code == "database_unavailable"


async def test_the_disk_of_the_files(tmp_path):
    """The kernel's own device that is always full stands for the folder's disk."""
    id = uuid4()
    store = LocalFiles(tmp_path)

    async def chunks():
        for part in tmp_path.rglob("*.part"):  # it was opened before the first piece is asked for
            for link in Path("/proc/self/fd").iterdir():
                if link.resolve() == part.resolve():
                    full = os.open("/dev/full", os.O_WRONLY)
                    os.dup2(full, int(link.name))
                    os.close(full)
        yield b"x" * (1 << 20)

    with pytest.raises(Unavailable) as caught:
        await store.put(id, chunks())
    assert caught.value.code == "disk_full"
    assert not [path for path in tmp_path.rglob("*") if path.is_file()], "nothing is left"
