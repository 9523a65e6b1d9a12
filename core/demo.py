"""The logins of a demo installation, which `postern serve` makes with the embedded servers alone."""

ADMIN = "admin@postern.test"
USER = "demo@postern.test"
PASSWORD = "postern-demo"
