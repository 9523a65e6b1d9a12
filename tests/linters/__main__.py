import sys

from tests.linters.rules import check

problems = check()
print("\n".join(problems) or "The house rules hold.")
sys.exit(bool(problems))
