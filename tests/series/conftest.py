"""Series, worked by hand."""

import pytest

from tests.sending_projects.engine.conftest import _unhurried, projects
from tests.series.made import Made
from tests.support.people import Person
from tests.support.projects import Projects

__all__ = ["_unhurried", "projects"]


@pytest.fixture
def made(projects: Projects, ada: Person) -> Made:
    return Made(projects, ada)
