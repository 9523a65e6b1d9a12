"""The logins and recipients of the sandbox that play a scenario."""

from uuid import uuid4

import pytest

from messengers.port import CodeInvalid, MessengerError, Outgoing, PasswordInvalid, Progress, Sent, Throttled
from messengers.sandbox import Simulation
from messengers.sandbox.simulator import scenarios
from shapes.messenger_accounts import AccountState, MessengerSource
from tests.docs.pages import plain, rows, section
from tests.messengers.recorder import Live
from tests.messengers.rig import How
from tests.messengers.sandbox_accounts import TELEGRAM, WHATSAPP, S, account, goes_through
from tests.support.waits import until

pytestmark = pytest.mark.servers


def test_the_tables_of_the_documents_are_those_of_the_code():
    logins = list(rows(section("docs/messengers.md", "Magic logins"), "login or phone"))
    assert [plain(name).removeprefix("sandbox-").replace("-", "_") for _, name, _ in logins] == list(
        scenarios.Login
    )
    for number, name, _ in logins:
        by_number = scenarios.login(plain(number).replace("x", "7"), None)
        assert by_number == scenarios.login(plain(name), None) == scenarios.login(f"{plain(name)}-3", None)
    recipients = list(rows(section("docs/messengers.md", "Magic recipients"), "recipient"))
    assert [plain(name).removeprefix("@sandbox_") for _, name, _ in recipients] == list(scenarios.Recipient)
    for number, name, _ in recipients:
        address = scenarios.address(plain(number).replace("x", "7"))
        assert scenarios.recipient(address) == scenarios.recipient(scenarios.address(plain(name)))


def test_no_magic_word_is_both_a_login_and_a_recipient_that_would_swallow_its_messages():
    works = {
        scenarios.Login.plain,
        scenarios.Login.second,
        scenarios.Login.unused,
        scenarios.Login.late,
        scenarios.Login.dropping,
    }
    assert not {str(login) for login in works} & set(scenarios.Recipient)


@pytest.mark.parametrize(
    "number", ["15005550999", "15005551300", "1500555100", "150055510000", "25005551040"]
)
def test_other_numbers_are_ordinary(number: str):
    assert scenarios.login(number, None) is scenarios.Login.plain
    assert scenarios.recipient(number) is None


LOGINS = [
    ("15005551000", None, TELEGRAM, [S.starting, S.waitQr, S.syncing, S.working]),
    ("15005551000", "15005551000", WHATSAPP, [S.showCode, S.syncing, S.working]),
    ("15005551010", None, WHATSAPP, [S.waitQr, S.waitQr, S.working]),
    ("15005551020", None, TELEGRAM, [S.waitQr, S.waitQr, S.waitQr]),
    ("15005551020", "15005551020", WHATSAPP, [S.showCode, S.showCode, S.showCode]),
    ("15005551020", "15005551020", TELEGRAM, [S.waitCode, S.waitCode]),
    ("15005551030", None, TELEGRAM, [S.waitQr, S.waitPassword]),
    ("15005551040", None, TELEGRAM, [S.starting, S.blocked]),
    ("15005551050", None, TELEGRAM, [S.starting, S.failed]),
    ("15005551060", None, TELEGRAM, [S.working, S.blocked]),
    ("15005551070", None, TELEGRAM, [S.working, S.reconnecting, S.working, S.reconnecting, S.working]),
    ("15005551080", None, TELEGRAM, [S.working, S.loggedOut]),
    ("15005551090", None, TELEGRAM, [S.starting, S.waitQr, S.syncing, S.working]),
    ("15005551100", None, TELEGRAM, [S.starting, S.reconnecting, S.reconnecting]),
    ("15005551110", None, TELEGRAM, [S.starting, S.waitPhone]),
    ("15005551110", "15005551110", TELEGRAM, [S.starting, S.waitCode]),
]


@pytest.mark.parametrize(
    ("login", "phone", "source", "states"),
    LOGINS,
    ids=[
        f"{scenarios.login(login, phone)}-{source}{'-phone' * bool(phone)}"
        for login, phone, source, _ in LOGINS
    ],
)
async def test_magic_logins(
    simulation: Simulation, login: str, phone: str | None, source: MessengerSource, states: list[AccountState]
):
    async with account(simulation, login, phone, source) as one:
        await one.start()
        await goes_through(one, *states)
        if states[-1] is S.failed:
            change = one.told.changes[-1]
            assert change.code == "flood_wait"
            assert change.until is not None


@pytest.mark.parametrize("step", [S.waitCode, S.waitPassword], ids=str)
async def test_the_third_wrong_code_or_password_is_the_last(simulation: Simulation, step: AccountState):
    async with account(simulation, "15005551030", "15005551030") as one:
        await one.start()
        await one.at(S.waitCode)
        if step is S.waitPassword:
            await one.connection.code("12345")
            await one.at(S.waitPassword)
        lefts = []
        for _ in range(3):
            call = one.connection.code if step is S.waitCode else one.connection.password
            with pytest.raises(CodeInvalid if step is S.waitCode else PasswordInvalid) as caught:
                await call("wrong")
            lefts.append(caught.value.attempts_left)
        assert lefts == [2, 1, 0]
        await until(lambda: one.told.state is S.failed)
        again = await one.again()
        await again.start()  # and it can always be started again
        await again.at(S.waitCode)
        await again.connection.close()


RECIPIENTS = {
    scenarios.Recipient.delivered: (None, ["delivered"]),
    scenarios.Recipient.failed: ("invalid_recipient", []),
    scenarios.Recipient.bounced: (None, ["errored"]),
    scenarios.Recipient.flaky: ("messenger_unavailable", ["delivered"]),
    scenarios.Recipient.throttled: ("throttled", []),
    scenarios.Recipient.timeout: ("uncertain", ["delivered"]),
    scenarios.Recipient.slow: (None, []),
    scenarios.Recipient.silent: ("uncertain", []),
    scenarios.Recipient.privacy: ("privacy", []),
    scenarios.Recipient.flood: ("throttled", []),
    scenarios.Recipient.answers: (None, ["delivered", "has_seen"]),
    scenarios.Recipient.stop: (None, ["delivered", "has_seen"]),
    scenarios.Recipient.reads: (None, ["delivered", "has_seen"]),
}


@pytest.mark.parametrize("recipient", list(scenarios.Recipient), ids=str)
async def test_magic_recipients(simulation: Simulation, recipient: scenarios.Recipient):
    code, statuses = RECIPIENTS[recipient]
    message = Outgoing(uuid4(), f"@sandbox_{recipient}", "hello")
    async with account(simulation) as one:
        await one.log_in(How.session)
        first = await _send(one, message)
        assert getattr(first, "code", None) == code
        second = first if code is None else await _send(one, message)
        for_good = {"failed", "silent", "privacy", "flood"}
        assert isinstance(second, Sent) == (recipient not in for_good)
        if isinstance(second, Throttled):
            assert second.until is not None
        await until(lambda: [progress.status for progress in one.told.of(Progress)] == statuses)
        if recipient in (scenarios.Recipient.answers, scenarios.Recipient.stop):
            [answer] = await until(one.told.came)
            assert answer.text == ("STOP" if recipient is scenarios.Recipient.stop else "You wrote: hello")
            assert answer.thread == second.thread


async def _send(one: Live, message: Outgoing) -> Sent | MessengerError:
    try:
        return await one.connection.send(message)
    except MessengerError as error:
        return error
