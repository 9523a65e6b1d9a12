"""The cases of the installation. It belongs to nobody, and administrators alone may see it."""

from tests.doors.case import Case, Rest

CASES: dict[str, Case] = {
    "system.doctor": Case(
        "admin",
        Rest("GET", "/system/doctor"),
        "{doctor{version examinedAt findings{severity topic text advice} leftOut}}",
    ),
    "system.routes": Case(
        "admin", Rest("GET", "/system/routes"), "{systemRoutes{name channel driver label state concurrency}}"
    ),
    "system.create_route": Case(
        "admin",
        Rest("POST", "/system/routes", {"name": "rest-example-com", "dsn": "sandbox://"}, 201),
        'mutation{createSystemRoute(input:{name:"graph-example-com",dsn:"sandbox://"}){name made enabled}}',
    ),
    "system.delete_route": Case(
        "admin",
        Rest("DELETE", "/system/routes/nowhere", status=404),
        'mutation{deleteSystemRoute(name:"nowhere")}',
        owner="route_not_found",
    ),
    "system.set_route": Case(
        "admin",
        Rest("PATCH", "/system/routes/sms-1", {"enabled": True}),
        'mutation{setSystemRoute(name:"sms-1",input:{enabled:false}){name enabled}}',
    ),
    "system.ip_allowlist": Case(
        "admin", Rest("GET", "/system/ip-allowlist"), "{ipAllowlist{mode file entries networks yourReason}}"
    ),
    "system.ip_allowlist_lines": Case(
        "admin",
        Rest(
            "GET", "/system/ip-allowlist/lines?address=192.0.2.7"
        ),  # a line of its own address is added by each request
        '{ipAllowlistLines(address:"192.0.2.7"){at address method path reason blocked listed}}',
    ),
}
