import gc
import sys

from tests.linters import (
    console_documents,
    console_pages,
    console_rooms,
    dependencies,
    operation_texts,
    prose,
    public_texts,
    words,
)
from tests.linters.rules import check
from tests.linters.source import sources

gc.disable()  # the trees of all files are made, and stay until the end
files = sources()  # each is parsed once, however many linters look at it
problems = (
    check(files)
    + operation_texts.check(files)
    + prose.check(files)
    + public_texts.check()
    + words.check(files)
    + dependencies.check(files)
    + console_rooms.check()
    + console_pages.check()
    + console_documents.check()
)
print("\n".join(problems) or "The house rules hold.")
sys.exit(bool(problems))
