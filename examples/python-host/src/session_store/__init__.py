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
from .tree import Tree
from .tree_types import (
    Address,
    AppendList,
    Branch,
    BranchScan,
    Committed,
    ContextMessage,
    Cost,
    DeleteList,
    DeleteValue,
    Direction,
    Entry,
    EntryScan,
    EntryStructure,
    EntryType,
    Label,
    ListElement,
    NewEntry,
    NewUsage,
    RangeScan,
    RefusedCommit,
    SetValue,
    Stats,
    StoredValue,
    TreeState,
    UsageRow,
    UsageSum,
    ValueScan,
    Write,
)
from .types import Event, Header, Json, Listed, ListPage, Message, Recovery, State, Unreadable

__all__ = [
    "Address",
    "AppendList",
    "Aside",
    "Branch",
    "BranchScan",
    "Committed",
    "ContextMessage",
    "Copy",
    "Cost",
    "Damage",
    "DeleteList",
    "DeleteValue",
    "Direction",
    "Entry",
    "EntryScan",
    "EntryStructure",
    "EntryType",
    "ErrorCode",
    "Event",
    "Folder",
    "Header",
    "Json",
    "Label",
    "ListElement",
    "ListPage",
    "Listed",
    "LogInfo",
    "Memory",
    "Message",
    "NewEntry",
    "NewUsage",
    "Order",
    "Part",
    "Place",
    "RangeScan",
    "Recovery",
    "RefusedCommit",
    "Rejected",
    "SequenceConflict",
    "SessionError",
    "Sessions",
    "SetValue",
    "State",
    "Stats",
    "Storage",
    "StorageError",
    "StorageErrorCode",
    "StoredValue",
    "Tree",
    "TreeState",
    "UnknownAside",
    "Unreadable",
    "UsageRow",
    "UsageSum",
    "ValueScan",
    "Write",
    "open_sessions",
]
