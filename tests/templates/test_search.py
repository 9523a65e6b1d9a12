"""Templates are found by the words of their key, their name and their newest texts."""

from runtime.services import Services
from tests.support.people import Person
from tests.templates.made import again, called, draft, published, text


async def found(person: Person, asked: str, **filters: str) -> list[str]:
    answer = await person.rest("GET", "/templates", params={"text": asked, **filters})
    assert answer.status_code == 200, answer.text
    return [each["key"] for each in answer.json()["items"]]


async def test_words_of_key_name_and_newest_texts(ada: Person, bob: Person):
    made = await published(
        ada, "shipped_order", text(subject="On its way", html="<p class='hidden'>Größe &amp; Ort</p>")
    )
    await called(
        ada, "PATCH", f"/templates/{made['templateId']}", {"name": "Parcel left", "category": "promotional"}
    )
    await published(ada, "welcome", text(text="Hello {{ name }}, parcels are fun"))
    await published(bob, "other", text(text="A parcel of Bob"))
    for asked, keys in (
        ("parcel", ["welcome", "shipped_order"]),
        ("PARCELS", ["welcome"]),
        ("left par", ["shipped_order"]),
        ("shipped", ["shipped_order"]),
        ("grö ort", ["shipped_order"]),
        ("way", ["shipped_order"]),
        ("hidden", []),
        ("arcel", []),
        ("100%_'\\ :* & !", []),
        ("'", []),
        ("bob", []),
    ):
        assert await found(ada, asked) == keys, asked
    assert await found(ada, "parcel", category="promotional") == ["shipped_order"]
    node = await ada.data('{templates(where:{text:{contains:"parcel"}}){nodes{key} totalCount}}')
    assert node["templates"] == {"nodes": [{"key": "welcome"}, {"key": "shipped_order"}], "totalCount": 2}


async def test_what_is_old_is_not_found(ada: Person):
    made = await published(ada, "welcome", text(text="Oldest"))
    version = await draft(ada, made["templateId"], text(text="Sketch"))
    assert await found(ada, "oldest") == await found(ada, "sketch") == ["welcome"]
    await called(ada, "PUT", f"/template-versions/{version}", {"texts": [text(text="Drawing")]})
    assert (await found(ada, "sketch"), await found(ada, "drawing")) == ([], ["welcome"])
    await called(ada, "DELETE", f"/template-versions/{version}")
    await again(ada, made["templateId"], text(text="Newest"))
    assert [await found(ada, word) for word in ("drawing", "oldest", "newest")] == [[], [], ["welcome"]]


async def test_the_words_of_a_text_are_bounded(ada: Person, services: Services):
    long = " ".join(f"{number:05}" + "é" * 90 for number in range(1000))
    texts = [text(tag, text=f"{tag}tag {long}"[:45_000]) for tag in ("en", "de", "fr", "pt", "es", "it")]
    await published(ada, "long", *texts)
    assert await found(ada, "detag") == ["long"]
    assert await services.db.fetchval("SELECT max(length(words)) FROM template_words") <= 5000
