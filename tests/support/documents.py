"""GraphQL documents that this process has at hand: who asks with one pays for nothing but what he asks for."""

from schema import root


def at_hand(*texts: str) -> None:
    for explorable in (True, False):
        schema = root.build(explorable=explorable)
        for text in texts:
            schema.prepare(schema._schema, text).compiled.clear()  # and the first plan is in the price


def put_away() -> None:
    """Of all documents: whoever asks next has his read."""
    for explorable in (True, False):
        prepare = root.build(explorable=explorable).prepare
        prepare._cache.clear()
        prepare._size = 0
