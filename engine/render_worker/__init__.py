"""The child process that runs texts and schedules of users, and decodes their pictures. runtime/render_pool bounds it.

RenderPool.run ─ task: a frame on standard input ──► __main__: one task after the other, each with a timer
(runtime/render_pool)                                   │
     ▲                    tasks: check, preview, render, measure, render_bodies (engine/texts/project_texts.py)
     │                           with_text (engine/texts/plain_part.py)
     │                           examine, send_times (engine/projects/plan.py)
     │                           check_schedule, next_firing, firings (engine/projects/schedules.py)
     │                           read_mail_reports (engine/mail_reports)
     │                           reencode (engine/media/reencoding.py)
     │                                                  │
     └── answer: `done`, `too_complex` or `bug` ◄──────┘

The child has neither secrets nor a database, and its memory is bounded. An error in a user's text or rule is an answer
of its task, not an exception.
"""
