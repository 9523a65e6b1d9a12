import sys

from tests.linters import dependencies, public_texts, words
from tests.linters.rules import check

problems = check() + public_texts.check() + words.check() + dependencies.check()
print("\n".join(problems) or "The house rules hold.")
sys.exit(bool(problems))
