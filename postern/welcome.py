"""Makes the text that `postern serve` prints to its terminal when it is up. Nothing of it is logged."""

from collections.abc import Sequence

from core.demo import ADMIN, PASSWORD
from core.settings import Settings
from postern.start_users import StartUsers

DEMO_WARNING = "from this machine alone; everybody knows this password"
_MAKE_ADMIN = "postern user create EMAIL --admin"


def welcome(settings: Settings, port: int, users: StartUsers, *, works: bool = True) -> str:
    """Returns where the service is, and how to log in. `works`: a worker sends what is queued."""
    base = base_url(settings, port)
    lines = [f"console   {base}/console"] if settings.has_console else []
    lines += [
        f"REST      {base}/docs (for programs: /openapi.json)",
        f"GraphQL   {base}/graphql",
        f"health    {base}/health/v2",
        *([] if works else ["workers   none has reported yet; `postern doctor` says why"]),
        *_logins(settings, base, users),
    ]
    head = f"Postern is up at {base}" if works else f"Postern answers at {base}, but sends nothing yet"
    return "\n".join(("", f"  {head}", *(f"    {line}" for line in lines), "  Ctrl-C stops it.\n"))


def base_url(settings: Settings, port: int) -> str:
    """Returns the address at which this machine reaches the service."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{port}"


def _logins(settings: Settings, base: str, users: StartUsers) -> list[str]:
    lines = []
    if users.demo:
        lines += [
            f"demo      {with_roles(users.demo)}, password {PASSWORD}",
            f"          (at 127.0.0.1 and localhost, {DEMO_WARNING})",
        ]
    if users.activated:
        lines.append(f"          {_emails(users.activated)}: suspended before, active again")
    if users.suspended:
        lines += [
            f"suspended {_emails(users.suspended)}: everybody knows their password",
            "          `postern serve --demo` lets them in again, from this machine alone. To keep one, give it",
            "          a password of its own (`postern user password EMAIL`), and activate it in the console (Users).",
        ]
    if users.link is not None:
        lines += [
            f"first use {(settings.public_url or base).rstrip('/')}/console/first-user#{users.link}",
            "          makes the first administrator, once, within 15 minutes. Show it to nobody. `postern open`",
            "          prints a new one.",
            f"          (without a browser: {_MAKE_ADMIN})",
        ]
    elif not users.has_admin:
        lines.append(f"first use there is no administrator; make one: {_MAKE_ADMIN}")
    return lines


def with_roles(emails: Sequence[str]) -> str:
    """Returns the emails, and says who is the administrator."""
    return " and ".join(f"{email} (administrator)" if email == ADMIN else email for email in emails)


def _emails(emails: Sequence[str]) -> str:
    return " and ".join(emails)
