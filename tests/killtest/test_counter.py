"""The verdict on each person, and the repetition that counts beside it."""

import pytest

from killtest.counter import COLUMNS, Statement, Submission, count, repetition, verdict
from killtest.people import Person, number_of, people
from killtest.provider import Attempt, Decision
from killtest.report import remarkable, table

PERSON, REFUSED = Person(1, refused=False), Person(2, refused=True)


def attempt(person: int = 1, *, answered: bool = True) -> Attempt:
    return Attempt(1.0, person, 1, Decision.accept, accepted=True, answered=answered)


@pytest.mark.parametrize(
    ("person", "deliveries", "statement", "column"),
    [
        (PERSON, 1, Statement.sent, "right"),
        (PERSON, 2, Statement.sent, "right"),
        (PERSON, 0, Statement.sent, "sent_but_not"),
        (PERSON, 1, Statement.failed, "failed_but_sent"),
        (PERSON, 0, Statement.failed, "gave_up"),
        (REFUSED, 0, Statement.failed, "refused"),
        (REFUSED, 0, Statement.none, "lost"),
        (PERSON, 0, Statement.none, "lost"),
        (PERSON, 1, Statement.none, "silent"),
        (PERSON, 0, Statement.unknown, "unknown"),
        (PERSON, 1, Statement.unknown, "unknown_delivered"),
        (PERSON, 0, Statement.waiting, "waiting"),
        (PERSON, 1, Statement.waiting, "waiting_delivered"),
    ],
)
def test_each_person_counts_in_one_column(person: Person, deliveries: int, statement: Statement, column: str):
    assert verdict(person, deliveries, statement) == column
    assert column in COLUMNS


def test_a_repetition_is_told_apart_by_the_answer_before_it():
    submitted = Submission(accepted=True)
    assert repetition([attempt()], submitted) is None
    assert repetition([attempt(answered=False), attempt()], submitted) == "twice_unanswered"
    assert repetition([attempt(), attempt()], submitted) == "twice_answered"
    assert repetition([attempt(), attempt()], Submission(accepted=True, repeated=True)) == "twice_resubmitted"


def test_the_columns_add_up_to_the_people():
    everyone = [PERSON, REFUSED, Person(3, refused=False)]
    deliveries = {1: [attempt(), attempt()]}
    counts = count(everyone, deliveries, {1: Statement.sent}, {1: Submission(True), 2: Submission(True)})
    assert (counts["right"], counts["lost"], counts["not_accepted"], counts["twice_answered"]) == (1, 1, 1, 1)
    of_people = {name: number for name, number in counts.items() if not name.startswith("twice")}
    assert of_people.pop("people") == sum(of_people.values()) == 3


def test_an_address_names_its_person():
    for person in people(300, seed=4):
        assert number_of(person.mail) == number_of(person.phone) == person.number
    assert number_of("sender@example.net") is None
    assert people(300, seed=4) == people(300, seed=4) != people(300, seed=5)


def test_the_table_has_a_line_for_each_product():
    counts = dict.fromkeys(COLUMNS, 0) | {"people": 300, "lost": 2, "unknown": 3, "unknown_delivered": 4}
    run = {"adapter": "x", "title": "X", "version": "1", "pattern": False, "counts": counts, "money": "–"}
    lines = table([{**run, "load": [1.0, 2.0]}, {**run, "load": [0.5, 3.0]}]).splitlines()
    assert len(lines) == 3
    assert lines[2].startswith("| X 1 | 600 | 4 | ")
    assert "| 14 (8) |" in lines[2]
    assert lines[2].endswith("| 0.5–3 |")


def test_a_file_has_the_people_who_are_remarkable():
    def person(number: int, deliveries: int) -> dict:
        return {"person": number, "accepted": True, "statement": Statement.sent, "deliveries": deliveries}

    attempts = [{"person": number, "decision": "accept"} for number in (1, 2, 2)]
    run = remarkable({"people": [person(1, 1), person(2, 2)], "attempts": attempts, "seed": 1})
    assert run["people"] == [["person", "accepted", "statement", "deliveries"], [2, 1, "sent", 2]]
    assert run["attempts"] == [["person", "decision"], [2, "accept"], [2, "accept"]]
