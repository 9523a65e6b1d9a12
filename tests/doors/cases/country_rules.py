"""The cases of rules of countries, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest

CASES: dict[str, Case] = {
    "country_rules.get": Case(
        "own",
        Rest("GET", "/country-rules"),
        "{countryRules{own{allow deny perHour perDay} limited{country}}}",
    ),
    "country_rules.check": Case(
        "own",
        Rest("GET", "/country-rules/check?to=%2B4930123456"),
        '{checkCountry(to:"+4930123456"){country allowed refusedBy leftThisHour leftToday}}',
    ),
    "country_rules.set": Case(
        "own",
        Rest("PUT", "/country-rules", {"deny": ["KP"], "perHour": 100}),
        'mutation{setCountryRules(input:{deny:["KP"],perHour:100}){effective{deny perHour}}}',
    ),
}
