"""The ground of each command: its settings, its event loop, and errors as one line."""

import signal
import threading
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import typer

if TYPE_CHECKING:
    from core.settings import Settings

T = TypeVar("T")


def read_settings(**changes: Any) -> "Settings":
    from core import logs
    from core.database_options import BadSettings
    from core.settings import load
    from core.settings_files import overlooked

    try:
        settings = load()
    except BadSettings as error:
        fail(str(error))
    if warning := overlooked(settings):
        typer.echo(f"postern: {warning}", err=True)
    settings = settings.model_copy(update={k: v for k, v in changes.items() if v is not None})
    logs.configure(settings.log_level, settings.log_format)
    return settings


def with_services(call: Any) -> Any:
    from postern import servers
    from runtime.services import services

    settings = read_settings()

    async def run() -> Any:
        async with servers.attached(settings) as complete, services(complete, "postern-cli") as opened:
            return await call(opened)

    return run_command(run(), settings)


def run_command(work: Coroutine[Any, Any, T], settings: "Settings", *, is_service: bool = False) -> T:
    """Runs it. An error that an operator can correct becomes one clear line and exit code 1, not a traceback.

    `is_service`: no thread that still runs then holds up the end of this process.
    """
    import uvloop

    from channels import BadDsn
    from core.database_options import BadSettings
    from core.errors import AppError
    from core.http.allowlist import AllowlistUnusable
    from postern.embedded import EmbeddedError
    from postern.interrupts import interruptible

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)  # from here on asyncio handles Ctrl-C
    try:
        return uvloop.run(interruptible(_with_bounded_end(work) if is_service else work))
    except (BadSettings, AllowlistUnusable, EmbeddedError, AppError, BadDsn) as error:
        fail(str(error))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except Exception as error:
        from postern.doctor.advice import fault

        if message := fault(error, settings):
            fail(message)
        if isinstance(error, OSError):
            fail(f"{error.filename}: {error.strerror}")
        raise


async def _with_bounded_end(work: Coroutine[Any, Any, T]) -> T:
    from postern import process

    seconds = process.FAILED_SECONDS
    try:
        result = await work
        seconds = process.LAST_SECONDS
        return result
    finally:
        process.exit_after(seconds)  # asyncio waits for threads; the timer ends with the process


def fail(message: str) -> NoReturn:
    typer.echo(f"postern: {message}", err=True)
    raise typer.Exit(1)
