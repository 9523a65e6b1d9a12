"""axe finds nothing in any dialog or menu of the console, and none is wider than the window."""

import asyncio
import time
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from core import totp
from tests.console import axe
from tests.console.approval_dialogs import OF_APPROVALS
from tests.console.contact_dialogs import OF_CONTACTS
from tests.console.dialogs import (
    MENU,
    OF_ADMINISTRATORS,
    OF_SECOND_FACTORS,
    OF_USERS,
    Scene,
    State,
    uncovered,
)
from tests.console.looks import LAPTOP, LONG, PHONE, Sizes
from tests.console.message_dialogs import OF_MESSAGES, rows_of_messages
from tests.console.messengers import connect
from tests.console.series_dialogs import OF_SERIES, rows_of_series
from tests.console.sink_dialogs import OF_SINKS
from tests.console.steps import Tab
from tests.console.template_dialogs import OF_TEMPLATES, rows_of_templates
from tests.console.test_callbacks import with_callback
from tests.console.test_members import invite, join
from tests.console.test_segments import new_segment
from tests.console.test_topics import ANNA
from tests.console.users import (
    DELIVERED,
    FAILED,
    call,
    ends,
    made_route,
    new_user,
    price_list,
    route_rule,
    send,
)
from tests.support.live import Live
from tests.support.people import PASSWORD, Person
from tests.support.ports import free_port
from tests.support.waits import eventually

pytestmark = pytest.mark.rotating

# The second scheme of a width is asked about colors alone.
_LOOKS: list[tuple[str, Sizes]] = [
    ("English", ((LAPTOP, ("light", "dark")), (PHONE, ("dark", "light")))),
    ("Русский", ((PHONE, ("light",)),)),
]
every_look = pytest.mark.parametrize(("language", "sizes"), _LOOKS, ids=["English", "Russian"])
_PARTS = 4  # so that several processes look, and none for many minutes

_MAKE = "mutation ($i: NewSendingProject!) { createSendingProject(input: $i) { uuid } }"
_ADD = "mutation ($id: ID!, $i: AddRecipients!) { addRecipients(sendingProjectId: $id, input: $i) { added } }"
_START = "mutation ($id: ID!) { startSendingProject(id: $id) { uuid } }"
_STATUS = "query ($id: ID!) { sendingProject(id: $id) { status } }"
_RULE = "mutation ($i: ApprovalRuleInput!) { setApprovalRule(input: $i) { mode } }"
_PLAN = "mutation ($id: ID!) { makeProjectPlan(id: $id) { hash } }"
_ASK = "mutation ($id: ID!, $i: AskApproval!) { askApproval(id: $id, input: $i) { uuid } }"
_REPEAT = "mutation ($i: NewRepeatableProject!) { createRepeatableSendingProject(input: $i) { uuid } }"
_CONTACT = "mutation ($i: UpsertContact!) { upsertContact(input: $i) { uuid } }"
_BRAND = 'mutation { setBrand(input: { name: "Example Shop" }) { name } }'
_TOPIC = 'mutation { createTopic(input: { key: "news", name: "News" }) { uuid } }'
_SUBSCRIBE = "mutation ($i: SubscribeContacts!) { subscribeContacts(input: $i) { active } }"
_FORM = "mutation ($i: NewSignupForm!) { createSignupForm(input: $i) { uuid } }"
_DOMAIN = 'mutation { createDomain(input: { name: "example.com" }) { uuid } }'
_SENDER = "mutation ($i: NewSourceAccount!) { createSourceAccount(input: $i) { uuid } }"
_SENDER_ID = 'mutation { requestSender(input: { kind: alpha, value: "Acme" }) { uuid } }'
_BLOCK = 'mutation { blockPhone(phone: "+14155550199") { uuid } }'
_TOKEN = 'mutation { createApiToken(input: { name: "nightly export" }) { apiToken { uuid } } }'
_HOOK = "mutation ($i: NewEventWebhook!) { createWebhook(input: $i) { webhook { uuid } } }"
_HOOK_SECRET = "mutation { rotateHookSecret { secret } }"
_DELIVERIES = "query ($id: ID!) { webhookDeliveries(webhookId: $id) { nodes { uuid attempts } } }"
_HOOK_OF_DESK = "mutation ($id: ID!, $i: NewWebhook!) { addWebhook(accountId: $id, input: $i) { secret } }"
_CHATS = "query ($id: ID!) { messengerChats(accountId: $id) { nodes { uuid } } }"
_NOTE = 'mutation ($id: ID!) { createChatNote(chatId: $id, input: { text: "Calls back." }) { uuid } }'
_ANSWER = 'mutation { createCannedAnswer(input: { shortcut: "hours", text: "From 9 to 18." }) { uuid } }'
_LABEL = "mutation ($i: NewChatLabel!) { createChatLabel(input: $i) { uuid } }"
_INVITE = "mutation ($i: Invite!) { inviteUser(input: $i) { userId } }"
_TARIFF = "mutation ($i: SetTariff!) { setTariff(input: $i) { code } }"
_SETTING = 'mutation { updateSettings(input: { values: { theme: "dark" } }) }'
_OPEN = "document.querySelector('[role=dialog], [role=menu]') !== null"
# A dialog has its title's name a moment after it is there.
_NAMED = "document.querySelector('[role=dialog]:not([aria-label]):not([aria-labelledby])') === null"
# The page without anything, which is opened between two others so that the second is a new one.
_NOTHING = "document.querySelector('main h1')?.parentElement.querySelector('a[href^=\"/console\"]') != null"
_GIVE_UP = "UPDATE webhook_deliveries SET state = 'dead', dead_at = now() WHERE id = $1"


