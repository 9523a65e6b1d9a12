"""The text of an operation stands once, and a copy at a door is found."""

from textwrap import dedent

import pytest

from runtime.texts import public_text
from tests.linters import operation_texts
from tests.linters.source import Source

WORK = Source(
    "resolvers/blocks.py",
    dedent('''
        @operation(Permission.blocks_read, "read")
        async def get(op):
            """Returns one block, of all
            users. Raises NotFound.

            It is fast.
            """

        @operation(Permission.blocks_read, "read")
        async def page(op):
            """Lists your blocks."""

        @operation(Permission.blocks_read, "read")
        async def list(op):
            """Returns what `page` returns, by page numbers."""

        @operation(Permission.blocks_write)
        async def bare(op):
            return None
    '''),
)


def route(name: str, docstring: str = "", options: str = "") -> Source:
    lines = ["from resolvers import blocks", f"@api.get('/x'{options})", "async def x(ctx):"]
    lines += [f'    """{docstring}"""'] if docstring else []
    return Source("rest/blocks.py", "\n".join([*lines, f"    return await blocks.{name}(ctx)"]))


def field(name: str, description: str = "") -> Source:
    decorator = f"    @graphql.query({description!r})" if description else "    @graphql.query()"
    lines = ["from resolvers import blocks", "class Query:", decorator, "    async def x(self, info):"]
    return Source("schema/blocks.py", "\n".join([*lines, f"        return await blocks.{name}(info)"]))


def test_each_text_of_the_product_stands_once():
    assert operation_texts.check() == []


@pytest.mark.parametrize(
    ("doors", "remedy"),
    [
        (
            [route("get", "Returns one block, of all\n    users.")],
            "leave it out: x shows the text of blocks.get",
        ),
        ([field("get", "Returns one block, of all users."), route("get")], "leave it out"),
        ([route("list", "Lists your blocks."), field("page")], "description=text(blocks.page)"),
        (
            [route("list", options=", description='Lists your blocks.'"), field("page")],
            "description=text(blocks.page)",
        ),
        ([route("get"), field("get", "Shows it."), route("get", "Shows it.")], "write it once"),
        ([field("get", "Shows one block.")], "no door shows the text of blocks.get"),
        ([route("bare"), field("bare")], "blocks.bare has no docstring"),
    ],
)
def test_a_copy_is_found(doors: list[Source], remedy: str):
    assert [problem for problem in operation_texts.check([WORK, *doors]) if remedy in problem]


@pytest.mark.parametrize(
    "doors",
    [
        [route("get"), field("get")],
        [route("get", "Returns one block, by its path."), field("get")],
        [route("list", options=", description=text(blocks.page)"), field("page")],
    ],
)
def test_one_text_is_no_copy(doors: list[Source]):
    assert operation_texts.check([WORK, *doors]) == []


@pytest.mark.parametrize(
    ("docstring", "text"),
    [
        ("Returns one block. Raises NotFound.", "Returns one block."),
        ("Returns one\n    block.\n\n    It is fast. Raises NotFound.", "Returns one block."),
        (
            "Raises the limit. It stays. Raises NotFound, and\n    Conflict.\n    ",
            "Raises the limit. It stays.",
        ),
        ("\n    Returns one block.\n    ", "Returns one block."),
        ("Raises NotFound.", "Raises NotFound."),
        (None, ""),
    ],
)
def test_the_text_ends_before_its_errors(docstring: str | None, text: str):
    assert public_text(docstring) == text
