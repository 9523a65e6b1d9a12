"""A function, class or constant is dead if its name stands once in all our code, where it is made."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

from core.installation import ROOT

PACKAGES = (
    "postern", "doors", "schema", "rest", "resolvers", "engine", "runtime", "db", "channels", "messengers", "sinks",
    "core", "shapes",
)  # fmt: skip
# Called by others, by their name for it.
CALLED = {
    "enter_field": "graphql-core's, of a visitor",
    "enter_fragment_spread": "graphql-core's, of a visitor",
    "enter_variable": "graphql-core's, of a visitor",
    "is_valid_value_node": "graphql-core's, of a validation rule",
    "on_parse": "Strawberry's, of an extension",
    "on_validate": "Strawberry's, of an extension",
    "process_errors": "Strawberry's, of a schema",
    "_get_execute_function": "Strawberry's, of a schema",
    "get_col_spec": "SQLAlchemy's, of a type",
    "get_buffer": "python-liquid asks the context of a rendering for it",
    "next_deferred_eta": "PgQueuer's, of its statements",
    "queued_work": "PgQueuer's, of its statements",
    "periodic_flush": "PgQueuer's, of a buffer",
    "main_loop": "uvicorn's, of a server",
    "_switch_dc": "Telethon's, of a client",
    "_proxy_connect": "Telethon's, of a connection",
    "handle_MAIL": "aiosmtpd's, of a server",
    "auth_LOGIN": "aiosmtpd's, of a server",
    "auth_PLAIN": "aiosmtpd's, of a server",
    "MAILBOX_POINTS": "the places at which tests/mail_reports/test_mailbox.py kills a worker",
    "MAIL_REPORT_POINTS": "the places at which tests/mail_reports/test_kills.py kills a worker",
    "MESSENGER_POINTS": "the places at which tests/messenger_hosts kills a worker",
    "PROJECT_POINTS": "the places at which tests/faults kills a worker",
    "FOLLOW_POINTS": "the places at which tests/follow_ups kills a worker",
    "SERIES_POINTS": "the places at which tests/series kills a worker",
    "AUDIENCE_POINTS": "the places at which tests/consent kills a worker",
    "VERIFICATION_POINTS": "the places at which tests/verifications kills an API process",
    "CLICK_POINTS": "the place at which tests/clicks kills an API process",
    **dict.fromkeys(
        (
            "handle_comment",
            "handle_data",
            "handle_decl",
            "handle_endtag",
            "handle_pi",
            "handle_starttag",
            "unknown_decl",
        ),
        "html.parser's, of a parser",
    ),
    "MEDIA_POINTS": "the places at which tests/media kills an API process",
    "INVOICE_POINTS": "the places at which tests/invoices kills a worker",
    "TRAFFIC_POINTS": "the places at which tests/costs kills a worker",
    "STATEMENT_POINTS": "the places at which tests/statements kills a worker",
    "RECONCILIATION_POINTS": "the places at which tests/reconciliations kills a worker",
    "RESTORE_POINTS": "the places at which tests/restore kills a command",
    "JOURNAL_POINTS": "the place at which tests/restore kills a worker",
    "CHAIN_POINTS": "the places at which tests/message_chains kills a worker",
    "ERASURE_POINTS": "the places at which tests/persons kills a worker",
    "CONTACT_POINTS": "the place at which tests/contact_imports kills a worker",
    "RECIPIENT_POINTS": "likewise, while an import is added",
    "POINTS": "the places at which tests/engine/test_faults.py kills a worker",
}


def made(tree: ast.Module) -> Iterator[str]:
    """Names without a decorator (which would register them), of functions at any depth and of constants."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if not node.decorator_list:
                yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.col_offset == 0:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def test_nothing_is_dead() -> None:
    sources = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    words = Counter(word for path in sources for word in re.findall(r"\w+", path.read_text(encoding="utf-8")))
    texts = [
        path.read_text(encoding="utf-8")
        for path in sources
        if path.parent.name != "versions"  # Alembic calls what is in these
    ]
    dead = {
        name
        for text in texts
        for name in made(ast.parse(text))
        if words[name] == 1 and not name.startswith("__")
    }
    assert dead - set(CALLED) == set()
    assert set(CALLED) <= dead, "these exceptions are needed no more"