class Stage:
    """Opens dialogs one after another in one tab, without loading the page again."""

    def __init__(self, page: Tab, language: str, sizes: Sizes) -> None:
        axe.script()  # skips the test if it is not installed
        self.page, self.language, self.sizes = page, language, sizes
        page.open()
        page.press(language)

    def shows_all(self, scene: Scene, states: list[State]) -> None:
        self.page.open("/console/nothing")
        wrong: dict[tuple[str, int, str], Any] = {}
        for state in states:
            for width, schemes in self.sizes:
                # What floats beside its button is opened at each width; a dialog stays open.
                if state.moves or state.there == MENU or width == self.sizes[0][0]:
                    try:
                        self._open(state, scene, width, schemes[0])
                    except AssertionError as error:
                        wrong[state.name, width, "is not open"] = str(error)
                        break
                for scheme in schemes:
                    if problems := self._look(state, width, scheme, only_colors=scheme != schemes[0]):
                        wrong[state.name, width, scheme] = problems
        assert not wrong, wrong

    def _open(self, state: State, scene: Scene, width: int, scheme: str) -> None:
        page = self.page
        page.at_width(width)
        page.dark(scheme == "dark")
        if page.page.evaluate(_OPEN):
            page.page.press("Escape", 27)  # closes what belongs to no page
        self._go("/nothing")
        page.page.wait(_NOTHING)
        page.page.wait(f"!({_OPEN})")
        self._go(state.path.format(**scene.ids))
        for step in state.steps:
            if callable(step):
                step(page, scene)
            elif isinstance(step, str):
                page.page.click(step.format(**scene.ids))
            else:
                page.page.click(step[0])
                page.page.press("a", 65, ctrl=True, command="selectAll")
                page.page.write(step[1])
        page.sees_element(state.there)
        page.page.wait(_NAMED)

    def _go(self, path: str) -> None:
        """Follows a link of the page. A dialog of the page before is closed with it."""
        self.page.page.evaluate(
            f"history.pushState({{}}, '', {'/console' + path!r});"
            "dispatchEvent(new PopStateEvent('popstate', {state: {}}))"
        )

    def _look(self, state: State, width: int, scheme: str, *, only_colors: bool) -> list[Any]:
        page, within = self.page, state.there.split(" ")[0].split(":")[0]
        page.at_width(width)
        page.dark(scheme == "dark")
        page.page.wait(f"document.documentElement.dataset.mantineColorScheme === {scheme!r}")
        page.sees_element(state.there)
        page.page.wait(f"document.querySelector({within + ' .mantine-Loader-root'!r}) === null")
        # What floats beside a button follows it to a new width a few frames later.
        right = f"Math.ceil(document.querySelector({within!r}).getBoundingClientRect().right)"
        try:
            page.page.wait(f"{right} <= {width}")
            outside = []
        except AssertionError:
            outside = [f"its right side is at {page.page.evaluate(right)}"]
        found = page.violations(only_colors=only_colors, within=within)
        page.picture(f"dialog-{state.name}-{width}-{scheme}-{self.language[:2]}")
        return outside + found


