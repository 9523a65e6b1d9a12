"""Reports users whose password everybody knows, beside what is no demo."""

from typing import Any, Final

from channels import BadDsn, parse_list
from core.passwords import Passwords
from core.settings import Settings
from db.session import Database
from postern.doctor.findings import Findings
from resolvers.auth.demo_users import DemoUsers
from runtime.origins import is_loopback
from shapes.users import UserStatus

_TOPIC: Final = "demo users"
_MADE: Final = """
SELECT EXISTS (SELECT FROM routes WHERE dsn_encrypted IS NOT NULL) AS routes,
  ARRAY(SELECT DISTINCT source FROM messenger_accounts WHERE driver <> 'sandbox' AND deleted_at IS NULL) AS messengers
"""


async def look(findings: Findings, settings: Settings, db: Database) -> None:
    """Checks whether active users have the published password, and what else the installation has then."""
    active = [row.email for row in await DemoUsers(db, Passwords()).find() if row.status == UserStatus.active]
    if not active:
        return
    emails = " and ".join(active)
    if beside := _settings(settings) + _rows(await db.fetchrow(_MADE)):
        findings.bad(
            _TOPIC,
            f"everybody knows the password of {emails}, and there is {', '.join(beside)}",
            "Start `postern serve` without --demo, which suspends these users; or give each a password of its own:"
            " postern user password EMAIL",
        )
    else:
        findings.good(
            _TOPIC, f"{emails} log in from this machine alone; `serve` without --demo suspends them"
        )


def _settings(settings: Settings) -> list[str]:
    """Returns what the settings have that a demo has not."""
    lists = {
        "email": settings.channel_email,
        "SMS": settings.channel_sms,
        "push": settings.channel_push,
    }
    beside = [f"a real channel ({name})" for name, dsns in lists.items() if _is_real(dsns)]
    if settings.public_url:
        beside.append("a public URL")
    if not is_loopback(settings.host):
        beside.append(f"the address {settings.host}")
    return beside


def _rows(made: Any) -> list[str]:
    """Returns what users have made that a demo has not."""
    beside = [f"a real account ({source})" for source in sorted(made["messengers"])]
    return [*beside, "a route made by an administrator"] if made["routes"] else beside


def _is_real(text: str) -> bool:
    try:
        return any(not dsn.startswith("sandbox:") for dsn in parse_list(text))
    except BadDsn:  # another check says so
        return False
