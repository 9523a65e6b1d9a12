"""Keeps GraphQL documents ready in this process, so that a request pays only for the fields that it asks for."""

from schema import root


def at_hand(*texts: str) -> None:
    for explorable in (True, False):
        schema = root.build(explorable=explorable)
        for text in texts:
            schema.prepare(schema._schema, text).compiled.clear()  # and the first plan is in the price


def put_away() -> None:
    """Forgets all documents: the next request pays for reading its document."""
    for explorable in (True, False):
        root.build(explorable=explorable).prepare.clear()
