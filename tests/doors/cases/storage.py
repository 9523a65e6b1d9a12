"""The cases of storage, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, Case, Rest

CASES: dict[str, Case] = {
    "storage.list": Case("own", Rest("GET", "/storage"), None, why=CONNECTION),
    "storage.page": Case("own", None, "{storageValues{nodes{key value} totalCount}}", why=CONNECTION),
    "storage.get": Case("own", Rest("GET", "/storage/secret"), '{storageValue(key:"secret"){value}}'),
    "storage.put": Case(
        "own", Rest("PUT", "/storage/a", {"value": 1}), 'mutation{putStorageValue(input:{key:"a",value:1}){key}}'
    ),
    "storage.delete": Case("own", Rest("DELETE", "/storage/a", status=204), 'mutation{deleteStorageValue(key:"a")}'),
}  # fmt: skip