@pytest.fixture(scope="module")
def user(live: Live) -> Scene:
    """A user who has something of everything."""
    user, ids = new_user(live), dict[str, str]()
    ids["account"] = str(user.account_id)
    for name, to in (("delivered", DELIVERED), ("failed", FAILED)):
        ids[name] = send(live, user, to, LONG)
    for name in ("draft", "project"):
        ids[name] = _project(live, user, "+15005550000", "+15005550010")
    ids["slow"] = _project(
        live, user, *(f"+1415555{number:04}" for number in range(60)), speed={"perMinute": 1}
    )
    for name in ("project", "slow"):
        call(live, user, _START, id=ids[name])
    repeatable = {
        "name": "Weekly",
        "template": {"channel": "sms", "text": LONG},
        "schedule": {"cron": "0 9 * * *"},
        "source": {"sendingProjectUuid": ids["draft"]},
    }
    repeated = call(live, user, _REPEAT, i=repeatable)["createRepeatableSendingProject"]["uuid"]
    ids["repeatable"] = str(repeated)
    call(live, user, _BLOCK)
    call(live, user, _SENDER, i={"source": "max", "login": "shop", "token": "a-token-of-eighteen"})
    phone = {"channel": "sms", "address": "+14155550111"}
    anna = {**ANNA, "addresses": [*ANNA["addresses"], phone]}
    ids["contact"] = str(call(live, user, _CONTACT, i=anna)["upsertContact"]["uuid"])
    call(live, user, _BRAND)
    ids["topic"] = str(call(live, user, _TOPIC)["createTopic"]["uuid"])
    subscribed = {"contactUuids": [ids["contact"]], "topicUuids": [ids["topic"]], "channel": "email"}
    call(live, user, _SUBSCRIBE, i=subscribed | {"evidence": "signed form no. 17"})
    call(live, user, _FORM, i={"name": LONG[:100], "topicUuids": [ids["topic"]]})
    subscribers = {"subscription": {"topicUuid": ids["topic"]}}
    ids["segment"] = new_segment(live, user, LONG[:100], subscribers, {"history": {"event": "read"}})
    ids["domain"] = str(call(live, user, _DOMAIN)["createDomain"]["uuid"])
    call(live, user, _SENDER_ID)
    file = ("recipients.txt", LONG.encode())
    assert live.client.post("/file-uploader", files={"file": file}, headers=user.headers).is_success
    ids |= _for_developers(live, user) | _inbox(live, user)
    ids |= _approvals(live, user) | rows_of_messages(live, user) | rows_of_templates(live, user)
    ids |= rows_of_series(live, user)
    ids["member"] = join(live, user, new_user(live), "viewer")
    invite(live, user, f"new-{user.email}", "editor")
    join(live, new_user(live), user, "sender")
    for name in ("delivered", "failed"):
        ends(live, user, ids[name], name)
    _until_finished(live, user, ids["project"])
    return Scene(user, ids)


def _project(live: Live, user: Person, *phones: str, **fields: Any) -> str:
    new = {"name": LONG[:100], "channel": "sms", "text": f"Hello {LONG}", **fields}
    id = str(call(live, user, _MAKE, i=new)["createSendingProject"]["uuid"])
    call(live, user, _ADD, id=id, i={"recipients": [{"phone": phone} for phone in phones]})
    return id


def _approvals(live: Live, user: Person) -> dict[str, str]:
    """A project with a plan, and a request about another one, which its owner may decide alone."""
    call(live, user, _RULE, i={"mode": "off", "selfApproval": True})
    planned, other = (_project(live, user, "+15005550000") for _ in range(2))
    call(live, user, _PLAN, id=planned)
    made = call(live, user, _PLAN, id=other)["makeProjectPlan"]["hash"]
    asked = call(live, user, _ASK, id=other, i={"planHash": made, "note": LONG})["askApproval"]["uuid"]
    return {"planned": planned, "asked": str(asked)}


def _until_finished(live: Live, user: Person, id: str) -> None:
    def is_finished() -> bool:
        return bool(call(live, user, _STATUS, id=id)["sendingProject"]["status"] == "finished")

    eventually(is_finished, "the project is finished")


def _for_developers(live: Live, user: Person) -> dict[str, str]:
    """A webhook with a delivery that is tried again and one that was given up, an API token and a hook secret."""
    hook = call(live, user, _HOOK, i={"url": f"http://127.0.0.1:{free_port()}/{'events-of-orders-' * 6}"})
    webhook = str(hook["createWebhook"]["webhook"]["uuid"])
    token = str(call(live, user, _TOKEN)["createApiToken"]["apiToken"]["uuid"])
    call(live, user, _HOOK_SECRET)
    with_callback(live, user)
    for body in ("One", "Two"):
        send(live, user, DELIVERED, body)

    def tried() -> list[str]:
        rows = call(live, user, _DELIVERIES, id=webhook)["webhookDeliveries"]["nodes"]
        return [str(row["uuid"]) for row in rows if row["attempts"]] if len(rows) > 1 else []

    delivery = eventually(tried, "an event could not be delivered")[0]

    async def give_up() -> None:
        db = await asyncpg.connect(live.database)
        try:
            await db.execute(_GIVE_UP, delivery)
        finally:
            await db.close()

    asyncio.run(give_up())
    return {"webhook": webhook, "token": token, "delivery": delivery}


