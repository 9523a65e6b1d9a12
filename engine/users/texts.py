"""Texts of the mails and the page that tell users of changes of themselves, in English and Russian."""

from collections.abc import Mapping
from typing import Final, NamedTuple


class UndoWords(NamedTuple):
    """The texts of one language. `email`, `host`, `until` and `link` are filled in."""

    language: str
    email_subject: str
    email: str
    deleted_subject: str
    deleted: str
    by_admin_subject: str
    by_admin: str  # with `changes`
    changes: Mapping[str, str]
    approval_subject: str
    approval: str  # with `name`, `number` and `asker`
    statement_subject: str  # with `month` and `name`
    statement: str  # with `month`, `name`, `currency`, `opening_balance` and `closing_balance`
    invitation_subject: str
    invitation: str  # with `asker`
    membership_subject: str
    membership: str  # with `asker`
    page_title: str
    page: str
    page_deleted: str
    button: str
    done_title: str
    done: str


_ENGLISH: Final = UndoWords(
    "en",
    "Your email was changed",
    """The user {email} at {host} has another email now, by which this user logs in.

Until {until} UTC you can also log in with {email}, and links to set a new password are mailed to it alone.

If it was not you, undo it by {until} UTC:
{link}

This restores the email {email}, ends all logins, and the API tokens and second factors that were made since, and mails
you a link to set a new password.
""",
    "Your user was deleted",
    """The user {email} at {host} was deleted by this user's own login.

If it was not you, undo it by {until} UTC:
{link}

This makes the user active again, with the email {email}, and mails you a link to set a new password. Projects stay
stopped, and API tokens stay ended.
""",
    "An administrator changed your user",
    """An administrator changed the user {email} at {host}:

{changes}

If you did not expect it, ask the administrator.
""",
    {
        "email": "This user logs in with another email now.",
        "roles": "The roles of this user are other ones now.",
        "active": "This user is active.",
        "suspended": "This user is suspended.",
        "deleted": "This user is deleted.",
    },
    "A plan waits for your decision",
    """{asker} asks you to approve plan {number} of the project "{name}" at {host}.

The page shows what will be sent, what it costs, and what is different from the last plan that was approved:
{link}

The link opens nothing by itself: log in as {email}.
""",
    "Statement of {month}: {name}",
    """The statement of {month} of your account "{name}" at {host} is there.

Opening balance: {opening_balance} {currency}
Closing balance: {closing_balance} {currency}

The page shows what each channel, country and project has cost:
{link}

The link opens nothing by itself: log in as {email}. To get no more of these mails, switch them off on that page.
""",
    "Your invitation",
    """{asker} invites you to {host}, as the user {email}.

Choose your password by {until} UTC, and you are logged in:
{link}

The link works once, for everybody who has it: do not pass it on. If you did not expect it, ignore this mail.
""",
    "An invitation to work together",
    """{asker} invites you to work with their data at {host}.

Accept it by {until} UTC, logged in as {email}:
{link}

If you have no user there yet, ask an administrator for one first. If you did not expect it, ignore this mail.
""",
    "Undo the change of your user?",
    "The email becomes {email} again. All logins end, and so do the API tokens and second factors that were made since"
    " the change. The password ends, too: you get a mail with a link to set a new one.",
    "The user was deleted, and becomes active again. Projects stay stopped, and API tokens stay ended.",
    "Undo",
    "The change is undone",
    "Look into the mailbox of {email} for a link to set a new password. Then check your members, webhooks and hook"
    " secrets: what was made there stays.",
)
_RUSSIAN: Final = UndoWords(
    "ru",
    "Ваш email изменён",
    """У пользователя {email} на {host} теперь другой email для входа.

До {until} UTC можно входить и с {email}, и только на него приходят ссылки для нового пароля.

Если это сделали не вы, отмените это до {until} UTC:
{link}

Тогда снова будет действовать {email}, завершатся все сеансы, а также токены API и вторые факторы, созданные после
изменения, и придёт ссылка, по которой задают новый пароль.
""",
    "Ваш пользователь удалён",
    """Пользователь {email} на {host} удалён из собственного сеанса.

Если это сделали не вы, отмените это до {until} UTC:
{link}

Тогда пользователь снова станет активным, с адресом {email}, и придёт ссылка, по которой задают новый пароль. Проекты
останутся остановленными, токены API — завершёнными.
""",
    "Администратор изменил вашего пользователя",
    """Администратор изменил пользователя {email} на {host}:

{changes}

Если вы этого не ждали, спросите администратора.
""",
    {
        "email": "Для входа теперь другой email.",
        "roles": "Роли теперь другие.",
        "active": "Пользователь активен.",
        "suspended": "Пользователь заблокирован.",
        "deleted": "Пользователь удалён.",
    },
    "План ждёт вашего решения",
    """{asker} просит согласовать план {number} рассылки «{name}» на {host}.

Страница показывает, что будет отправлено, сколько это стоит и чем отличается от последнего согласованного плана:
{link}

Сама ссылка ничего не открывает: войдите как {email}.
""",
    "Выписка за {month}: {name}",
    """Готова выписка за {month} по вашему счёту «{name}» на {host}.

Баланс на начало: {opening_balance} {currency}
Баланс на конец: {closing_balance} {currency}

Страница показывает, сколько стоили каналы, страны и рассылки:
{link}

Сама ссылка ничего не открывает: войдите как {email}. Отключить такие письма можно на той же странице.
""",
    "Приглашение",
    """{asker} приглашает вас на {host}. Ваш пользователь: {email}.

До {until} UTC задайте пароль, и вы войдёте:
{link}

Ссылка сработает один раз у любого, у кого она есть: не пересылайте её. Если вы этого не ждали, ничего не делайте.
""",
    "Приглашение к совместной работе",
    """{asker} приглашает вас работать со своими данными на {host}.

Примите приглашение до {until} UTC, войдя как {email}:
{link}

Если пользователя там у вас ещё нет, его сначала создаёт администратор. Если вы этого не ждали, ничего не делайте.
""",
    "Отменить изменение?",
    "Снова будет действовать email {email}. Завершатся все сеансы, а также токены API и вторые факторы, созданные после"
    " изменения. Пароль тоже перестанет действовать: придёт письмо со ссылкой, по которой задают новый.",
    "Пользователь удалён и снова станет активным. Проекты останутся остановленными, токены API — завершёнными.",
    "Отменить",
    "Изменение отменено",
    "На {email} придёт ссылка, по которой задают новый пароль. Затем проверьте участников, вебхуки и секреты хуков: то,"
    " что там создано, остаётся.",
)
_BY_LANGUAGE: Final = {words.language: words for words in (_ENGLISH, _RUSSIAN)}


def undo_words(locale: str | None) -> UndoWords:
    """Returns the texts in the language of a locale, or in English."""
    return _BY_LANGUAGE.get((locale or "en").partition("-")[0], _ENGLISH)
