//! What is known about the components that are committed under `host/component/`, for `cargo xtask` and for the test
//! that notices when their sources have moved on.

use std::path::Path;

pub mod component;
pub mod provenance;

pub use component::{COMPONENTS, Component};
pub use provenance::Provenance;

/// The folder of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask stands in the workspace's folder")
}
