"""The cases of settings, as tests/doors/case.py describes them."""

from tests.doors.case import RELATION, Case, Rest

CASES: dict[str, Case] = {
    "settings.list": Case("own", Rest("GET", "/settings"), "{settings}"),
    "settings.of_users": Case("own", None, "{me{settings}}", why=RELATION),
    "settings.get": Case("own", Rest("GET", "/settings/secret.key"), '{setting(key:"secret.key"){value}}'),
    "settings.update": Case(
        "own", Rest("PATCH", "/settings", {"a": 1}), "mutation($v:JSON!){updateSettings(input:{values:$v})}",
        {"v": {"a": 1}}
    ),
    "settings.put": Case(
        "own", Rest("PUT", "/settings/a", {"value": 1}), 'mutation{setSetting(input:{key:"a",value:1}){value}}'
    ),
    "settings.delete": Case(
        "own", Rest("DELETE", "/settings/secret.key", status=204), 'mutation{deleteSetting(input:{key:"a"})}'
    ),
}  # fmt: skip
