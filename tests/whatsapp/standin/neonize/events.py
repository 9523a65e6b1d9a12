class Event:
    """Holds handlers as neonize does: one a type, and one for QRs."""

    def __init__(self, client):
        self.client = client
        self.handlers = {}
        self._qr = lambda client, data: None

    def qr(self, f):
        self._qr = f

    def __call__(self, event):
        def callback(func):
            self.handlers[event.__name__] = func

        return callback
