//! One component out of two.

use anyhow::{Context, Result, bail};
use session_host::{EngineError, SESSION_STORE};
use wac_graph::types::{Package, are_semver_compatible};
use wac_graph::{CompositionGraph, EncodeOptions};
use wasmparser::{Parser, Validator};

/// Whose interfaces are sessions.
const SESSIONS: &str = "agent:session/";
/// What is left to whoever runs the result.
const LEFT: [&str; 3] = ["types", "storage", "clock"];

/// A harness with the sessions in it.
pub struct Composed {
    /// The component.
    pub bytes: Vec<u8>,
    /// What it imports, by name.
    pub imports: Vec<String>,
}

/// Plugs the component that knows the event rules into a harness.
pub fn plug(harness: &[u8]) -> Result<Composed> {
    if Parser::is_core_wasm(harness) {
        return Err(EngineError::CoreModule.into());
    }
    Validator::new().validate_all(harness).map_err(|error| EngineError::Invalid(error.to_string()))?;

    let mut graph = CompositionGraph::new();
    let store = Package::from_bytes("session-store", None, SESSION_STORE, graph.types_mut())?;
    let store = graph.register_package(store)?;
    let harness = Package::from_bytes("harness", None, harness, graph.types_mut())?;
    let harness = graph.register_package(harness)?;
    let names = |items: &mut dyn Iterator<Item = &String>| items.cloned().collect::<Vec<_>>();
    let offered = names(&mut graph.types()[graph[store].ty()].exports.keys());
    let wanted = names(&mut graph.types()[graph[harness].ty()].imports.keys());
    let exports = names(&mut graph.types()[graph[harness].ty()].exports.keys());

    let wanted: Vec<_> = wanted.into_iter().filter(|name| is_served(name)).collect();
    if wanted.is_empty() {
        bail!(
            "it imports no sessions, so there is nothing to plug in; build it for the world `harness` of `agent:session`"
        );
    }
    let (store, harness) = (graph.instantiate(store), graph.instantiate(harness));
    for name in &wanted {
        let Some(export) = offered.iter().find(|export| are_semver_compatible(export, name)) else {
            bail!("it imports {name}, and this release has {}", offered.join(", "));
        };
        let export = graph.alias_instance_export(store, export)?;
        let plugged = graph.set_instantiation_argument(harness, name, export);
        plugged.with_context(|| format!("it imports {name} with other types than this release has"))?;
    }
    for name in &exports {
        let export = graph.alias_instance_export(harness, name)?;
        graph.export(export, name)?;
    }
    let bytes = graph.encode(EncodeOptions::default())?;
    let composed = Package::from_bytes("composed", None, bytes.clone(), graph.types_mut())?;
    let mut imports: Vec<_> = graph.types()[composed.ty()].imports.keys().cloned().collect();
    imports.sort_unstable();
    Ok(Composed { bytes, imports })
}

/// Whether an import is one that sessions serve.
fn is_served(import: &str) -> bool {
    import.strip_prefix(SESSIONS).is_some_and(|name| !LEFT.contains(&name.split('@').next().unwrap_or(name)))
}
