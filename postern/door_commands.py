"""The commands that open doors of other protocols. Modules are imported inside them, so that `--help` is fast."""

import gc
from typing import Annotated

import typer

from postern.command import fail, read_settings, run_command


def serve_mcp() -> None:
    """Serves MCP by standard input and output for an agent, through the service at MCP_URL with MCP_TOKEN."""
    from doors.mcp import stdio

    if problem := stdio.main():
        fail(problem)


def serve_smtp(child: Annotated[bool, typer.Option("--child", hidden=True)] = False) -> None:
    """Takes mails of mail programs at POSTERN_SMTP_LISTEN. `postern serve` starts it by itself if that is set."""
    gc.disable()  # as in `postern serve`
    from postern import servers, smtpd

    settings = read_settings()
    if not settings.smtp_listen:
        fail(
            "POSTERN_SMTP_LISTEN is not set, so there is no address to take mails at. docs/smtp.md says how."
        )

    async def run() -> None:
        async with servers.attached(settings) as complete:
            await smtpd.smtpd(complete, child=child)

    run_command(run(), settings, is_service=True)
