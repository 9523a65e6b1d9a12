import sys

from tests.linters import console_rooms, dependencies, public_texts, words
from tests.linters.rules import check

problems = check() + public_texts.check() + words.check() + dependencies.check() + console_rooms.check()
print("\n".join(problems) or "The house rules hold.")
sys.exit(bool(problems))
