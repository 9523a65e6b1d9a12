from tests.sending_projects.conftest import projects

__all__ = ["projects"]
