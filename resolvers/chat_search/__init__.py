"""Finds messages of chats by their words, the newest first.

In the index (`ix_messenger_messages_words`) each word stands behind its account and its period of 91 days, so a search
reads nothing of other accounts. It begins with the newest period and goes on to earlier ones, twice as many each time,
until its page is full: a word that is in every message costs what the messages of one period cost
(docs/decisions/0053-search-in-chats.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from typing import Any
from uuid import UUID

from sqlalchemy import cast, func
from sqlalchemy.dialects.postgresql import TSQUERY

from core.errors import BadRequest, ValidationFailed
from db.lists import Conditions, CursorPage, PageArgs
from db.lists.cursor import read_cursor
from db.query import p
from resolvers.chats.chat_lists import MESSAGE, MESSAGES, as_chat_messages, newest
from resolvers.chats.chat_shapes import ChatMessageRow
from resolvers.messenger_accounts.account_rows import mine
from resolvers.messenger_relations import of_seen
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.chat_search import LONGEST_TEXT, MOST_ACCOUNTS, MOST_WORDS

_BEGINNING = datetime(2010, 1, 1, tzinfo=UTC)  # the same in SQL: `postern_words_key`
_PERIOD_SECONDS = 91 * 86400
_MOST_PERIODS = 4096
_SHORTEST_PREFIX = 2  # characters: many words begin with a given one
_WORDS = """
SELECT left(lexeme, 64) AS word FROM unnest(postern_words($1)) ORDER BY positions[array_upper(positions, 1)]
"""
_ACCOUNTS = "SELECT id FROM messenger_accounts WHERE owner_id = $1 AND deleted_at IS NULL LIMIT $2"
_MATCHES = func.postern_chat_words(MESSAGE.account_id, MESSAGE.at, MESSAGE.text).op("@@")(
    cast(p("words"), TSQUERY)
)


@operation(Permission.messengers_read, "read")
async def page(
    op: Op, text: str, account_id: UUID | None, page_args: PageArgs, where: Conditions
) -> CursorPage[ChatMessageRow]:
    """Finds messages of your chats by their words, newest first. Upper and lower case are the same. Administrators find
    those of another user if they name the account.

    The last word may be a beginning. Raises NotFound, and BadRequest (`no_words`, `too_many_words`,
    `account_required`).
    """
    words = await _words(op, text)
    accounts = await _accounts(op, account_id)
    args = newest(page_args).check()
    scope = (_MATCHES, *of_seen(MESSAGE.account_id, op.viewer.admin))
    last = _last_period(args)
    rows: list[Any] = []
    more = False
    for periods in _windows(last, args):
        left = args if args.backwards else replace(args, first=args.limit - len(rows))
        window = await MESSAGES.page(
            op.db, left, where, *scope, words=_query(accounts, periods, words), owner_id=op.viewer.id
        )
        rows += window.nodes
        more = window.has_previous_page if args.backwards else window.has_next_page
        if more:
            break
    all_periods = range(_period(datetime.now(UTC)) + 1)
    everything = {"words": _query(accounts, all_periods, words), "owner_id": op.viewer.id}
    counting = MESSAGES.counting(op.db, where, scope, None, everything)
    result = MESSAGES.part(args, rows[::-1] if args.backwards else rows, counting)
    if args.backwards:
        result.has_previous_page = more
    else:
        result.has_next_page = more
    return as_chat_messages(op.services, result)


def _windows(last: int, args: PageArgs) -> Iterator[range]:
    """Yields ranges of periods, the newest first. A list in another order is read in one piece."""
    if args.backwards or args.descending is False:
        yield range(last + 1)
        return
    size = 1
    while last >= 0:
        yield range(max(0, last - size + 1), last + 1)
        last, size = last - size, size * 2


def _last_period(args: PageArgs) -> int:
    """Returns the newest period that the page may need."""
    if args.after is None or args.descending is False:
        return _period(datetime.now(UTC))
    return _period(read_cursor(args.after, MESSAGES.cursor_name("at"), MESSAGES.kinds("at"))[0])


def _period(at: datetime) -> int:
    """Returns the period of a time, or rather the next one, since a messenger's clock may be ahead of ours."""
    seconds = (at.astimezone(UTC) - _BEGINNING).total_seconds()
    return min(max(int(seconds // _PERIOD_SECONDS), 0) + 1, _MOST_PERIODS - 1)


def _query(accounts: Sequence[UUID], periods: range, words: Sequence[str]) -> str:
    """Returns the tsquery that finds the words in these accounts and periods."""
    *whole, last = words
    prefix = ":*" if len(last) >= _SHORTEST_PREFIX else ""
    branches = []
    for account, period in product(accounts, periods):
        key = f"{str(account)[-12:]}{period:03x}"
        terms = [*(f"{_quoted(key + word)}" for word in whole), _quoted(key + last) + prefix]
        branches.append(" & ".join(terms))
    return " | ".join(branches)


def _quoted(lexeme: str) -> str:
    escaped = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


async def _words(op: Op, text: str) -> list[str]:
    """Returns the words of what is looked for, in their order, as the index has them."""
    if len(text) > LONGEST_TEXT or "\x00" in text:
        raise ValidationFailed([f"text: must have at most {LONGEST_TEXT} characters, none of them NUL"])
    words = [row.word for row in await op.db.fetch(_WORDS, text)]
    if not words:
        raise BadRequest("There is no word in `text`. Send at least one letter or digit.", code="no_words")
    if len(words) > MOST_WORDS:
        raise BadRequest(
            f"`text` has {len(words)} different words. Send at most {MOST_WORDS}.", code="too_many_words"
        )
    return words


async def _accounts(op: Op, account_id: UUID | None) -> list[UUID]:
    """Returns the accounts to search. Raises NotFound, and BadRequest if there are too many."""
    if account_id is not None:
        return [(await mine(op, account_id)).id]
    accounts = [row.id for row in await op.db.fetch(_ACCOUNTS, op.viewer.id, MOST_ACCOUNTS + 1)]
    if len(accounts) > MOST_ACCOUNTS:
        raise BadRequest(
            f"You have more than {MOST_ACCOUNTS} messenger accounts. Name the one to search.",
            code="account_required",
        )
    return accounts
