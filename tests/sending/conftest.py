from tests.support.gateway import gateway

__all__ = ["gateway"]
