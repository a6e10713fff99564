//! A session tree of maps in memory, behind the calls of the real one: what the benchmarks of its reads stand beside.
//!
//! There is one session, whatever its id. Nothing is checked, nothing is stored, no usage is added up, and an answer is one page
//! of any length. Calls that are not measured are refused, and so are scans that filter or stop.

mod calls;
mod maps;

#[allow(missing_docs, clippy::all, unsafe_op_in_unsafe_fn)]
mod bindings {
    wit_bindgen::generate!({
        inline: "
            package bench:bare-tree;
            world bare-tree {
                export agent:session/session-tree@0.1.0;
            }
        ",
        path: "../../../wit",
        generate_all,
    });
}

#[cfg(target_family = "wasm")]
bindings::export!(Component with_types_in bindings);

/// What the component's exports are implemented for.
pub struct Component;
