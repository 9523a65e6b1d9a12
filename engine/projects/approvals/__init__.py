"""Plans of projects and their approvals: what would be sent, its hash, and the start that obeys it.

recipients change ── a trigger ──► digests ─┐
a project, its files, its segments ─────────┴─► content ──► a plan: document and hash ──► an approval
start, retry, schedule, run ── starts.obey ──► compares the content of today with that of the plan ──► the project
                                               names the plan, whose limits the sending obeys
"""
