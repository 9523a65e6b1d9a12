"""What users have written and we must run: Liquid texts, calendar rules. It runs in child processes, never in the API's.

    operation ──► Programs.run(owner, task, arguments) ──► queue: bounded, one task a user at a time
                                                              │
                    answer, or too_complex ◄── child process: processor time and memory bounded, niced

pool.py is the side of the service, __main__.py and tasks.py that of the child. A text without Liquid's logic (constants
and `{{ name }}` alone) is no program: it is read and filled in where it is needed. Files of recipients are read by
processes of their own kind (engine/reading).
"""

from engine.programs.pool import Programs, TooComplex

__all__ = ["Programs", "TooComplex"]
