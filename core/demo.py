"""The logins of a demo, which `postern serve --demo` and `postern demo` make with the embedded servers alone."""

from core.passwords import normal

ADMIN = "admin@postern.test"
USER = "demo@postern.test"
PASSWORD = "postern-demo"


def is_published(password: str) -> bool:
    """Returns whether everybody can read this password in our documents. It opens a login from this machine alone."""
    return normal(password) == PASSWORD
