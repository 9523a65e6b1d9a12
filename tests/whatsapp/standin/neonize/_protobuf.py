"""Stands in for protocol buffers, as far as the driver uses them and as strict about names and types."""

import base64
import json


class Message:
    FIELDS: dict = {}  # noqa: RUF012 # name: a default, a Message, or a list of one of these

    def __init__(self, **values):
        object.__setattr__(self, "_values", {})
        object.__setattr__(self, "_above", None)
        for name, value in values.items():
            if value is None:
                continue
            kind = self._kind(name)
            if isinstance(kind, list):
                getattr(self, name).extend(value)
            elif isinstance(kind, type):
                getattr(self, name).CopyFrom(value)
            else:
                setattr(self, name, value)

    def _kind(self, name):
        if name not in self.FIELDS:
            raise AttributeError(f"{type(self).__name__} has no field {name}")
        return self.FIELDS[name]

    def __getattr__(self, name):
        kind = self._kind(name)
        if name in self._values:
            return self._values[name][0]
        if isinstance(kind, list):
            self._values[name] = ([], True)
        elif isinstance(kind, type):
            inner = kind()
            object.__setattr__(inner, "_above", (self, name))
            self._values[name] = (inner, False)
        else:
            return kind
        return self._values[name][0]

    def __setattr__(self, name, value):
        kind = self._kind(name)
        if isinstance(kind, (list, type)):
            raise AttributeError(f"{name} can't be assigned")  # noqa: TRY004  as protobuf does
        wanted = (int, float) if isinstance(kind, float) else type(kind)
        if not isinstance(value, wanted) and not (isinstance(kind, bool) and isinstance(value, int)):
            raise TypeError(f"{name} must be {wanted}, not {type(value).__name__}")
        self._values[name] = (value, True)
        self._present()

    def _present(self):
        if self._above is not None:
            above, name = self._above
            above._values[name] = (self, True)
            above._present()

    def HasField(self, name):
        if isinstance(self.FIELDS.get(name, []), list):
            raise ValueError(f"{name} is no singular field")  # noqa: TRY004
        return self._values.get(name, (None, False))[1]

    def ClearField(self, name):
        if name not in self.FIELDS:
            raise ValueError(f"no field {name}")
        self._values.pop(name, None)

    def CopyFrom(self, other):
        if type(other) is not type(self):
            raise TypeError("another message")
        self._values.clear()
        self._fill(other._plain())
        self._present()

    def SerializeToString(self):
        return json.dumps(self._plain()).encode()

    @classmethod
    def FromString(cls, data):
        made = cls()
        made._fill(json.loads(data or b"{}"))
        return made

    def _plain(self):
        out = {}
        for name, (value, present) in self._values.items():
            if not present or value == []:
                continue
            if isinstance(value, list):
                out[name] = [_out(item) for item in value]
            else:
                out[name] = _out(value)
        return out

    def _fill(self, plain):
        for name, value in plain.items():
            kind = self.FIELDS[name]
            if isinstance(kind, list):
                getattr(self, name).extend(_in(kind[0], item) for item in value)
            elif isinstance(kind, type):
                inner = getattr(self, name)
                inner._fill(value)
                inner._present()
            else:
                setattr(self, name, _in(kind, value))


def _out(value):
    if isinstance(value, Message):
        return value._plain()
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def _in(kind, value):
    if isinstance(kind, type):
        made = kind()
        made._fill(value)
        return made
    return base64.b64decode(value) if isinstance(kind, bytes) else value


class Enum:
    """A protocol buffer's enumeration: numbers by name."""

    def __init__(self, **numbers):
        self.__dict__.update(numbers)
        self._names = {number: name for name, number in numbers.items()}

    def Name(self, number):
        return self._names[number]

    def keys(self):
        return list(self._names.values())


def message(name, /, **fields):
    return type(name, (Message,), {"FIELDS": fields})
