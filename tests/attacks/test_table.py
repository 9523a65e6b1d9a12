"""Every attack of the table against a real server, and what must hold after each."""

import time

import httpx
import pytest

from tests.attacks.table import ATTACKS, LEAKS, Attack
from tests.support.live import Live

pytestmark = pytest.mark.rotating

# The costly ones are refused before they cost: of the processor, however busy it is with others, and of the clock.
_DEAREST = 1.0
_SLOWEST = 30.0  # others want the processor, too


def test_the_table_names_every_attack_once():
    assert len({attack.id for attack in ATTACKS}) == len(ATTACKS)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.id)
def test_attack(live: Live, attack: Attack):
    mark = live.mark()
    begun, spent = time.perf_counter(), live.spent()
    answer = send(live, attack)
    assert live.spent() - spent < _DEAREST
    assert time.perf_counter() - begun < _SLOWEST
    live.sound(mark, answer)
    assert answer.status_code in attack.expected, f"{answer.status_code}: {answer.text[:500]}"
    for text in (*LEAKS, *attack.forbidden):
        assert text not in answer.text
    if attack.code is not None:
        (error,) = answer.json()["errors"]
        assert error["extensions"]["code"] == attack.code
    elif (
        "x-request-id" in answer.headers
        and answer.status_code >= 400
        and not attack.path.startswith("/graphql")
    ):
        assert {"statusCode", "message", "error", "timestamp", "path", "code"} <= set(answer.json())


def send(live: Live, attack: Attack) -> httpx.Response:
    path = attack.path
    for name, value in (
        ("{ada}", live.ada.id),
        ("{bob}", live.bob.id),
        ("{account}", live.ada.account_id),
        ("{bobs}", live.bob.account_id),
    ):
        path = path.replace(name, str(value))
    who = getattr(live, attack.who).headers if attack.who else {}
    headers = [
        (name.encode(), value.encode("latin-1")) for name, value in {**who, **attack.headers}.items() if value
    ]
    return live.client.request(attack.method, path, headers=headers, content=attack.body)
