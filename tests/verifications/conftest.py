from tests.support.browser import browser, live

__all__ = ["browser", "live"]
