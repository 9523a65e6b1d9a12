import sys

from tests.linters import public_texts, words
from tests.linters.rules import check

problems = check() + public_texts.check() + words.check()
print("\n".join(problems) or "The house rules hold.")
sys.exit(bool(problems))
