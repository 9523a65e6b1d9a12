"""The cases of the purposes. A change sends the billing that there is: the other cases need it."""

from tests.doors.case import Case, Rest

CASES: dict[str, Case] = {
    "purposes.view": Case("own", Rest("GET", "/installation"), "{installation{modules billing purposes}}"),
    "purposes.get": Case(
        "admin",
        Rest("GET", "/installation/purposes"),
        "{purposes{purposes modules{name on goingOn} billing billingSince purposesBySetting changedAt}}",
    ),
    "purposes.set_purposes": Case(
        "admin",
        Rest("PATCH", "/installation/purposes", {"billing": "prepaid"}),
        "mutation{setPurposes(input:{billing:prepaid}){purposes billing}}",
    ),
}
