"""The cases of tariffs, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, RELATION, Case, Rest

CASES: dict[str, Case] = {
    "tariffs.current": Case("own", Rest("GET", "/user/tariff"), "{tariff{code prices used{messagesToday}}}"),
    "tariffs.list": Case("own", Rest("GET", "/user/tariff/all/configs"), None, why=CONNECTION),
    "tariffs.page": Case("own", None, "{tariffs{nodes{code channels} totalCount}}", why=CONNECTION),
    "tariffs.of_users": Case("own", None, "{me{tariff{code channels}}}", why=RELATION),
    "tariffs.set": Case(
        "own",
        Rest("POST", "/user/tariff", {"code": "default"}),
        'mutation{setTariff(input:{code:"default"}){code used{concurrentProjects}}}',
    ),
}
