"""A session as a tree: the interface `session-tree`."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence, TypeVar

from . import tree_types as to
from ._arguments import several
from ._checks import check_size, is_text, new_session
from ._service import Service
from ._values import Variant
from ._writes import Outgoing
from .errors import SessionError
from .tree_types import (
    Address,
    Branch,
    Committed,
    ContextMessage,
    Direction,
    Entry,
    EntryStructure,
    EntryType,
    Label,
    ListElement,
    NewEntry,
    StoredValue,
    TreeState,
    UsageRow,
    Write,
)
from .types import Header, Json

_ALL = 2**32 - 1
_PAGE = 1 << 20

Item = TypeVar("Item")
Name = TypeVar("Name")
Page = tuple[list[Item], bool]


class Tree:
    """Entries with parents, named branches over them, keyed values, lists and a ledger of usage. All of it stands in the
    session's log, and is as durable: `Sessions.flush` makes a commit survive a loss of power.

    What goes in is any value that can be JSON, or `Json`, which is kept byte for byte.
    """

    def __init__(self, service: Service, id: str) -> None:
        self._service = service
        self._id = id

    def commit(self, writes: Iterable[Write], *, first: Optional[int] = None, timestamp: Optional[int] = None) -> Committed:
        """Writes all of it or none, as one event of the log. Number and time can be given where they come from elsewhere."""
        outgoing = Outgoing()
        converted = outgoing.all(list(several("writes", "Write", writes)))
        check_size("the commit", outgoing.size)
        return to.committed(self._call("commit", converted, SimpleNamespace(first=first, timestamp=timestamp)))

    def state(self) -> TreeState:
        """Where the tree stands."""
        return to.tree_state(self._call("get-tree"))

    def get_entries(self, ids: Sequence[str]) -> list[Entry]:
        """The entries of these ids that are there, in this order."""
        asked = [_asked(id) for id in ids]
        return _those(asked, lambda ids: self._page("get-entries", "entries", to.entry, ids), lambda entry: entry.id)

    def get_values(self, addresses: Sequence[Address]) -> list[StoredValue]:
        """The values at these addresses that are there, in this order."""
        return _those(
            list(addresses),
            lambda addresses: self._page("get-values", "values", to.stored_value, [_address(address) for address in addresses]),
            lambda value: value.address,
        )

    def get_labels(self, entries: Sequence[str]) -> list[Label]:
        """The labels of these entries that have one, in this order."""
        asked = [_asked(entry) for entry in entries]
        return _those(asked, lambda entries: self._page("get-labels", "labels", _label, entries), lambda label: label.entry)

    def create_branch(self, name: str, at: Optional[str] = None) -> Committed:
        """A new branch at this entry, or before the first."""
        return to.committed(self._call("create-branch", _asked(name), _maybe(at)))

    def append(self, branch: str, entry: NewEntry) -> Committed:
        """Adds an entry behind the tip of a branch, and moves the tip. The entry's own parent does not count."""
        outgoing = Outgoing()
        converted = outgoing.entry(entry)
        check_size("the entry", outgoing.size)
        return to.committed(self._call("append-to-branch", _asked(branch), converted))

    def move_branch(self, name: str, to_entry: Optional[str] = None) -> Committed:
        """Moves the tip of a branch to any entry, or before the first."""
        return to.committed(self._call("move-branch", _asked(name), _maybe(to_entry)))

    def set_label(self, entry: str, text: Optional[str]) -> Committed:
        """Labels an entry, or takes its label away."""
        return to.committed(self._call("set-label", _asked(entry), _maybe(text)))

    def set_name(self, name: Optional[str]) -> Committed:
        """Names the session, or takes its name away."""
        return to.committed(self._call("set-name", _maybe(name)))

    def fork(
        self,
        child: str,
        *,
        branch: Optional[str] = None,
        at: Optional[str] = None,
        before: Optional[str] = None,
        cwd: Optional[str] = None,
        created_at: Optional[int] = None,
    ) -> Header:
        """A new session with the numbers, ids and times of this one: of the whole tree, or of one branch, up to its tip, up to
        the entry `at`, or up to the one before the entry `before`. The ledger, what is pending and what operations left are not
        copied; lanes become idle. Claims nothing of this session, and releases the child."""
        if at is not None and before is not None or branch is None and (at or before) is not None:
            raise ValueError("a fork is cut at one place of one branch")
        session = new_session(child, cwd, None, created_at, "child")
        scope = Variant("tree")
        if branch is not None:
            entry = _maybe(at if before is None else before)
            cut = None if entry is None else SimpleNamespace(entry=entry, before=before is not None)
            scope = Variant("branch", SimpleNamespace(branch=_asked(branch), cut=cut))
        with self._service.lock:
            if self._service.is_pending(child):
                raise SessionError("already-exists", child)
            return Header(**vars(self._call("fork-tree", scope, session)))

    def branch_entries(
        self,
        start: str,
        *,
        stop_at_id: Optional[str] = None,
        stop_at_type: Optional[EntryType] = None,
        type: Optional[EntryType] = None,
        custom_type: Optional[str] = None,
        direction: Direction = "newest-first",
        cursor: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Entry]:
        """Entries on the path from one to its root. First the path is put in order, then cut after the first entry at which to
        stop, then filtered, then what the cursor has passed is left out, and then the limit counts."""
        scan = _branch_scan(start, stop_at_id, stop_at_type, type, custom_type, direction, cursor)
        return _path(lambda scan: self._page("scan-branch", "entries", to.entry, scan), scan, limit)

    def branch_structure(
        self,
        start: str,
        *,
        stop_at_id: Optional[str] = None,
        stop_at_type: Optional[EntryType] = None,
        type: Optional[EntryType] = None,
        custom_type: Optional[str] = None,
        direction: Direction = "newest-first",
        cursor: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Iterator[EntryStructure]:
        """The same without payloads."""
        scan = _branch_scan(start, stop_at_id, stop_at_type, type, custom_type, direction, cursor)
        return _path(lambda scan: self._page("scan-branch-structure", "entries", to.structure, scan), scan, limit)

    def entries(
        self,
        *,
        type: Optional[EntryType] = None,
        custom_type: Optional[str] = None,
        start: Optional[int] = None,
        end: Optional[int] = None,
        direction: Direction = "oldest-first",
        limit: Optional[int] = None,
    ) -> Iterator[Entry]:
        """Entries of the whole session by number, from `start` to `end`, ends included."""
        custom = _maybe(custom_type)

        def read(range: SimpleNamespace) -> Page[Entry]:
            return self._page("scan-entries", "entries", to.entry, SimpleNamespace(type=type, custom_type=custom, range=range))

        return _ranged(read, _range(start, end, direction), limit)

    def usage(
        self,
        *,
        start: Optional[int] = None,
        end: Optional[int] = None,
        direction: Direction = "oldest-first",
        limit: Optional[int] = None,
    ) -> Iterator[UsageRow]:
        """Rows of the ledger by number, from `start` to `end`, ends included."""
        return _ranged(lambda range: self._page("scan-usage", "rows", to.usage_row, range), _range(start, end, direction), limit)

    def list(
        self,
        address: Address,
        *,
        start: Optional[int] = None,
        end: Optional[int] = None,
        direction: Direction = "oldest-first",
        limit: Optional[int] = None,
    ) -> Iterator[ListElement]:
        """The elements of a list by number, from `start` to `end`, ends included; none if there is no such list."""
        of = _address(address)
        return _ranged(lambda range: self._page("read-list", "elements", to.element, of, range), _range(start, end, direction), limit)

    def values(self, namespace: str, prefix: str = "", *, after: Optional[str] = None, limit: Optional[int] = None) -> Iterator[StoredValue]:
        """The values of a namespace whose keys begin so, by the code points of their keys."""
        scan = SimpleNamespace(namespace=_asked(namespace), prefix=_asked(prefix), after=_maybe(after), limit=0)

        def read(last: Optional[StoredValue], left: int) -> Page[StoredValue]:
            scan.after, scan.limit = scan.after if last is None else last.address.key, left
            return self._page("scan-values", "values", to.stored_value, scan)

        return _whole(read, limit)

    def branches(self) -> Iterator[Branch]:
        """The branches, by the code points of their names."""

        def read(last: Optional[Branch], left: int) -> Page[Branch]:
            return self._page("branches", "branches", lambda branch: Branch(**vars(branch)), last and last.name, left)

        return _whole(read, None)

    def context(self, branch: str) -> Iterator[ContextMessage]:
        """What a model is to see of a branch: from its last compaction on, that one's retained tail included, without messages
        that failed or were aborted or deferred."""
        place, name = None, _asked(branch)
        while True:
            page = self._call("get-context", name, place, _PAGE)
            for message in page.messages:
                yield ContextMessage(message.entry, Json(message.message))
            place = page.next
            if place is None:
                return

    def _call(self, name: str, *arguments: Any) -> Any:
        return self._service.call(f"session-tree/{name}", self._id, *arguments, about=self._id)

    def _page(self, name: str, items: str, item: Callable[[SimpleNamespace], Item], *arguments: Any) -> Page[Item]:
        page = self._call(name, *arguments)
        return [item(record) for record in getattr(page, items)], page.more


def _asked(text: str) -> str:
    if not is_text("a name or an id", text):
        raise SessionError("refused", f"{text!r} holds half a surrogate pair, and is no text")
    return text


def _maybe(text: Optional[str]) -> Optional[str]:
    return None if text is None else _asked(text)


def _address(address: Address) -> SimpleNamespace:
    return SimpleNamespace(namespace=_asked(address.namespace), key=_asked(address.key))


def _label(record: SimpleNamespace) -> Label:
    return Label(record.entry, record.text)


def _range(start: Optional[int], end: Optional[int], direction: Direction) -> SimpleNamespace:
    return SimpleNamespace(**{"from": start}, to=end, direction=direction, limit=0)


def _branch_scan(
    start: str,
    stop_at_id: Optional[str],
    stop_at_type: Optional[EntryType],
    type: Optional[EntryType],
    custom_type: Optional[str],
    direction: Direction,
    cursor: Optional[int],
) -> SimpleNamespace:
    return SimpleNamespace(
        start=_asked(start),
        stop_at_id=_maybe(stop_at_id),
        stop_at_type=stop_at_type,
        type=type,
        custom_type=_maybe(custom_type),
        direction=direction,
        cursor=cursor,
        limit=0,
    )


def _those(names: list[Name], read: Callable[[list[Name]], Page[Item]], name_of: Callable[[Item], Name]) -> list[Item]:
    """All those of the names that are there, where an answer may end before the last of them."""
    found: list[Item] = []
    more = True
    while more:
        items, more = read(names)
        found += items
        names = names[names.index(name_of(items[-1])) + 1 :] if more else names
    return found


def _whole(read: Callable[[Optional[Item], int], Page[Item]], limit: Optional[int]) -> Iterator[Item]:
    """Page after page, each beyond the last item of the one before."""
    left, last, more = _ALL if limit is None else limit, None, True
    while more:
        items, more = read(last, left)
        yield from items
        if more:
            left, last = left - len(items), items[-1]


def _path(read: Callable[[SimpleNamespace], Page[Item]], scan: SimpleNamespace, limit: Optional[int]) -> Iterator[Item]:
    def beyond(last: Any, left: int) -> Page[Item]:
        scan.cursor, scan.limit = scan.cursor if last is None else last.number, left
        return read(scan)

    return _whole(beyond, limit)


def _ranged(read: Callable[[SimpleNamespace], Page[Item]], scan: SimpleNamespace, limit: Optional[int]) -> Iterator[Item]:
    def beyond(last: Any, left: int) -> Page[Item]:
        scan.limit = left
        if last is not None and scan.direction == "oldest-first":
            setattr(scan, "from", last.number + 1)
        elif last is not None:
            scan.to = last.number - 1
        return read(scan)

    return _whole(beyond, limit)
