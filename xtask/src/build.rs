//! `cargo xtask build`: from sources to components.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, ensure};
use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions};
use wit_component::ComponentEncoder;
use xtask::{COMPONENTS, Component, Provenance, root};

use crate::execute;
use crate::toolchain::{TARGET, Toolchain};

/// A component fresh from its sources.
pub struct Built {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// What its section says.
    pub provenance: Provenance,
}

/// Builds every component and puts it where it is committed.
pub fn write_all() -> Result<()> {
    for (component, built) in build_all()? {
        let path = component.path();
        let state = if fs::read(&path).is_ok_and(|bytes| bytes == built.bytes) { "as it was" } else { "written" };
        fs::write(&path, &built.bytes).with_context(|| format!("can't write {}", path.display()))?;
        println!("{}.wasm: {} bytes, {state}", component.name, built.bytes.len());
    }
    Ok(())
}

/// Builds every component in `target/component`, and changes nothing else.
pub fn build_all() -> Result<Vec<(&'static Component, Built)>> {
    let toolchain = Toolchain::find(committed_toolchain().as_deref())?;
    println!("Building for WebAssembly with {}", toolchain.name());
    // The registry's folder must be there before its path can be remapped.
    execute(&mut toolchain.cargo(&["fetch", "--quiet", "--locked"]))?;
    let mut all: Vec<(&Component, Built)> = Vec::new();
    for component in &COMPONENTS {
        let socket = component.socket.map(|name| {
            let built = all.iter().find(|(other, _)| other.name == name);
            built.with_context(|| format!("{name} is not built before {}", component.name))
        });
        let built = build(component, socket.transpose()?, &toolchain)?;
        all.push((component, built));
    }
    Ok(all)
}

/// The toolchain that the committed store component was built with.
pub fn committed_toolchain() -> Option<String> {
    let committed = fs::read(COMPONENTS[0].path()).ok()?;
    Some(Provenance::read(&committed).ok()?.toolchain)
}

fn build(component: &Component, socket: Option<&(&Component, Built)>, toolchain: &Toolchain) -> Result<Built> {
    execute(&mut toolchain.build(component.package, component.default_features)?)?;
    let mut bytes = encode(component.package)?;
    let mut crates = crates(component, toolchain)?;
    if let Some((socket, built)) = socket {
        bytes = plug(bytes, built.bytes.clone())
            .with_context(|| format!("{} can't be plugged into {}", component.name, socket.name))?;
        crates.extend(built.provenance.crates.lines().map(str::to_owned));
    }

    let provenance = Provenance {
        sources: component.source_hash()?,
        toolchain: toolchain.version.clone(),
        crates: crates.into_iter().collect::<Vec<_>>().join("\n"),
    };
    provenance.append_to(&mut bytes);
    Ok(Built { bytes, provenance })
}

/// The component that was just built of that crate.
pub fn encode(package: &str) -> Result<Vec<u8>> {
    let module = root()
        .join("target/component")
        .join(TARGET)
        .join("component")
        .join(package.replace('-', "_"))
        .with_extension("wasm");
    let module = fs::read(&module).with_context(|| format!("can't read {}", module.display()))?;
    ComponentEncoder::default()
        .validate(true)
        .module(&module)
        .and_then(|encoder| encoder.encode())
        .with_context(|| format!("{package} is not the component that its world describes"))
}

/// One component out of two: what the first exports serves the imports of the second.
fn plug(plug: Vec<u8>, socket: Vec<u8>) -> Result<Vec<u8>> {
    let mut graph = CompositionGraph::new();
    let plug = Package::from_bytes("plug", None, plug, graph.types_mut())?;
    let plug = graph.register_package(plug)?;
    let socket = Package::from_bytes("socket", None, socket, graph.types_mut())?;
    let socket = graph.register_package(socket)?;
    wac_graph::plug(&mut graph, vec![plug], socket)?;
    Ok(graph.encode(EncodeOptions::default())?)
}

/// The locked crates that a component is built from: those in it, and the macros that wrote parts of it.
fn crates(component: &Component, toolchain: &Toolchain) -> Result<BTreeSet<String>> {
    let mut command = toolchain.cargo(&["tree", "--locked", "--edges", "normal,build", "--prefix", "none"]);
    command.args(["--target", TARGET, "--package", component.package]);
    if !component.default_features {
        command.arg("--no-default-features");
    }
    let output = command.output().context("can't run `cargo tree`")?;
    ensure!(output.status.success(), "`cargo tree` failed: {}", String::from_utf8_lossy(&output.stderr));
    // A line is `name v1.2.3` and then, at times, remarks; a path of this machine is one.
    let listed = String::from_utf8(output.stdout)?;
    let crates = listed
        .lines()
        .filter_map(|line| line.split_once(" v"))
        .map(|(name, rest)| format!("{name} {}", rest.split(' ').next().unwrap_or(rest)))
        .collect();
    Ok(crates)
}