def _inbox(live: Live, user: Person) -> dict[str, str]:
    """A messenger account with a webhook, and a chat with a note; a label and a canned answer."""
    desk, other = connect(live, user, LONG[:100]), connect(live, new_user(live), "Bob")
    other.writes(desk.phone, "Is it ready?")
    address = "https://93.184.215.14/" + LONG[20:]  # a public address, so that nothing is looked up
    call(live, user, _HOOK_OF_DESK, id=desk.id, i={"webhookUrl": address})
    call(live, user, _ANSWER)
    call(live, user, _LABEL, i={"name": "Complaint", "color": "red"})

    def came_in() -> list[Any]:
        return list(call(live, user, _CHATS, id=desk.id)["messengerChats"]["nodes"])

    chat = str(eventually(came_in, "the message is in the inbox")[0]["uuid"])
    call(live, user, _NOTE, id=chat)
    return {"desk": desk.id, "chat": chat}


@pytest.fixture(scope="module")
def administrator(live: Live) -> Scene:
    """An administrator who looks at a user, at somebody who is invited, at a second tariff and at a setting."""
    user = new_user(live)
    call(live, live.admin, _SETTING)
    call(live, user, _SENDER_ID)
    call(live, live.admin, _TARIFF, i={"code": "dialogs", "name": "Gold", "prices": {"USD": {"sms": 1}}})
    invited = call(live, live.admin, _INVITE, i={"email": f"new-{user.email}"})["inviteUser"]["userId"]
    ids = {"user": str(user.id), "account": str(user.account_id), "invited": str(invited)}
    ids["prices"] = price_list(live, "Dialogs")
    route_rule(live, "49", "sms-1", ownerId=str(user.id))
    made_route(live, "dialogs")
    return Scene(live.admin, ids)


def test_every_dialog_is_in_the_table() -> None:
    assert (
        list(
            uncovered(
                [
                    *OF_USERS,
                    *OF_CONTACTS,
                    *OF_MESSAGES,
                    *OF_APPROVALS,
                    *OF_ADMINISTRATORS,
                    *OF_SECOND_FACTORS,
                    *OF_SINKS,
                    *OF_TEMPLATES,
                    *OF_SERIES,
                ]
            )
        )
        == []
    )


def test_a_dialog_without_a_row_is_named(tmp_path: Path) -> None:
    page = tmp_path / "features" / "ships" / "Page.tsx"
    page.parent.mkdir(parents=True)
    page.write_text("const [asked, ask] = useState<Question | null>(null);\nreturn <Modal opened />;")
    (problem,) = uncovered([], tmp_path)
    assert "features/ships/Page.tsx has 1 dialogs or menus" in problem
    assert list(uncovered([State("ship", "features/ships/Page.tsx", "/ships")], tmp_path)) == []


@pytest.mark.parametrize("part", range(_PARTS))
@every_look
def test_dialogs(page: Tab, live: Live, user: Scene, language: str, sizes: Sizes, part: int) -> None:
    user.ids["doomed"] = _project(live, user.user)
    stage = Stage(page, language, sizes)
    page.has_login_of(user.user)
    stage.shows_all(
        user, [*OF_USERS, *OF_CONTACTS, *OF_MESSAGES, *OF_APPROVALS, *OF_TEMPLATES, *OF_SERIES][part::_PARTS]
    )


@every_look
def test_dialogs_of_administrators(page: Tab, administrator: Scene, language: str, sizes: Sizes) -> None:
    stage = Stage(page, language, sizes)
    page.has_login_of(administrator.user)
    stage.shows_all(administrator, OF_ADMINISTRATORS)


@every_look
def test_dialogs_of_second_factors(page: Tab, live: Live, language: str, sizes: Sizes) -> None:
    """The login was made before the second factor, so that a fresh code is asked for."""
    stage, user = Stage(page, language, sizes), new_user(live)
    page.has_login_of(user)
    login = live.client.post("/auth/login", json={"email": user.email, "password": PASSWORD}).json()
    headers = {"authorization": f"Bearer {login['accessToken']}"}
    made = live.client.post("/auth/second-factors/totp", json={"password": PASSWORD}, headers=headers).json()
    otp = totp.code_of(made["secret"], int(time.time() // totp.STEP_SECONDS))
    path = f"/auth/second-factors/{made['id']}/confirm"
    codes = live.client.post(path, json={"otp": otp}, headers=headers).json()["recoveryCodes"]
    stage.shows_all(Scene(user, {"recovery": codes[0]}), OF_SECOND_FACTORS)
