use wasmtime::component::Linker;

use super::PluginSessions;
use super::linker::{Told, serve};
use crate::tree::wire::{ContextPlace, ValueScan, WireError};
use crate::tree::{
    Address, BranchScan, CommitOptions, EntryScan, ForkScope, Kept, NewEntry, RangeScan, TreeError, Write,
};
use crate::types::NewSession;

impl Told for TreeError {
    type Wire = WireError;
}

/// Gives a component the interface `session-tree`, under the same grants as the rest.
pub(super) fn add_to_linker<T: 'static>(
    linker: &mut Linker<T>,
    get: impl Fn(&mut T) -> &mut PluginSessions + Send + Sync + Copy + 'static,
) -> wasmtime::Result<()> {
    let mut tree = linker.instance("agent:session/session-tree@0.1.0")?;
    tree.func_wrap(
        "commit",
        serve(get, |p, (id, writes, options): (String, Vec<Write>, CommitOptions)| {
            p.write_tree(&id)?.commit_call(&writes, options)
        }),
    )?;
    tree.func_wrap("get-tree", serve(get, |p, (id,): (String,)| p.read_tree(&id)?.state_call()))?;
    tree.func_wrap(
        "get-entries",
        serve(get, |p, (id, entries): (String, Vec<String>)| p.read_tree(&id)?.entries_call(&entries)),
    )?;
    tree.func_wrap(
        "get-values",
        serve(get, |p, (id, addresses): (String, Vec<Address>)| p.read_tree(&id)?.values_call(&addresses)),
    )?;
    tree.func_wrap(
        "scan-values",
        serve(get, |p, (id, scan): (String, ValueScan)| p.read_tree(&id)?.scan_values_call(&scan)),
    )?;
    tree.func_wrap(
        "addresses",
        serve(get, |p, (id, kept, after, limit): (String, Kept, Option<Address>, u32)| {
            p.read_tree(&id)?.addresses_call(kept, after.as_ref(), limit)
        }),
    )?;
    tree.func_wrap(
        "read-list",
        serve(get, |p, (id, address, scan): (String, Address, RangeScan)| p.read_tree(&id)?.list_call(&address, scan)),
    )?;
    tree.func_wrap(
        "scan-branch",
        serve(get, |p, (id, scan): (String, BranchScan)| p.read_tree(&id)?.branch_call(&scan)),
    )?;
    tree.func_wrap(
        "scan-branch-structure",
        serve(get, |p, (id, scan): (String, BranchScan)| p.read_tree(&id)?.structure_call(&scan)),
    )?;
    tree.func_wrap(
        "scan-entries",
        serve(get, |p, (id, scan): (String, EntryScan)| p.read_tree(&id)?.scan_entries_call(&scan)),
    )?;
    tree.func_wrap("scan-usage", serve(get, |p, (id, scan): (String, RangeScan)| p.read_tree(&id)?.usage_call(scan)))?;
    tree.func_wrap(
        "branches",
        serve(get, |p, (id, after, limit): (String, Option<String>, u32)| {
            p.read_tree(&id)?.branches_call(after.as_deref(), limit)
        }),
    )?;
    tree.func_wrap(
        "create-branch",
        serve(get, |p, (id, name, at): (String, String, Option<String>)| {
            p.write_tree(&id)?.create_branch_call(&name, at.as_deref())
        }),
    )?;
    tree.func_wrap(
        "append-to-branch",
        serve(get, |p, (id, branch, entry): (String, String, NewEntry)| {
            p.write_tree(&id)?.append_to_branch_call(&branch, &entry)
        }),
    )?;
    tree.func_wrap(
        "move-branch",
        serve(get, |p, (id, name, to): (String, String, Option<String>)| {
            p.write_tree(&id)?.move_branch_call(&name, to.as_deref())
        }),
    )?;
    tree.func_wrap(
        "get-labels",
        serve(get, |p, (id, entries): (String, Vec<String>)| p.read_tree(&id)?.labels_call(&entries)),
    )?;
    tree.func_wrap(
        "set-label",
        serve(get, |p, (id, entry, text): (String, String, Option<String>)| {
            p.write_tree(&id)?.set_label_call(&entry, text.as_deref())
        }),
    )?;
    tree.func_wrap(
        "set-name",
        serve(get, |p, (id, name): (String, Option<String>)| p.write_tree(&id)?.set_name_call(name.as_deref())),
    )?;
    tree.func_wrap(
        "fork-tree",
        serve(get, |p, (id, scope, child): (String, ForkScope, NewSession)| {
            p.write(&child.id)?;
            p.read_tree(&id)?.fork_call(&scope, &child)
        }),
    )?;
    tree.func_wrap(
        "get-context",
        serve(get, |p, (id, branch, from, max): (String, String, Option<ContextPlace>, u32)| {
            p.read_tree(&id)?.context_call(&branch, from, max)
        }),
    )?;
    Ok(())
}
