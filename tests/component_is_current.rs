//! The committed components are what the sources beside them make. This compares hashes; `cargo xtask build --check`
//! builds them again.

use xtask::COMPONENTS;

#[test]
fn every_committed_component_was_built_from_the_sources_as_they_are() {
    let stale: Vec<_> = COMPONENTS.iter().filter_map(|component| component.check_sources().err()).collect();
    assert!(stale.is_empty(), "{stale:#?}");
}
