from tests.support.no_worker import no_worker

__all__ = ["no_worker"]
