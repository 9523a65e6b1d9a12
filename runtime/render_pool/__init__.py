"""Runs what users write, Liquid texts and calendar rules, and decodes their pictures, in child processes alone.

    operation ──► RenderPool.run(owner, task, arguments) ──► queue: bounded, one task a user at a time
                                                                 │
                   answer, or too_complex ◄── child process: processor time and memory bounded, niced

pool.py is the side of the service, engine/render_worker that of the child. A text without Liquid's logic (constants
and `{{ name }}` alone) needs no child: it is filled in where it is needed. Files of recipients are read by a separate
kind of process (engine/file_parsers).
"""

from runtime.render_pool.pool import RenderPool, TooComplex, of_pictures

__all__ = ["RenderPool", "TooComplex", "of_pictures"]
