"""Durable, append-only agent sessions.

>>> from session_store import Memory, Sessions
>>> with Sessions(Memory()) as sessions:
...     header = sessions.create("fix-login")
...     seq = sessions.emit("fix-login", "user/message", {"content": "The login fails."})
...     [message.content for message in sessions.messages("fix-login")]
['[{"type":"text","text":"The login fails."}]']
"""

from .errors import Damage, ErrorCode, Rejected, SequenceConflict, SessionError, UnknownAside
from .sessions import Sessions, open_sessions
from .storage import Aside, Copy, LogInfo, Order, Part, Place, Storage, StorageError, StorageErrorCode
from .storage.folder import Folder
from .storage.memory import Memory
from .types import Event, Header, Json, Listed, ListPage, Message, Recovery, State, Unreadable

__all__ = [
    "Aside",
    "Copy",
    "Damage",
    "ErrorCode",
    "Event",
    "Folder",
    "Header",
    "Json",
    "ListPage",
    "Listed",
    "LogInfo",
    "Memory",
    "Message",
    "Order",
    "Part",
    "Place",
    "Recovery",
    "Rejected",
    "SequenceConflict",
    "SessionError",
    "Sessions",
    "State",
    "Storage",
    "StorageError",
    "StorageErrorCode",
    "UnknownAside",
    "Unreadable",
    "open_sessions",
]
