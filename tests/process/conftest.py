"""Data folders for whole process trees. Each has 40 MB and is removed at once."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.process.serve import Serve, serving
from tests.support.waits import eventually


def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="postern-process-"))


@pytest.fixture
def folder() -> Iterator[Path]:
    made = _folder()
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def running() -> Iterator[Serve]:
    """A first start, for the tests of a module that leave it running."""
    made = _folder()
    with serving(made, "--demo") as serve:
        yield serve
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A folder that has been served from before, and is not now. No message waits in it."""
    made = _folder()
    with serving(made, "--demo") as serve:
        headers = serve.login()
        eventually(lambda: serve.has_sent_all(headers), "all messages of the demo are sent", patience=60)
        assert serve.stop() == 0
    yield made
    shutil.rmtree(made)
