//! What each component asks of its host, and what it offers: exactly this, and no WASI.

use std::fs;

use wasmparser::{Parser, Payload};
use xtask::Component;

#[test]
fn the_store_imports_storage_and_a_clock_and_nothing_else() {
    let world = world("session-store");
    assert_eq!(
        world.imports,
        ["agent:session/clock@0.1.0", "agent:session/storage@0.1.0", "agent:session/types@0.1.0"]
    );
    let exports = [
        "agent:session/event-rules@0.1.0",
        "agent:session/messages@0.1.0",
        "agent:session/session-persistence@0.1.0",
        "agent:session/session-tree@0.1.0",
    ];
    assert_eq!(world.exports, exports);
}

#[test]
fn the_rules_import_nothing_but_types() {
    let world = world("session-rules");
    assert_eq!(world.imports, ["agent:session/types@0.1.0"]);
    assert_eq!(world.exports, ["agent:session/event-rules@0.1.0"]);
}

#[test]
fn the_demo_harness_imports_sessions_and_nothing_outside_its_world() {
    let world = world("demo-harness");
    assert_eq!(world.imports, ["agent:session/session-persistence@0.1.0", "agent:session/types@0.1.0"]);
    assert_eq!(world.exports, ["run"]);
}

#[test]
fn the_proof_of_a_store_imports_storage_and_sessions_and_nothing_else() {
    let world = world("conformance");
    let imports = [
        "agent:session/messages@0.1.0",
        "agent:session/session-persistence@0.1.0",
        "agent:session/storage@0.1.0",
        "agent:session/types@0.1.0",
    ];
    assert_eq!(world.imports, imports);
    assert_eq!(world.exports, ["cases", "run"]);
}

/// What WASI brings for files and the time. Bytes are written through streams, and what they fail with is an error.
const WASI: [&str; 5] = [
    "wasi:clocks/wall-clock@0.2.12",
    "wasi:filesystem/preopens@0.2.12",
    "wasi:filesystem/types@0.2.12",
    "wasi:io/error@0.2.12",
    "wasi:io/streams@0.2.12",
];

#[test]
fn the_wasi_storage_imports_files_and_the_time_and_nothing_else() {
    let world = world("wasi-storage");
    assert_eq!(world.imports, [&["agent:session/types@0.1.0"], &WASI[..]].concat());
    assert_eq!(world.exports, ["agent:session/clock@0.1.0", "agent:session/storage@0.1.0"]);
}

#[test]
fn the_store_with_that_storage_exports_what_the_store_does() {
    let both = world("session-store-wasi");
    assert_eq!(both.imports, [&["agent:session/types@0.1.0"], &WASI[..]].concat());
    assert_eq!(both.exports, world("session-store").exports);
}

/// The names that a component imports and exports, sorted.
struct World {
    imports: Vec<String>,
    exports: Vec<String>,
}

fn world(name: &str) -> World {
    let component = Component::named(name).expect("it is one of ours");
    let bytes = fs::read(component.path()).expect("it is committed");
    let (mut imports, mut exports) = (Vec::new(), Vec::new());
    // Inside the component are modules, and perhaps components, with imports and exports of their own.
    let mut depth = 0;
    for payload in Parser::new(0).parse_all(&bytes) {
        match payload.expect("it is sound") {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth -= 1,
            Payload::ComponentImportSection(section) if depth == 0 => {
                imports.extend(section.into_iter().map(|import| import.expect("it is sound").name.name.to_string()));
            }
            Payload::ComponentExportSection(section) if depth == 0 => {
                exports.extend(section.into_iter().map(|export| export.expect("it is sound").name.name.to_string()));
            }
            _ => {}
        }
    }
    imports.sort();
    exports.sort();
    World { imports, exports }
}
