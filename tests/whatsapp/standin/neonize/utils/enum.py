from enum import Enum

MediaType = Enum("MediaType", {"MediaImage": 0, "MediaVideo": 1, "MediaAudio": 2, "MediaDocument": 3})
ChatPresence = Enum("ChatPresence", {"CHAT_PRESENCE_COMPOSING": 0, "CHAT_PRESENCE_PAUSED": 1})
ChatPresenceMedia = Enum("ChatPresenceMedia", {"CHAT_PRESENCE_MEDIA_TEXT": 0, "CHAT_PRESENCE_MEDIA_AUDIO": 1})
Presence = Enum("Presence", {"AVAILABLE": b"available", "UNAVAILABLE": b"unavailable"})
ReceiptType = Enum("ReceiptType", {"DELIVERED": b"", "READ": b"read"})
ClientName = Enum("ClientName", {"LINUX": "linux", "WINDOWS": "windows nt", "ANDROID": "android"})
ClientType = Enum("ClientType", {"UNKNOWN": 0, "CHROME": 1, "FIREFOX": 3})
