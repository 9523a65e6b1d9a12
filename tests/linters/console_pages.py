"""The pages of the console look the same: one head, one empty state, one kind of form."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.linters.console_rooms import Imports, imports

_SOURCE = Path(__file__).parents[2] / "console" / "src"

HEADS = {"frame/ui/page/PageHead.tsx", "frame/shell/CenteredPage.tsx"}
# What stands in the middle of an empty window or of an empty page, with no buttons at the end of its title.
CENTERED = HEADS | {
    "features/users/InvitationPage.tsx",
    "frame/shell/Unreachable.tsx",
    "frame/shell/NotInUse.tsx",
    "frame/shell/acting/NotForRole.tsx",
    "frame/ui/page/AdminOnly.tsx",
    "frame/ui/page/NotFound.tsx",
}
# Forms that are no `useRequestForm`, each with its reason (docs/decisions/0058-forms-of-the-console.md).
OWN_FORMS = {
    "features/login/LoginPage.tsx": "it is on the first page, which does not load the library",
    "frame/shell/CodeDialog.tsx": "every page loads it, and it has one field",
    "features/developer/tokens/TokenForm.tsx": "a draft of its own",
    "features/developer/webhooks/NewWebhookPage.tsx": "a draft of its own",
    "features/developer/webhooks/SettingsTab.tsx": "a draft of its own",
    "features/projects/repeatable/ScheduleForm.tsx": "a draft of its own",
    "features/tariffs/TariffForm.tsx": "a draft of its own",
    "features/messengers/one/BehaviourForm.tsx": "it shows what others change while it is open",
    "features/users/PersonCard.tsx": "it shows what others change while it is open",
    "features/inbox/OpenChat.tsx": "it sends nothing",
    "frame/files/ChooseColumns.tsx": "its caller starts the export",
}
_OWN_SUBMIT = re.compile(r"\bSubmitEvent\b")
_TITLE = re.compile(r"<Title\b[^>]*\border=\{1\}")
_ROUTE = re.compile(r"^export default function \w+Page\b", re.MULTILINE)
_HAND_MADE = re.compile(r'<Text\b(?=[^>]*\brole="status")(?=[^>]*\bta="center")')


def check(source: Path = _SOURCE) -> list[str]:
    """Returns what is against the rules, a sentence each."""
    return [*_heads(source), *_empty(source), *_forms(source)]


def _heads(source: Path) -> Iterator[str]:
    imported = imports(source)
    for name in imported:
        if not name.endswith(".tsx") or name in CENTERED:
            continue
        text = (source / name).read_text()
        if _TITLE.search(text):
            yield f"console/src/{name} has a title of its own: the head of a page is <PageHead>"
        if _ROUTE.search(text) and HEADS.isdisjoint(_parts(name, imported)):
            yield f"console/src/{name} is a page without <PageHead>"


def _parts(page: str, imported: Imports) -> set[str]:
    """Returns what a page imports, by itself or by other files."""
    parts, waiting = set[str](), [page]
    while waiting:
        for part in imported.get(waiting.pop(), []):
            if part not in parts:
                parts.add(part)
                waiting.append(part)
    return parts


def _empty(source: Path) -> Iterator[str]:
    for file in sorted(source.rglob("*.tsx")):
        name = file.relative_to(source).as_posix()
        if name != "frame/ui/page/Empty.tsx" and _HAND_MADE.search(file.read_text()):
            yield f"console/src/{name} says by hand that nothing is there: use <Empty> or <EmptyList>"


def _forms(source: Path) -> Iterator[str]:
    for file in sorted(source.rglob("*.tsx")):
        name = file.relative_to(source).as_posix()
        if _OWN_SUBMIT.search(file.read_text()) and name not in OWN_FORMS:
            yield f"console/src/{name} handles the sending of a form by itself: use useRequestForm"
