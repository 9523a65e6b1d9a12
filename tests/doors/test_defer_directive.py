"""The schema has the directive @defer."""

from graphql import build_schema

from schema.root import build


def test_the_schema_knows_the_directive():
    for explorable in (True, False):
        schema = build_schema(build(explorable=explorable).as_str())
        defer = schema.get_directive("defer")
        assert defer is not None
        assert {name: str(argument.type) for name, argument in defer.args.items()} == {
            "if": "Boolean!",
            "label": "String",
        }
        assert schema.get_directive("stream") is None


async def test_introspection_shows_it(ada):
    data = await ada.data("{ __schema { directives { name locations } } }")
    assert {"name": "defer", "locations": ["FRAGMENT_SPREAD", "INLINE_FRAGMENT"]} in data["__schema"][
        "directives"
    ]
