"""An import of a million rows against a bare COPY of the same rows: `python -m bench.imports [rows]`.

The list is CSV with a byte order mark, semicolons and Russian names. The bare COPY hands asyncpg the parsed rows
as tuples in memory and does nothing else. Both write the same table, in turns; the ratio is what counts.
"""

import asyncio
import os
import random
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Self
from uuid import UUID

import asyncpg

from core.ids import uuid7
from core.settings import Settings
from engine import imports
from engine.file_parsers.rows import COLUMNS
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import Services, services

GOAL = 0.25
ROUNDS = 3
BATCH = 10_000  # rows of the bare COPY at once, as many as ours has: a statement has its bound

LATE: list[float] = []

_FIRST = ("Анна", "Пётр", "Мария", "Иван", "Ольга", "Сергей", "Екатерина", "Дмитрий")
_LAST = ("Иванова", "Сидоров", "Кузнецова", "Петров", "Смирнова", "Фёдоров", "Соколова", "Щербаков")
_CITIES = ("Москва", "Санкт-Петербург", "Нижний Новгород", "Екатеринбург", "Тверь")


def write(path: Path, rows: int) -> None:
    """Phones in three spellings; one row in a hundred is a duplicate, one in two hundred no phone."""
    chosen = random.Random(1)
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        file.write("Телефон;ФИО;Город;Заказ;Сумма\r\n")
        for number in range(rows):
            digits = f"9{16 + number // 10_000_000:02}{number % 10_000_000:07}"
            phone = (f"+7{digits}", f"8{digits}", f"7{digits}")[number % 3]
            if number % 100 == 99:
                phone = f"+7916{number - 50:07}"
            elif number % 200 == 50:
                phone = "нет"
            name = f"{chosen.choice(_LAST)} {chosen.choice(_FIRST)}"
            file.write(f"{phone};{name};{chosen.choice(_CITIES)};{number};{chosen.randint(100, 99_999)}\r\n")


class Peak:
    """The largest resident size of this process's readers, and of this process, while it is watched."""

    def __init__(self) -> None:
        self.child = self.own = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        mine = str(os.getpid())
        while not self._over.wait(0.02):
            self.own = max(self.own, _resident(mine, "VmRSS"))
            with suppress(OSError):
                for child in Path(f"/proc/{mine}/task/{mine}/children").read_text().split():
                    with suppress(OSError):
                        if b"engine.file_parsers" in Path(f"/proc/{child}/cmdline").read_bytes():
                            self.child = max(self.child, _resident(child, "VmHWM"))


def _resident(process: str, what: str) -> int:
    """MiB; 0 for a process that is gone."""
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith(what)).split()[1]) // 1024
    return 0


async def _ours(opened: Services, owner: UUID, path: Path) -> tuple[UUID, float]:
    """Reads the file as a worker does; the import, and how long it took."""
    id, file = uuid7(), uuid7()

    async def chunks() -> Any:
        with path.open("rb") as source:
            while piece := source.read(1024 * 1024):
                yield piece

    await opened.files.put(file, chunks())
    await opened.db.fetch(
        "INSERT INTO recipient_imports (id, owner_id, file_uuid, region) VALUES ($1, $2, $3, 'RU')",
        id,
        owner,
        file,
    )
    begun = time.perf_counter()
    await imports.read(opened, id)
    took = time.perf_counter() - begun
    row = await opened.db.fetchrow("SELECT * FROM recipient_imports WHERE id = $1", id)
    assert row["status"] == "ready", row["status_reason"]
    await opened.files.delete(file)
    return id, took


async def _bare(url: str, owner: UUID, rows: list[Any]) -> float:
    connection = await asyncpg.connect(url)
    id = uuid7()
    await connection.execute(
        "INSERT INTO recipient_imports (id, owner_id, region) VALUES ($1, $2, 'RU')", id, owner
    )
    records = [(id, *row[1:]) for row in rows]
    begun = time.perf_counter()
    for place in range(0, len(records), BATCH):
        batch = records[place : place + BATCH]
        await connection.copy_records_to_table("import_rows", records=batch, columns=COLUMNS)
    took = time.perf_counter() - begun
    await connection.execute("TRUNCATE import_rows")
    await connection.close()
    return took


async def _lateness() -> None:
    """Notes how late this task is resumed, as any other task of the same process would be."""
    LATE.clear()
    while True:
        begun = time.perf_counter()
        await asyncio.sleep(0.01)
        LATE.append(time.perf_counter() - begun - 0.01)


async def main(rows: int) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="postern-bench-") as folder,
        EmbeddedPostgres(Path(folder)) as postgres,
        EmbeddedRedis(Path(folder)) as redis,
    ):
        path = Path(folder) / "list.csv"
        write(path, rows)
        settings = Settings(
            _env_file=None, db_string=postgres.url, redis_url=redis.url, secret_key="s" * 32, jwt_key="j" * 32,
            data_dir=Path(folder) / "data",
        )  # fmt: skip
        await prepare(settings)
        async with services(settings) as opened:
            await _measure(opened, postgres.url, path, rows)


async def _measure(opened: Services, url: str, path: Path, rows: int) -> None:
    user = await operator.create_user(opened, "bench@example.com", admin=False, password="bench bench")
    connection = await asyncpg.connect(url)
    names = ", ".join(COLUMNS)
    ratios, ours, bare, child, own, late = [], [], [], 0, 0, 0.0
    for number in range(ROUNDS):
        beside = asyncio.create_task(_lateness())
        with Peak() as peak:
            id, took = await _ours(opened, user.id, path)
        beside.cancel()
        ours.append(rows / took)
        child = max(child, peak.child)
        if not number:  # later ones find the rows of the bare COPY in this process's memory
            own, late = peak.own, max(LATE)
        parsed = await connection.fetch(f"SELECT {names} FROM import_rows WHERE import_id = $1", id)
        assert len(parsed) == rows
        await connection.execute("TRUNCATE import_rows")
        bare.append(rows / await _bare(url, user.id, parsed))
        ratios.append(ours[-1] / bare[-1])
        del parsed
    await connection.close()
    middle = sorted(ratios)[len(ratios) // 2]
    print(
        f"import of {rows} rows: {middle:.2f} of a bare COPY (goal {GOAL}; rounds "
        f"{', '.join(f'{ratio:.2f}' for ratio in ratios)})\n"
        f"  ours {', '.join(f'{one:.0f}' for one in ours)} rows/s; "
        f"bare {', '.join(f'{one:.0f}' for one in bare)} rows/s\n"
        f"  peak resident: the reader's process {child} MiB, the one that writes {own} MiB\n"
        f"  the event loop beside it was late by at most {late * 1000:.0f} ms"
    )


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
