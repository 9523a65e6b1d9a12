from postern_sdk import Postern
from postern_sdk.models import NewSendingProject

with Postern() as postern:  # of POSTERN_URL, as POSTERN_TOKEN
    project = postern.sending_projects.create(
        NewSendingProject(name="Spring sale", channel="sms", text="Hello {{ name }}, the sale begins today.")
    )
    print(project.uuid)
