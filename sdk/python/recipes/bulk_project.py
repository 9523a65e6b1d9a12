"""Sends to a list of people by a project: recipients, plan, start, progress: `python bulk_project.py recipients.json`.

The file is a list such as [{"phone": "+14155550100", "variables": {"name": "Anna"}}].
"""

import json
import sys
import time
from pathlib import Path

from postern_sdk import Postern, iterate
from postern_sdk.models import AddRecipients, NewRecipient, NewSendingProject, StartProject

people = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))

with Postern() as postern:
    project = postern.sending_projects.create(
        NewSendingProject(name="Spring sale", channel="sms", text="Hello {{ name }}, the sale begins today.")
    )
    for start in range(0, len(people), 1000):  # as many as one request takes
        part = [NewRecipient.from_dict(each) for each in people[start : start + 1000]]
        postern.recipients.add(project.uuid, AddRecipients(recipients=part))

    # The plan says what a start would do, and its hash that nothing of it has changed since.
    plan = postern.project_plans.make_plan(project.uuid)
    print("plan", plan.at_most_recipients, "recipients at most, at a cost of", plan.at_most, "at most")
    project = postern.sending_projects.start(project.uuid, StartProject(plan_hash=plan.hash_))

    while project.status not in {"finished", "stopped"}:
        time.sleep(0.5)
        project = postern.sending_projects.get(project.uuid)
        print("progress", project.status, project.counts.sent, "sent of", project.counts.total)
    for record in iterate(postern.message_records.list, sending_project_uuid=project.uuid, status="failed"):
        print("failed", record.to, record.failure_code)
