"""Every dialog, menu and popover of the console: its page, and what is done until it is open.

`uncovered` compares the table with the source of the console, so a new dialog needs a row.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.console.steps import Tab
from tests.console.users import FAILED, call
from tests.linters.console_rooms import imports
from tests.support.people import Person

_SOURCE = Path(__file__).parents[2] / "console" / "src"
_PARTS = "Modal|Drawer|Menu|Popover|HoverCard|Spotlight|Confirm|Question|SecretDialog|OpenedMenu|FormDialog"
_OPENS = re.compile(rf"(?<!\w)<({_PARTS})\b(?!\.)")
_IS_PART = re.compile(rf"export function ({_PARTS})\b")

DIALOG, MENU = "[role=dialog]", "[role=menu]"


@dataclass(frozen=True)
class Scene:
    """The user who is logged in, and the ids of rows that this user has."""

    user: Person
    ids: dict[str, str]


Step = str | tuple[str, str] | Callable[[Tab, Scene], None]


@dataclass(frozen=True)
class State:
    """A page, and the steps that open something in it: a selector is clicked, a text is written into a field."""

    name: str
    file: str  # below console/src
    path: str
    steps: tuple[Step, ...] = ()
    there: str = DIALOG
    moves: bool = False  # what opens it stands elsewhere at another width, so it is opened anew there


_OPENED_ELSEWHERE = {
    "features/costs/InvoicesPage.tsx": "the question before an invoice goes, as before a rule of routes goes",
    "features/deliverability/Receivers.tsx": "the questions before a rule goes or a pause ends, as of rules of routes",
    "features/brand/BrandDomains.tsx": "the question before a domain goes, as before a brand goes",
    "features/contacts/lists/SubscribeList.tsx": "it needs an import that has ended: test_campaign_people.py opens it",
}


def uncovered(states: list[State], source: Path = _SOURCE) -> Iterator[str]:
    """Yields a sentence for each file that opens more than the table does."""
    rows = Counter(state.file for state in states)
    needed_by = imports(source)
    for file in sorted(needed_by):
        if not file.endswith(".tsx"):
            continue
        text = (source / file).read_text()
        count = len(_OPENS.findall(text)) - len(_IS_PART.findall(text))
        # A part of the frame is opened by the rows of the files that use it.
        if file.startswith("frame/") and any(file in needed_by[row] for row in rows):
            continue
        if rows[file] < count and file not in _OPENED_ELSEWHERE:
            yield f"console/src/{file} has {count} dialogs or menus, and tests/console/dialogs.py opens {rows[file]}"
    yield from (f"console/src/{file} is not there" for file in sorted(rows) if file not in needed_by)


def icon(name: str, where: str = "main") -> str:
    """Selects the buttons with this icon, in every language."""
    return f"{where} button:has(.tabler-icon-{name})"


def _last_button(tab: Tab, scene: Scene) -> None:
    tab.page.wait("document.querySelector('main .mantine-Loader-root') === null")
    last = "[...document.querySelectorAll('main button')].at(-1)"
    tab.page.wait(f"{last}?.disabled === false && {last}.click() === undefined")


def _deleted_elsewhere(tab: Tab, scene: Scene) -> None:
    """Deletes the project that is about to be deleted here."""
    gone = "mutation ($id: ID!) { deleteSendingProject(id: $id) }"
    call(tab.live, scene.user, gone, id=scene.ids["doomed"])


def _palette(tab: Tab, scene: Scene) -> None:
    tab.page.press("k", 75, ctrl=True)


def _recovery_code(tab: Tab, scene: Scene) -> None:
    tab.page.click("[role=dialog] input")
    tab.page.write(scene.ids["recovery"])


_YES = "[role=dialog] .mantine-Group-root > button:last-child"
_SUBMIT = "[role=dialog] button[type=submit]"
_MORE, _FILES = (f"{icon(name)}[aria-haspopup=menu]" for name in ("dots", "download"))
_SWITCH = "main input[role=switch]"
_ITEM = "[role=menu] button:has(.tabler-icon-{})"

_FRAME, _PROJECTS, _ONE = "frame/shell", "features/projects", "features/projects/one"
_MAKING, _MESSENGER, _INBOX = "features/projects/new", "features/messengers/one", "features/inbox"
_WEBHOOKS, _TOKENS = "features/developer/webhooks", "features/developer/tokens"
_SECRETS, _BLOCKS = "features/developer/hooks/HookSecretsPage.tsx", "features/blocks"
_CALLBACKS = "features/developer/callbacks/CallbacksPage.tsx"
_ACCOUNTS, _USERS, _MEMBERS = "features/accounts", "features/users", "features/members"
_PRICES, _ROUTES = "features/tariffs/lists", "features/routes"
_ROUTE, _RULE = "main .mantine-Paper-root:has([role=switch])", "main td:has(.tabler-icon-pencil)"

_PROJECT, _DRAFT = "/projects/{project}", "/projects/new?project={draft}"
_WEBHOOK, _CHAT, _DESK = "/webhooks/{webhook}", "/inbox/{desk}/{chat}", "/messengers/{desk}"
_HOOKS_OF_DESK, _ACCOUNT = f"{_DESK}?tab=webhooks", "/accounts/{account}"
_HEAD = "main [data-actions] button"
_FACTOR = "main .mantine-Paper-root:not(:has(form)) .mantine-Group-root > button"
_CODES = "main .mantine-Paper-root:not(:has(form)) .mantine-Group-root + .mantine-Group-root > button"
_LABELS: tuple[Step, ...] = (icon("tag"), "[role=dialog] button:last-child")
_ANSWERS: tuple[Step, ...] = (("main form textarea", "/"), "[role=listbox] ~ button")
_CARD_MENU = "main article button[aria-haspopup=menu]"
_CHOSEN_PROJECT = "main [role=row]:has(a[href$='{doomed}']) input[type=checkbox]"

_INVITED = "main tr:has(button:nth-of-type(3))"
_JOINED = "main tr:has(button:nth-of-type(2)):not(:has(button:nth-of-type(3)))"

OF_USERS = [
    State("theme", f"{_FRAME}/menus/ThemeMenu.tsx", "/nothing", ("header button:nth-last-of-type(2)",), MENU),
    State(
        "user-menu",
        f"{_FRAME}/menus/UserMenu.tsx",
        "/nothing",
        ("header button[aria-haspopup=menu]:last-of-type",),
        MENU,
    ),
    State("test-mode", "frame/sandbox/TestModeFacts.tsx", "/nothing", ("header [aria-haspopup=dialog]",)),
    State("palette", f"{_FRAME}/Palette.tsx", "/nothing", (_palette,)),
    State("log-out", f"{_FRAME}/LogoutEverywhere.tsx", "/profile", (_last_button,)),
    State("filter", "frame/list/FilterMenu.tsx", "/blocks", ("main button[aria-haspopup=menu]",), MENU),
    State("period", "frame/period/PeriodFilter.tsx", _ACCOUNT, ("main button[aria-haspopup=dialog]",)),
    State("exports", "frame/files/Exports.tsx", _PROJECT, (_FILES,), MENU),
    State("columns", "frame/files/ChooseColumns.tsx", _PROJECT, (_FILES, _ITEM.format("columns"))),
    State("send", "features/messages/send/SendDialog.tsx", "/messages?send=1"),
    State(
        "sent",
        "features/messages/send/Done.tsx",
        "/messages?send=1",
        (
            "[role=dialog] input[value=email] + label",
            ("[role=dialog] input[data-autofocus]", FAILED),
            ("[role=dialog] textarea", "Hello"),
            _SUBMIT,
        ),
        "[role=dialog] [role=status].mantine-Alert-root",
    ),
    State("again", "features/messages/one/MessagePage.tsx", "/messages/{delivered}", (icon("repeat"),)),
    State(
        "block-recipients",
        "features/messages/list/BulkBar.tsx",
        "/messages",
        ("[role=cell] input[type=checkbox]", icon("ban", "main [role=group]")),
    ),
    State("block", f"{_BLOCKS}/AddBlock.tsx", "/blocks?add=1"),
    State("block-summary", f"{_BLOCKS}/BlockSummary.tsx", "/blocks", (icon("chart-bar"),)),
    State("block-file", f"{_BLOCKS}/ImportBlocks.tsx", "/blocks", (icon("file-upload"),)),
    State("block-exports", f"{_BLOCKS}/BlocksPage.tsx", "/blocks", (icon("download"),)),
    State("unblock", f"{_BLOCKS}/UnblockDialog.tsx", "/blocks", (icon("trash"),)),
    State("invite-member", f"{_MEMBERS}/InviteDialog.tsx", "/members?invite=1"),
    State("change-member", f"{_MEMBERS}/ChangeDialog.tsx", "/members?edit={member}"),
    State("member-link", f"{_MEMBERS}/LinkDialog.tsx", "/members", (f"{_INVITED} button:nth-of-type(1)",)),
    State("withdraw", f"{_MEMBERS}/RemoveDialog.tsx", "/members", (f"{_INVITED} button:nth-of-type(3)",)),
    State("remove-member", f"{_MEMBERS}/RemoveDialog.tsx", "/members", (f"{_JOINED} button:nth-of-type(2)",)),
    State(
        "leave",
        "features/profile/Memberships.tsx",
        "/profile",
        ("main [data-membership] button:last-of-type",),
    ),
    State("audit-exports", "features/audit/AuditPage.tsx", "/audit", (_HEAD,)),
    State(
        "notifications",
        f"{_INBOX}/notifications/NotifyMenu.tsx",
        "/inbox",
        ("main [data-actions] button[aria-haspopup=menu]",),
        MENU,
    ),
    State("delete-file", "features/files/DeleteFiles.tsx", "/files", (icon("trash", "main td"),)),
    State("add-sender", "features/senders/AddSender.tsx", "/senders?add=1"),
    State("delete-sender", "features/senders/SendersPage.tsx", "/senders", (icon("trash"),)),
    State("add-domain", "features/domains/AddDomain.tsx", "/domains?add=1"),
    State("delete-domain", "features/domains/DomainPage.tsx", "/domains/{domain}", (icon("trash"),)),
    State("rotate-key", "features/domains/DomainPage.tsx", "/domains/{domain}", (icon("key"),)),
    State("ask-sender", "features/senderIds/AskDialog.tsx", "/senders/ids?ask=1"),
    State("sender-countries", "features/senderIds/CountriesDialog.tsx", "/senders/ids", ("main td button",)),
    State("delete-sender-id", "features/senderIds/SenderIdsPage.tsx", "/senders/ids", (icon("trash"),)),
    State("speed", f"{_ONE}/SpeedDialog.tsx", "/projects/{slow}?change=speed"),
    State("duplicate", f"{_ONE}/DuplicateDialog.tsx", _PROJECT, (icon("copy"),)),
    State("retry", f"{_ONE}/RetryDialog.tsx", _PROJECT, (icon("refresh"),)),
    State("stop", f"{_ONE}/Actions.tsx", "/projects/{slow}", (icon("player-stop"),)),
    State("delete-brand", "features/brand/BrandPage.tsx", "/brand", (icon("trash"),)),
    State("write", f"{_MAKING}/text/WriteDialog.tsx", f"{_DRAFT}&step=text", (icon("sparkles"),)),
    State("trial", f"{_MAKING}/text/TrialDialog.tsx", f"{_DRAFT}&step=text", (icon("send"),)),
    State("remove", f"{_MAKING}/recipients/RemoveDialog.tsx", _DRAFT, (icon("user-minus"),)),
    State("start", f"{_MAKING}/plan/CheckStep.tsx", f"{_DRAFT}&step=check", (_last_button,)),
    State("not-added", f"{_MAKING}/NewProjectPage.tsx", f"{_DRAFT}&list={{draft}}", (_last_button,)),
    State(
        "delete-projects",
        f"{_PROJECTS}/list/BulkBar.tsx",
        "/projects",
        (_CHOSEN_PROJECT, icon("trash", "main [role=group]")),
    ),
    State(
        "not-deleted",
        f"{_PROJECTS}/list/BulkBar.tsx",
        "/projects",
        (_CHOSEN_PROJECT, icon("trash", "main [role=group]"), _deleted_elsewhere, _YES),
        "[role=dialog] li",
    ),
    State("switch", f"{_PROJECTS}/repeatable/Toggle.tsx", "/repeatable", (_SWITCH,)),
    State(
        "delete-repeatable",
        f"{_PROJECTS}/repeatable/OneRepeatablePage.tsx",
        "/repeatable/{repeatable}",
        (icon("trash"),),
    ),
    State("test-messenger", f"{_MESSENGER}/SendTest.tsx", _DESK, (icon("send"),)),
    State("messenger-menu", f"{_MESSENGER}/Actions.tsx", _DESK, (_MORE,), MENU),
    State("messenger-clear", f"{_MESSENGER}/Actions.tsx", _DESK, (_MORE, _ITEM.format("logout"))),
    State(
        "stop-for-proxy",
        f"{_MESSENGER}/ProxyTab.tsx",
        f"{_DESK}?tab=proxy",
        ("main .mantine-Alert-root button",),
    ),
    State("messenger-webhook", f"{_MESSENGER}/AddWebhook.tsx", _HOOKS_OF_DESK, (icon("plus"),)),
    State("webhook-menu", f"{_MESSENGER}/WebhookCard.tsx", _HOOKS_OF_DESK, (_CARD_MENU,), MENU),
    State(
        "webhook-rotate", f"{_MESSENGER}/WebhooksTab.tsx", _HOOKS_OF_DESK, (_CARD_MENU, _ITEM.format("key"))
    ),
    State(
        "webhook-secret",
        f"{_MESSENGER}/WebhooksTab.tsx",
        _HOOKS_OF_DESK,
        (_CARD_MENU, _ITEM.format("key"), _YES),
        "[data-secret]",
    ),
    State("new-chat", f"{_INBOX}/OpenChat.tsx", "/inbox?new=1"),
    State("labels-of-chat", f"{_INBOX}/labels/LabelMenu.tsx", _CHAT, (icon("tag"),)),
    State("labels", f"{_INBOX}/labels/LabelsDialog.tsx", _CHAT, _LABELS),
    State(
        "delete-label", f"{_INBOX}/labels/LabelsDialog.tsx", _CHAT, (*_LABELS, icon("trash", "[role=dialog]"))
    ),
    State("answers", f"{_INBOX}/answers/AnswersDialog.tsx", _CHAT, _ANSWERS),
    State(
        "new-answer",
        f"{_INBOX}/answers/AnswersDialog.tsx",
        _CHAT,
        (*_ANSWERS, icon("plus", DIALOG)),
        "[role=dialog] textarea",
    ),
    State(
        "delete-answer",
        f"{_INBOX}/answers/AnswersDialog.tsx",
        _CHAT,
        (*_ANSWERS, icon("trash", DIALOG)),
    ),
    State(
        "delete-note", f"{_INBOX}/conversation/NoteBubble.tsx", _CHAT, (icon("trash", "main [data-note]"),)
    ),
    State("token", f"{_TOKENS}/TokenForm.tsx", "/tokens?new=1"),
    State("token-history", f"{_TOKENS}/TokensPage.tsx", "/tokens?history={token}", (), "[role=dialog] td"),
    State(
        "token-secret",
        f"{_TOKENS}/TokensPage.tsx",
        "/tokens?new=1",
        (("[role=dialog] input[data-autofocus]", "backup"), _SUBMIT),
        "[data-secret]",
    ),
    State("revoke-token", f"{_TOKENS}/RevokeDialog.tsx", "/tokens", ("main td button:last-child",)),
    State("new-key", _SECRETS, "/hook-secrets", (icon("key"),)),
    State("rotate-secret", _SECRETS, "/hook-secrets", (icon("refresh"),)),
    State("revoke-secret", _SECRETS, "/hook-secrets", ("main td button",)),
    State("hook-key", _SECRETS, "/hook-secrets", (icon("key"), _YES), "[data-secret]"),
    State("remove-host", _CALLBACKS, "/callbacks", ("main td button",)),
    State("rotate-callbacks", _CALLBACKS, "/callbacks", (icon("refresh"),)),
    State("callback-secret", _CALLBACKS, "/callbacks", (icon("refresh"), _YES), "[data-secret]"),
    State(
        "end-feed",
        "features/developer/events/EventsPage.tsx",
        "/events",
        ("main .mantine-Group-root:has(+ [role=log]) > button:last-child",),
    ),
    State("webhook-actions", f"{_WEBHOOKS}/Actions.tsx", _WEBHOOK, (_MORE,), MENU),
    State("webhook-off", f"{_WEBHOOKS}/Actions.tsx", _WEBHOOK, (_MORE, _ITEM.format("player-stop"))),
    State("webhook-delete", f"{_WEBHOOKS}/Actions.tsx", _WEBHOOK, (_MORE, _ITEM.format("trash"))),
    State("webhook-key", f"{_WEBHOOKS}/Actions.tsx", _WEBHOOK, (_MORE, _ITEM.format("key"))),
    State("new-key-of-webhook", f"{_WEBHOOKS}/Actions.tsx", _WEBHOOK, (_MORE, _ITEM.format("key"), _YES)),
    State("replay", f"{_WEBHOOKS}/deliveries/ReplayDialog.tsx", _WEBHOOK, (_MORE, _ITEM.format("repeat"))),
    State("tested", f"{_WEBHOOKS}/TestDialog.tsx", _WEBHOOK, (icon("send"),)),
    State(
        "delivery",
        f"{_WEBHOOKS}/deliveries/DeliveryDialog.tsx",
        f"{_WEBHOOK}?delivery={{delivery}}",
        (),
        "[role=dialog] pre",
    ),
    State(
        "given-up",
        f"{_WEBHOOKS}/deliveries/Deliveries.tsx",
        f"{_WEBHOOK}?tab=dead",
        ("main [role=tabpanel] .mantine-Group-root > button:has(+ p)",),
    ),
    State(
        "made-webhook",
        f"{_WEBHOOKS}/NewWebhookPage.tsx",
        "/webhooks/new",
        (("main form input", "http://127.0.0.1:65001/events"), "main button[type=submit]"),
        "[data-secret]",
    ),
]

OF_ADMINISTRATORS = [
    State("open-account", f"{_ACCOUNTS}/Dialogs.tsx", "/accounts?open=1"),
    State("change-account", f"{_ACCOUNTS}/Dialogs.tsx", _ACCOUNT, (icon("pencil"),)),
    State("low-balance", f"{_ACCOUNTS}/Dialogs.tsx", _ACCOUNT, (icon("bell"),)),
    State("credit", f"{_ACCOUNTS}/CreditDialog.tsx", _ACCOUNT, (icon("coins"),)),
    State(
        "credit-sure",
        f"{_ACCOUNTS}/CreditDialog.tsx",
        _ACCOUNT,
        (icon("coins"), ("[role=dialog] input", "25"), _SUBMIT),
        "[role=dialog]:not(:has(input))",
    ),
    State("invite", f"{_USERS}/InviteDialog.tsx", "/users?invite=1"),
    State("suspend", f"{_USERS}/StatusDialog.tsx", "/users/{user}", (_HEAD,)),
    State(
        "invitation",
        f"{_USERS}/StatusDialog.tsx",
        "/users/{invited}",
        (_HEAD, _YES),
        "[role=dialog] code",
    ),
    State("check-domain", "features/domains/CheckDialog.tsx", "/domains", (icon("search"),)),
    State(
        "decide-sender", "features/senderIds/DecideDialog.tsx", "/senders/ids", ("main td:last-child button",)
    ),
    State("choose-tariff", "features/tariffs/ChooseTariff.tsx", "/tariffs", ("main td button",)),
    State("price-list-new", f"{_PRICES}/PriceListDialog.tsx", "/tariffs/lists?add=1"),
    State("price-list-edit", f"{_PRICES}/PriceListDialog.tsx", "/tariffs/lists/{prices}", (icon("pencil"),)),
    State("price-version", f"{_PRICES}/AddVersion.tsx", "/tariffs/lists/{prices}", (icon("plus"),)),
    State("price-list-delete", f"{_PRICES}/PriceListPage.tsx", "/tariffs/lists/{prices}", (icon("trash"),)),
    State(
        "price-version-delete",
        f"{_PRICES}/PriceListPage.tsx",
        "/tariffs/lists/{prices}",
        (icon("trash", "main td"),),
    ),
    State("set-costs", "features/costs/SetCostsDialog.tsx", "/costs", ("main .mantine-Paper-root button",)),
    State("add-invoice", "features/costs/NewInvoiceDialog.tsx", "/costs/invoices", (icon("plus"),)),
    State(
        "receiver-rule", "features/deliverability/ReceiverRuleDialog.tsx", "/deliverability", (icon("plus"),)
    ),
    State("add-rule", f"{_ROUTES}/RuleDialog.tsx", "/routes?add=1"),
    State("change-rule", f"{_ROUTES}/RuleDialog.tsx", "/routes", (icon("pencil"),)),
    State("delete-rule", f"{_ROUTES}/Rules.tsx", "/routes", (icon("trash", _RULE),)),
    State("route-off", f"{_ROUTES}/RouteTable.tsx", "/routes", (_SWITCH,)),
    State("add-route", f"{_ROUTES}/NewRouteDialog.tsx", "/routes", (icon("plus", _ROUTE),)),
    State("delete-route", f"{_ROUTES}/RouteTable.tsx", "/routes", (icon("trash", _ROUTE),)),
    State(
        "delete-provider",
        "features/system/providers/ProvidersPage.tsx",
        "/system/providers",
        (icon("trash"),),
    ),
    State("setting", "features/settings/EntryDialog.tsx", "/settings?add=1"),
    State("delete-setting", "features/settings/Entries.tsx", "/settings", (icon("trash", "main td"),)),
]

OF_SECOND_FACTORS = [
    State("code", "frame/shell/CodeDialog.tsx", "/profile", (_FACTOR,)),
    State(
        "recovery-codes",
        "features/profile/SecondFactors.tsx",
        "/profile",
        (_CODES, _recovery_code, _SUBMIT),
        "[data-secret]",
    ),
]
