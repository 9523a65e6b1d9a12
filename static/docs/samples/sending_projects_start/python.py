from uuid import UUID

from postern_sdk import Postern

with Postern() as postern:  # of POSTERN_URL, as POSTERN_TOKEN
    project = postern.sending_projects.start(UUID("0190a5d6-6c3a-7d4e-9a51-2f0f5a7d3c11"))
    print(project.status)
