"""A session as a tree: the interface `session-tree`."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional

from . import tree_types as to
from ._arguments import Path, number_or_none, several
from ._checks import check_address, check_size, check_text, new_session, some_text
from ._scans import (
    ALL,
    Item,
    Page,
    along,
    asked_addresses,
    asked_ids,
    branch_scan,
    by_number,
    entry_scan,
    range_scan,
    those,
    value_scan,
    whole,
)
from ._service import Service
from ._values import Variant
from ._writes import Outgoing
from .errors import SessionError
from .tree_types import (
    Address,
    Branch,
    BranchScan,
    Committed,
    ContextMessage,
    Entry,
    EntryScan,
    EntryStructure,
    Label,
    ListElement,
    NewEntry,
    RangeScan,
    StoredValue,
    TreeState,
    UsageRow,
    ValueScan,
    Write,
)
from .types import Header, Json

if TYPE_CHECKING:
    from typing_extensions import Unpack

_PAGE = 1 << 20


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
        options = SimpleNamespace(first=number_or_none("first", first), timestamp=number_or_none("timestamp", timestamp))
        check_size("the commit", outgoing.size)
        return to.committed(self._call("commit", converted, options))

    def state(self) -> TreeState:
        """Where the tree stands."""
        return to.tree_state(self._call("get-tree"))

    def get_entries(self, ids: Iterable[str]) -> list[Entry]:
        """The entries of these ids that are there, in this order."""
        return those(asked_ids("ids", ids), lambda ids: self._page("get-entries", "entries", to.entry, ids), lambda entry: entry.id)

    def get_values(self, addresses: Iterable[Address]) -> list[StoredValue]:
        """The values at these addresses that are there, in this order."""
        return those(
            asked_addresses(addresses),
            lambda addresses: self._page("get-values", "values", to.stored_value, addresses),
            lambda value: value.address,
        )

    def get_labels(self, entries: Iterable[str]) -> list[Label]:
        """The labels of these entries that have one, in this order."""
        return those(
            asked_ids("entries", entries),
            lambda entries: self._page("get-labels", "labels", _label, entries),
            lambda label: label.entry,
        )

    def create_branch(self, name: str, at: Optional[str] = None) -> Committed:
        """A new branch at this entry, or before the first."""
        return to.committed(self._call("create-branch", some_text("name", name), check_text("at", at)))

    def append(self, branch: str, entry: NewEntry) -> Committed:
        """Adds an entry behind the tip of a branch, and moves the tip. The entry's own parent does not count."""
        outgoing = Outgoing()
        converted = outgoing.entry(entry)
        check_size("the entry", outgoing.size)
        return to.committed(self._call("append-to-branch", some_text("branch", branch), converted))

    def move_branch(self, name: str, to_entry: Optional[str] = None) -> Committed:
        """Moves the tip of a branch to any entry, or before the first."""
        return to.committed(self._call("move-branch", some_text("name", name), check_text("to_entry", to_entry)))

    def set_label(self, entry: str, text: Optional[str]) -> Committed:
        """Labels an entry, or takes its label away."""
        return to.committed(self._call("set-label", some_text("entry", entry), check_text("text", text)))

    def set_name(self, name: Optional[str]) -> Committed:
        """Names the session, or takes its name away."""
        return to.committed(self._call("set-name", check_text("name", name)))

    def fork(
        self,
        child: str,
        *,
        branch: Optional[str] = None,
        at: Optional[str] = None,
        before: Optional[str] = None,
        cwd: Optional[Path] = None,
        created_at: Optional[int] = None,
    ) -> Header:
        """A new session with the numbers, ids and times of this one: of the whole tree, or of one branch, up to its tip, up to
        the entry `at`, or up to the one before the entry `before`. The ledger, what is pending and what operations left are not
        copied; lanes become idle. Claims nothing of this session, and releases the child."""
        places = [check_text(what, place) for what, place in (("at", at), ("before", before)) if place is not None]
        if len(places) > (0 if branch is None else 1):
            raise ValueError("a fork is cut at one place of one branch")
        session = new_session(child, cwd, None, created_at, "child")
        scope = Variant("tree")
        if branch is not None:
            cut = SimpleNamespace(entry=places[0], before=before is not None) if places else None
            scope = Variant("branch", SimpleNamespace(branch=some_text("branch", branch), cut=cut))
        with self._service.lock:
            if self._service.is_pending(child):
                raise SessionError("already-exists", child)
            return Header(**vars(self._call("fork-tree", scope, session)))

    def branch_entries(self, start: str, **scan: Unpack[BranchScan]) -> Iterator[Entry]:
        """Entries on the path from one to its root."""
        wanted = branch_scan(start, scan)
        return along(wanted, lambda: self._page("scan-branch", "entries", to.entry, wanted))

    def branch_structure(self, start: str, **scan: Unpack[BranchScan]) -> Iterator[EntryStructure]:
        """The same without payloads."""
        wanted = branch_scan(start, scan)
        return along(wanted, lambda: self._page("scan-branch-structure", "entries", to.structure, wanted))

    def entries(self, **scan: Unpack[EntryScan]) -> Iterator[Entry]:
        """Entries of the whole session by number, from `start` to `end`, ends included."""
        wanted = entry_scan(scan)
        return by_number(wanted.range, lambda: self._page("scan-entries", "entries", to.entry, wanted))

    def usage(self, **scan: Unpack[RangeScan]) -> Iterator[UsageRow]:
        """Rows of the ledger by number, from `start` to `end`, ends included."""
        wanted = range_scan(scan)
        return by_number(wanted, lambda: self._page("scan-usage", "rows", to.usage_row, wanted))

    def list(self, address: Address, **scan: Unpack[RangeScan]) -> Iterator[ListElement]:
        """The elements of a list by number, from `start` to `end`, ends included; none if there is no such list."""
        of, wanted = check_address("address", address), range_scan(scan)
        return by_number(wanted, lambda: self._page("read-list", "elements", to.element, of, wanted))

    def values(self, namespace: str, prefix: str = "", **scan: Unpack[ValueScan]) -> Iterator[StoredValue]:
        """The values of a namespace whose keys begin so, by the code points of their keys."""
        wanted = value_scan(namespace, prefix, scan)

        def go_on(last: StoredValue) -> None:
            wanted.after = last.address.key

        return whole(wanted, lambda: self._page("scan-values", "values", to.stored_value, wanted), go_on)

    def branches(self) -> Iterator[Branch]:
        """The branches, by the code points of their names."""
        wanted = SimpleNamespace(after=None, limit=ALL)

        def go_on(last: Branch) -> None:
            wanted.after = last.name

        return whole(wanted, lambda: self._page("branches", "branches", _branch, wanted.after, wanted.limit), go_on)

    def context(self, branch: str) -> Iterator[ContextMessage]:
        """What a model is to see of a branch: from its last compaction on, that one's retained tail included, without messages
        that failed or were aborted or deferred."""
        place, name = None, some_text("branch", branch)
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


def _label(record: SimpleNamespace) -> Label:
    return Label(record.entry, record.text)


def _branch(record: SimpleNamespace) -> Branch:
    return Branch(record.name, record.tip)
