"""Faults that a review would call high, each of which the tests of its code have to find.

`undoes` tells of a fault that this tree once had: the number of its record in docs/decisions/, or what was mended.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Planted:
    """A fault: `before` stands exactly once in the file `path`, and `after` takes its place."""

    name: str
    path: str
    before: str
    after: str
    tests: tuple[str, ...]  # the folders that a developer runs for this code
    harm: str
    undoes: str | None = None


# fmt: off
PLANTED: Final = (
    # Money.
    Planted(
        "refund-twice", "db/ledger.py",
        "'refund', r.amount, r.reference, r.project_id, 1", "'refund', r.amount, r.entry, r.project_id, 1",
        ("tests/accounts", "tests/events", "tests/engine"), "A message can be refunded any number of times.",
    ),
    Planted(
        "hook-refunds", "engine/reports/report_writer.py",
        "    if not by_hook:\n        revived", "    if failed:\n        revived",
        ("tests/events",), "Users get their money back by reporting messages as failed to their own hook.", "0082",
    ),
    Planted(
        "parts-are-free", "engine/direct/new_messages.py", "price.amount * parts,", "price.amount,",
        ("tests/messages", "tests/accounts", "tests/quotes"), "An SMS of several parts costs as much as one part.",
    ),
    # Rows of another owner.
    Planted(
        "file-of-another", "resolvers/files.py",
        "if file is None or not _sees(op, file.owner_id):", "if file is None:",
        ("tests/files",), "Users read the files of others by id.",
    ),
    Planted(
        "unblock-for-all", "resolvers/blocks.py",
        "delete(row).where(row.owner_id == op.viewer.id, _KEY.in_(", "delete(row).where(_KEY.in_(",
        ("tests/blocks",), "Unblocking an address removes its blocks of all owners.",
    ),
    Planted(
        "count-of-all", "resolvers/blocks.py",
        "await _LISTS.count(op.db, where, *op.own(_MINE), owner_id=op.viewer.id)", "await _LISTS.count(op.db, where)",
        ("tests/blocks",), "The count of blocks tells how many others have.",
    ),
    Planted(
        "message-of-another", "resolvers/chats/__init__.py",
        "if row is None or (account is not None and row.account_id != account.id):", "if row is None:",
        ("tests/chats",), "The key of one messenger account reads the messages of all others.",
    ),
    # Permissions and credentials.
    Planted(
        "viewers-start-projects", "resolvers/sending_projects/__init__.py",
        '@operation(Permission.projects_send, "sql", idempotent=stored_model(models.SendingProject))\nasync def start(',
        '@operation(Permission.projects_read, "sql", idempotent=stored_model(models.SendingProject))\nasync def start(',
        ("tests/members",), "A viewer, who may only look at projects, starts them.",
    ),
    Planted(
        "managers-invite", "runtime/permissions.py",
        "_FOR_THE_OWNER_ALONE = {\n    Permission.members_write,\n", "_FOR_THE_OWNER_ALONE = {\n",
        ("tests/members",), "A manager invites and removes members, as the owner alone should.",
    ),
    Planted(
        "admin-token-sees-all", "runtime/viewers/__init__.py",
        "Role.admin in self.roles and (self.scopes is None or Permission.users_admin in self.scopes)",
        "Role.admin in self.roles",
        ("tests/api_tokens", "tests/exports"), "An administrator's token with narrow scopes sees everybody's rows.",
        "An export that an administrator's API token starts",
    ),
    Planted(
        "hook-secret-outlives-member", "engine/credentials.py",
        '"revoked_at = now()", "created_by = NULL, api_token_id = NULL",',
        '"created_by = NULL, api_token_id = NULL", "created_by = NULL, api_token_id = NULL",',
        ("tests/members", "tests/events"), "A removed member goes on reporting by the hook secret.", "0084",
    ),
    Planted(
        "permission-of-other-kind", "resolvers/webhooks/webhook_rows.py",
        "return Permission.events_write if write", "return Permission.messengers_write if write",
        ("tests/webhooks", "tests/event_webhooks"),
        "Whoever may change messenger accounts sends the whole event feed to an address of theirs.", "0084",
    ),
    Planted(
        "email-by-token", "resolvers/users.py",
        "if changes and lacking is not None:", 'if "roles" in changes and lacking is not None:',
        ("tests/users", "tests/api_tokens"), "A leaked API token takes its user over by another email.", "0083",
    ),
    Planted(
        "link-outlives-login", "resolvers/files.py",
        "        if not await is_link_alive(op, file.owner_id, made_by, _READS_FILES):\n"
        "            raise bad_link()\n", "",
        ("tests/files", "tests/members"), "A removed member opens files by signed links of before.", "0084",
    ),
    # Logins.
    Planted(
        "second-factor-skipped", "resolvers/auth/__init__.py",
        "    if factor_id is not None and input.otp is None:\n        raise factors.code_required()\n", "",
        ("tests/second_factors",), "A login without a code needs no second factor.",
    ),
    Planted(
        "token-version-ignored", "runtime/viewers/__init__.py",
        "if int(version) != claims.version or session == ENDED or", "if session == ENDED or",
        ("tests/auth",), "Access tokens go on after a new password and after a suspension.",
    ),
    Planted(
        "undo-link-used-twice", "resolvers/undo.py",
        "update(_ROW).where(_ROW.id == id, is_live()).values(", "update(_ROW).where(_ROW.id == id).values(",
        ("tests/users",), "The link to an old address takes the user over for ever.", "0083",
    ),
    Planted(
        "demo-login-by-proxy", "runtime/origins.py",
        "if connection.client is None or any(name in connection.headers for name in _PROXIED):",
        "if connection.client is None:",
        ("tests/auth",), "The published password logs in from everywhere behind a proxy of this machine.", "0085",
    ),
    # The sending engine.
    Planted(
        "claim-not-fenced", "engine/direct/outcomes.py",
        "WHERE m.id = r.id AND m.claim_id = $1 AND m.state", "WHERE m.id = r.id AND $1::uuid IS NOT NULL AND m.state",
        ("tests/engine",), "A worker that has lost its claim overwrites what the next one has stored.",
    ),
    Planted(
        "lease-not-renewed", "runtime/leases.py",
        "                work.lease.renewed = requested\n", "                continue\n",
        ("tests/frame", "tests/engine"), "All work ends when its first lease does, though the lease was renewed.",
    ),
    Planted(
        "unknown-called-failed", "engine/sending/judge.py",
        "(outcome.result in FINAL and outcome.asked)", "outcome.result in FINAL",
        ("tests/sending",),
        "A message that may have been sent is refunded and sent again.",
        "A message that may have been sent already stays `unknown`",
    ),
    Planted(
        "rate-counts-nothing", "engine/rates/send_rate.py",
        "return drawn.taken, drawn.retry_after", "return want, 0.0",
        ("tests/sending_projects",), "A project sends as fast as it can, whatever its speed and the tariff's are.",
    ),
    Planted(
        "quiet-hours-of-the-sender", "engine/windows.py",
        "        name = zone if zone and self.by_recipient else self.timezone\n", "        name = self.timezone\n",
        ("tests/engine", "tests/sending_projects"), "Recipients get messages at night.",
    ),
    Planted(
        "blocked-still-sent", "engine/projects/may_send.py", 'owner=f"{row}.owner_id"', 'owner=f"{row}.project_id"',
        ("tests/sending_projects", "tests/consent"), "Whoever blocks a sender is still sent what is in the batch.",
        "Messages of projects: the statement that records the intent",
    ),
    Planted(
        "same-address-twice", "shapes/addresses.py",
        '"xn--" not in lower:\n        return lower', '"xn--" not in lower:\n        return address',
        ("tests/blocks", "tests/recipients"), "Anna@ and anna@ get a message each, and a STOP of one stops only one.",
        "An address is the same one in any letter case",
    ),
    Planted(
        "suspended-owner-sends", "resolvers/users.py",
        "    await project_moves.owner_left(connection, user.id, for_good=to is UserStatus.deleted)\n", "",
        ("tests/users", "tests/sending_projects"), "The projects of a suspended user go on sending.",
    ),
    # The event feed, webhooks, sinks, callbacks.
    Planted(
        "feed-ready-too-early", "engine/feed/event_feed.py",
        "SELECT pg_snapshot_xmin(now.snapshot)::text::bigint >= pending_xid\n", "SELECT pending_xid IS NOT NULL\n",
        ("tests/event_feed",), "Events of transactions that were under way when a feed was opened are lost.",
    ),
    Planted(
        "replay-begins-too-late", "resolvers/webhooks/__init__.py",
        '"replay_position": state.pruned_position,', '"replay_position": state.pruned_position + 1,',
        ("tests/event_webhooks",), "A replay leaves out the oldest event.",
    ),
    Planted(
        "unsigned-callback", "messengers/whatsapp_cloud/hook.py",
        "return hmac.compare_digest(received, right)", "return not header or hmac.compare_digest(received, right)",
        ("tests/whatsapp_cloud",), "Anybody reports messages and statuses in the name of Meta.",
    ),
    Planted(
        "redirect-followed", "core/outbound/client.py", "allow_redirects=False,", "allow_redirects=True,",
        ("tests/outbound",), "A receiver leads our requests, with their headers, to another address.",
    ),
    # Imports and exports.
    Planted(
        "formula-after-a-plus", "engine/exports/formats.py", "_PHONE.fullmatch(text)", "_PHONE.match(text)",
        ("tests/exports",), "A spreadsheet runs what a stranger has called a name, if it begins like a phone.",
    ),
    Planted(
        "spreadsheet-without-bound", "engine/file_parsers/unfolding.py",
        "most if most <= UNFOLDED else _count(archive, part, shared))", "min(most, UNFOLDED))",
        ("tests/imports",), "A small spreadsheet unfolds until the reader has no memory.",
    ),
    # Bounds of requests, keys, addresses, logs, the audit.
    Planted(
        "lists-by-variable-cost-less", "schema/frame/cost.py",
        "                yield self.variable(value)\n            case IntValueNode():",
        "                pass\n            case IntValueNode():",
        ("tests/doors/test_cost.py", "tests/doors/test_graphql_budget.py"),
        "A list of a hundred costs as much as one of twenty, if its length is a variable.",
    ),
    Planted(
        "idempotency-key-of-anybody", "runtime/idempotency.py",
        "WHERE user_id = $1 AND operation = $2 AND key = $3",
        "WHERE $1::uuid IS NOT NULL AND operation = $2 AND key = $3",
        ("tests/frame", "tests/messages"), "Two users with the same key get the answer of the first.",
    ),
    Planted(
        "forwarded-for-trusted", "core/http/allowlist/gate.py",
        'if name == b"x-real-ip"]', 'if name in (b"x-real-ip", b"x-forwarded-for")]',
        ("tests/allowlist",), "A client writes its own address, and the allowlist lets it in.",
    ),
    Planted(
        "tokens-of-links-logged", "core/logs.py", 'path = f"{path[: link.end(2)]}...{path[link.end() :]}"', "pass",
        ("tests/frame", "tests/users"), "Whoever reads the log uses the links of messages.",
        "The request log has the first eight characters",
    ),
    Planted(
        "hook-blocks-not-audited", "resolvers/events.py",
        "with audit_scope.audited(await _about(op, proof)):", "if await _about(op, proof):",
        ("tests/events", "tests/audit"), "Nobody sees who has blocked an address by the hook.", "0082",
    ),
    # Channels and statistics.
    Planted(
        "header-injected", "channels/smtp/mail.py",
        "if _CONTROLS.search(value) or not value.strip():", "if not value.strip():",
        ("tests/channels",), "A line break in a header's value adds headers and recipients.",
    ),
    Planted(
        "first-part-delivers", "channels/smpp/receipts.py",
        "if not message.complete or not message.delivered.issuperset(message.ids):", "if not message.complete:",
        ("tests/channels",), "A long SMS counts as delivered when its first part is, and is not refunded.",
    ),
    Planted(
        "days-of-another-zone", "resolvers/statistics/intervals.py",
        "day = since.astimezone(tz).date()", "day = since.date()",
        ("tests/statistics",), "The days of statistics begin a day early or late.",
    ),
)
# fmt: on
