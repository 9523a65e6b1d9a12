"""Countries, timezones and currencies: real data, languages, and answers that caches can keep."""

import pytest

from resolvers import common
from tests.support.people import Person


async def test_countries(client):
    answer = await client.get("/common/countries")
    assert answer.status_code == 200
    countries = {country["code"]: country for country in answer.json()}
    assert len(countries) == len(answer.json()) == 249
    assert countries["DE"] == {"code": "DE", "name": "Germany", "dialCode": "+49"}
    assert countries["KZ"]["dialCode"] == "+7"
    assert countries["US"]["dialCode"] == countries["PR"]["dialCode"] == countries["UM"]["dialCode"] == "+1"
    assert all(country["dialCode"][1:].isdigit() and country["dialCode"] != "+0" for country in answer.json())
    names = [country["name"] for country in answer.json()]
    assert names[0] == "Afghanistan" and names.index("Åland Islands") < names.index("Albania")


async def test_currencies(client):
    currencies = {item["code"]: item for item in (await client.get("/common/currencies")).json()}
    assert currencies["EUR"] == {"code": "EUR", "symbol": "€", "minorUnits": 2, "name": "Euro"}
    # ISO 4217's, where CLDR's daily use differs (AFN, IQD, RSD, YER) and where it doesn't.
    minor = {code: item["minorUnits"] for code, item in currencies.items()}
    expected = {
        "JPY": 0,
        "KWD": 3,
        "CLF": 4,
        "AFN": 2,
        "IQD": 3,
        "RSD": 2,
        "YER": 2,
        "XAF": 0,
        "XAU": 0,
        "USD": 2,
    }
    assert {code: minor[code] for code in expected} == expected
    assert list(currencies) == sorted(currencies)
    assert set(common._EXPONENTS) <= set(currencies)
    assert all(item["symbol"] and item["name"] for item in currencies.values())


async def test_timezones(client):
    zones = (await client.get("/common/timezones")).json()
    assert zones == sorted(set(zones)) and len(zones) > 400
    assert {"Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC"} <= set(zones)
    assert not {"Factory", "localtime"} & set(zones)


async def test_caches_can_keep_it(client):
    for path in ("countries", "timezones", "currencies"):
        await can_keep(client, path)


async def can_keep(client, path: str) -> None:
    first = await client.get(f"/common/{path}")
    tag = first.headers["etag"]
    assert "max-age" in first.headers["cache-control"]
    assert first.headers.get("vary") == (None if path == "timezones" else "Accept-Language")
    for header in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = await client.get(f"/common/{path}", headers={"If-None-Match": header})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag and "cache-control" in again.headers
    for header in ("", '"other"', tag.strip('"'), "\xff", ",,,"):
        again = await client.get(f"/common/{path}", headers={"If-None-Match": header.encode("latin-1")})
        assert (again.status_code, again.content) == (200, first.content)
    if path != "timezones":
        german = await client.get(f"/common/{path}", headers={"Accept-Language": "de", "If-None-Match": tag})
        assert german.status_code == 200 and german.headers["etag"] != tag


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de-CH, fr;q=0.8", "de"),
        ("fr;q=0.5, uk;q=0.9", "uk"),
        ("xx, tlh;q=0.9, pt-BR;q=0.1", "pt"),
        ("en;q=0.1, ja ; q = 0.2", "ja"),
        ("fr, de", "fr"),
        ("zh-CN", "zh"),
        ("zh-TW", "zh_Hant"),
        ("zh-Hant-HK", "zh_Hant"),
        ("zh-Hans-HK", "zh"),
        ("sr-Latn-RS", "sr_Latn"),
        ("sr", "sr"),
        ("nb-NO", "no"),
        ("IW", "he"),
        ("de_AT", "de"),
        (None, "en"),
        ("", "en"),
        ("*", "en"),
        ("de;q=0", "en"),
        ("de;q=x", "en"),
        ("de;q=nan, fr;q=0.1", "fr"),
        ("de;q=-1", "en"),
        (";;;,,=,q=1", "en"),
        ("../../etc/passwd", "en"),
        ("\xff\xfe", "en"),
        ("root", "en"),
        ("x" * 5000 + ",de", "en"),
    ],
)
def test_languages(header, language):
    assert common.spoken(header) == language


async def test_names_follow_the_language(client):
    german = await client.get("/common/countries", headers={"Accept-Language": "de-AT"})
    names = [country["name"] for country in german.json()]
    assert {"Deutschland", "Österreich"} <= set(names)
    assert names.index("Nordmazedonien") < names.index("Österreich") < names.index("Panama")
    currencies = await client.get("/common/currencies", headers={"Accept-Language": "uk"})
    hryvnia = next(item for item in currencies.json() if item["code"] == "UAH")
    assert hryvnia == {"code": "UAH", "symbol": "₴", "minorUnits": 2, "name": "українська гривня"}
    garbage = await client.get("/common/countries", headers={"Accept-Language": b"\xff;q=\x80, de;q=1e999"})
    assert garbage.status_code == 200


def test_every_language_is_known_to_cldr():
    from babel.localedata import exists

    assert all(exists(language) for language in common.LANGUAGES)


async def test_graphql_shows_the_same(client, ada: Person):
    query = """query($language: String) {
        countries(language: $language) { code name dialCode }
        timezones
        currencies(language: $language) { code symbol minorUnits name }
    }"""
    for language in ("fr", None):
        headers = {"Accept-Language": language} if language else {}
        expected = {
            name: (await client.get(f"/common/{name}", headers=headers)).json()
            for name in ("countries", "timezones", "currencies")
        }
        assert await ada.data(query, {"language": language}) == expected
    anonymous = await client.post("/graphql", json={"query": "{ countries { code } }"})
    assert len(anonymous.json()["data"]["countries"]) == 249
