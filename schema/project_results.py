"""The results of Sending Projects in GraphQL: a field of the project (schema/sending_projects.py)."""

from schema.frame import graphql
from shapes.project_results import ProjectResult

graphql.type(ProjectResult, description=ProjectResult.__doc__)
