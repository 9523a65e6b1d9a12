from tests.support.gateway import gateway
from tests.support.records import records

__all__ = ["gateway", "records"]
