"""The table of an account's moves, and what is said of its states."""

import pytest

from engine.messengers.states import (
    ACTIVE,
    INACTIVE,
    LOGIN,
    MOVES,
    NEXT,
    SENTENCES,
    STEPS,
    may,
    may_report,
    step,
    visible_state,
    wrong_state,
)
from shapes.messenger_accounts import AccountState

S = AccountState


def test_every_state_is_live_or_at_rest_and_all_is_said_of_it():
    assert set(ACTIVE) | set(INACTIVE) == set(S)
    assert not set(ACTIVE) & set(INACTIVE)
    assert set(LOGIN) < set(ACTIVE)
    assert set(STEPS) == set(NEXT) == set(S)
    assert all(NEXT.values())
    assert {end for _, _, end in MOVES} == set(S)


def test_the_vendors_numbers_in_the_order_of_the_states():
    assert list(STEPS) == list(S)
    assert list(STEPS.values()) == [None, None, 2.2, 2.21, 2.25, 2.1, 2.22, 4, 5, 4, None, None, None]


def test_the_vendors_sentences():
    assert step("waitQr") == {"value": 2.2, "message": "QR received"}
    assert step("working") == {"value": 5, "message": None}
    assert {SENTENCES[state] for state in LOGIN} == {
        "QR received",
        "Auth phone not set",
        "Challenge required",
        "Two factor auth required",
        "Auth code received",
    }
    assert SENTENCES[S.starting] == "Trying to start existing account"


@pytest.mark.parametrize("state", list(S), ids=str)
def test_every_account_can_be_started_and_stopped_and_only_by_the_host(state: AccountState):
    assert may(state, S.starting)
    assert may(state, S.stopped)
    for end in (S.starting, S.stopped):
        assert may_report(state, end) == (state is end)
    assert may(state, state)
    assert may_report(state, state)


@pytest.mark.parametrize("state", INACTIVE, ids=str)
def test_nobody_tells_one_at_rest_into_life(state: AccountState):
    assert not any(may_report(state, end) for end in S if end is not state)


def test_a_session_that_works_is_logged_out_before_it_asks_for_a_login():
    for login in LOGIN:
        assert not may(S.working, login)
        assert may(login, S.working)
    assert may(S.working, S.loggedOut)


@pytest.mark.parametrize(
    ("state", "wanted", "held", "shown"),
    [
        (S.working, True, True, S.working),
        (S.working, True, False, S.starting),
        (S.working, False, False, S.stopped),
        (S.stopped, True, False, S.starting),
        (S.stopped, True, True, S.stopped),
        (S.stopped, False, False, S.stopped),
        (S.failed, True, False, S.failed),
        (S.blocked, False, False, S.blocked),
    ],
    ids=str,
)
def test_what_nobody_holds_is_not_alive(state: AccountState, wanted: bool, held: bool, shown: AccountState):
    assert visible_state(state, wanted=wanted, leased=held) is shown


def test_the_wrong_state_says_which_and_what_to_do():
    error = wrong_state("waitQr")
    assert error.code == "wrong_state"
    assert "waitQr" in error.message
    assert NEXT[S.waitQr] in error.message
    assert error.details == {"state": "waitQr", "next": NEXT[S.waitQr]}
    assert wrong_state("waitQr", "False step").message == "False step"
